// Puts GraphQL operations to an embedded node over real HTTP, on a free port of the loopback interface.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chain } from '../../../../local/chain/chain.ts'
import { nodeServer } from '../../../../local/chain/node/server.ts'

export interface NodeClient {
  /** Status, relevant headers and parsed body of the answer. */
  ask(query: string, variables?: object): Promise<{ status: number; contentType: string | null; body: unknown }>
  /** A POST of any body. */
  send(path: string, body: string, contentType: string): Promise<{ status: number; text: string }>
  close(): Promise<void>
}

export async function startNode(chain: Chain): Promise<NodeClient> {
  const server = createServer(nodeServer(chain))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const post = (path: string, body: string, contentType: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: { 'content-type': contentType }, body })
  return {
    async ask(query, variables = {}) {
      const response = await post('/graphql', JSON.stringify({ query, variables }), 'application/json')
      return {
        status: response.status,
        contentType: response.headers.get('content-type'),
        body: JSON.parse(await response.text()),
      }
    },
    async send(path, body, contentType) {
      const response = await post(path, body, contentType)
      return { status: response.status, text: await response.text() }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
