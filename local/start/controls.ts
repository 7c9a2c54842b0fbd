// POST /chain/NAME: makes a command of the embedded chain meet a fate. For this machine only: it is served where the
// embedded node is, on loopback whatever HOST says, and not to web pages.
import type { RequestListener } from 'node:http'
import type { Chain } from '../chain/chain.ts'
import { type Arranged, fates } from '../chain/fates.ts'

export const controlPath = '/chain'

const fateNamed = (name: string): ((chain: Chain, hash?: string) => Arranged) | undefined =>
  new Map(Object.entries(fates)).get(name)

/** @param serviceUrl where the service shows what happens; called at each request */
export function controls(chain: Chain, serviceUrl: () => string): RequestListener {
  const answer = ({ headers, method, url = '' }: Parameters<RequestListener>[0]): [status: number, body: object] => {
    // A browser sends it with every POST of a page, from this machine too.
    if (headers.origin !== undefined)
      return [403, { message: 'Not for web pages: a request must have no Origin header' }]
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    const fate = fateNamed(pathname.slice(controlPath.length + 1))
    if (fate === undefined || method !== 'POST') {
      return [
        404,
        {
          message: `POST ${Object.keys(fates)
            .map((name) => `${controlPath}/${name}`)
            .join(', ')}`,
        },
      ]
    }
    try {
      const { happens, see } = fate(chain, searchParams.get('hash') ?? undefined)
      return [200, { happens, see: see.map((path) => serviceUrl() + path) }]
    } catch (error) {
      if (error instanceof RangeError) return [409, { message: error.message }]
      throw error
    }
  }
  return (request, response) => {
    request.resume()
    const [status, body] = answer(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body, null, 2)}\n`)
  }
}
