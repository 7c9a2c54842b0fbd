// POST /chain/NAME: makes a command of the embedded chain meet a fate. For this machine only: it is served where the
// embedded node is, on loopback whatever HOST says, and not to web pages.
import type { RequestListener } from 'node:http'
import { isPublicKey } from '../../shared/mapping/base58check.ts'
import type { Chain } from '../chain/chain.ts'
import { type Fate, fates, type Wanted } from '../chain/fates.ts'

export const controlPath = '/chain'

/** A question that no chain could answer, in one line for whoever sent it. */
class BadQuestion extends Error {
  override readonly name = 'BadQuestion'
}

const readers: { readonly [Name in keyof Wanted]-?: (text: string) => NonNullable<Wanted[Name]> } = {
  hash: (text) => text,
  depth: (text) => {
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
    throw new BadQuestion(`depth: wanted a whole number, 1 or more, got ${JSON.stringify(text)}`)
  },
  to: (text) => {
    if (isPublicKey(text)) return text
    throw new BadQuestion(`to: wanted a public key, got ${JSON.stringify(text)}`)
  },
  amount: (text) => {
    if (/^[1-9]\d{0,18}$/.test(text)) return BigInt(text)
    throw new BadQuestion(`amount: wanted nanomina as digits, 1 or more, got ${JSON.stringify(text)}`)
  },
  fails: (text) => {
    if (text === 'true' || text === 'false') return text === 'true'
    throw new BadQuestion(`fails: wanted true or false, got ${JSON.stringify(text)}`)
  },
}

/** @throws BadQuestion for a parameter that the fate does not take, one that is there twice, or one without its form */
function readWanted({ parameters }: Fate, given: URLSearchParams): Wanted {
  const takes = parameters.length === 0 ? 'it takes none' : `it takes ${parameters.join(', ')}`
  for (const name of given.keys()) {
    if (!parameters.some((parameter) => parameter === name))
      throw new BadQuestion(`${name}: unknown parameter; ${takes}`)
    if (given.getAll(name).length > 1) throw new BadQuestion(`${name}: wanted once`)
  }
  return Object.fromEntries(
    parameters.flatMap((name) => {
      const text = given.get(name)
      return text === null ? [] : [[name, readers[name](text)]]
    }),
  )
}

const fateNamed = (name: string): Fate | undefined => new Map<string, Fate>(Object.entries(fates)).get(name)

/** @param serviceUrl where the service shows what happens; called at each request */
export function controls(chain: Chain, serviceUrl: () => string): RequestListener {
  const answer = ({ headers, method, url = '' }: Parameters<RequestListener>[0]): [status: number, body: object] => {
    // A browser sends it with every POST of a page, from this machine too.
    if (headers.origin !== undefined)
      return [403, { message: 'Not for web pages: a request must have no Origin header' }]
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    const fate = fateNamed(pathname.slice(controlPath.length + 1))
    if (fate === undefined || method !== 'POST') {
      const known = Object.keys(fates).map((name) => `${controlPath}/${name}`)
      return [404, { message: `POST ${known.join(', ')}` }]
    }
    try {
      const { happens, see } = fate.arrange(chain, readWanted(fate, searchParams))
      return [200, { happens, see: see.map((path) => serviceUrl() + path) }]
    } catch (error) {
      if (error instanceof BadQuestion) return [400, { message: error.message }]
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
