// The explorer page of docs/recipes over an embedded chain.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listen } from '../start/listen.ts'
import { startService } from '../start/service.ts'

const folder = join(import.meta.dirname, '../../docs/recipes')
const page = readFileSync(join(folder, 'explorer.html'))
const script = readFileSync(join(folder, 'explorer.js'))

/** Serves the page beside the service; it asks the service that its option `api` names, as a page of another site would. */
export async function serveExplorer(options: Parameters<typeof startService>[0]) {
  const service = await startService(options)
  const server = await listen(
    ({ url }, response) => {
      const [type, body] = url === '/explorer.js' ? ['text/javascript', script] : ['text/html', page]
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body)
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
