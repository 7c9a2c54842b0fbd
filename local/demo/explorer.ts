// The explorer page of docs/recipes over an embedded chain.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listen } from '../start/listen.ts'
import { startService } from '../start/service.ts'

const folder = join(import.meta.dirname, '../../docs/recipes')
const page = readFileSync(join(folder, 'explorer.html'))
const script = readFileSync(join(folder, 'explorer.js'))

type Options = Parameters<typeof startService>[0] & { readonly pagePort?: number }

/** Serves the page beside the service; it asks the service that its option `api` names, as a page of another site would. */
export async function serveExplorer({ pagePort = 0, ...options }: Options) {
  const server = await listen(
    ({ url }, response) => {
      const [type, body] = url === '/explorer.js' ? ['text/javascript', script] : ['text/html', page]
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body)
    },
    pagePort,
    '127.0.0.1',
  )
  const service = await startService(options).catch(async (error) => {
    await server.close()
    throw error
  })
  const close = async () => {
    await server.close()
    await service.close()
  }
  return { ...service, page: `http://127.0.0.1:${server.port}/`, close }
}
