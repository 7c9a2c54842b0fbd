// A server in front of a service that refuses every request: what a CDN answers to too many, and a function without upstream.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getFailures } from '../../../../shared/contract/answers.ts'
import { slowDown } from '../../../../shared/http/routes.ts'

const answers: Readonly<Record<string, { readonly retryAfter: string; readonly body: object | undefined }>> = {
  429: { retryAfter: '60', body: { message: slowDown } },
  503: { retryAfter: '5', body: getFailures[503].example },
}

export interface RefusingServer {
  /** A service that refuses with 429 is at `${url}/429`. */
  readonly url: string
  close(): Promise<void>
}

export async function startRefusing(): Promise<RefusingServer> {
  const server = createServer((request, response) => {
    const status = request.url?.split('/')[1] ?? ''
    const { retryAfter = '', body } = answers[status] ?? {}
    response.writeHead(Number(status), { 'content-type': 'application/json', 'retry-after': retryAfter })
    response.end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
