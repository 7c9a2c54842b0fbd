// The explorer page of docs/recipes over an embedded chain.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listen } from '../start/listen.ts'
import { startService } from '../start/service.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/recipes/explorer.html'))

/** Serves the page beside the service; it asks the service that its option `api` names, as a page of another site would. */
export async function serveExplorer(options: Parameters<typeof startService>[0]) {
  const service = await startService(options)
  const server = await listen(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    },
    0,
    '127.0.0.1',
  )
  const close = async () => {
    await server.close()
    await service.close()
  }
  return { ...service, page: `http://127.0.0.1:${server.port}/`, close }
}
