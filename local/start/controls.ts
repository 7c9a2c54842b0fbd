// POST /chain/NAME: makes a command of the embedded chain meet a fate, or the chain a hard fork. For this machine only: it is served where the
// embedded node is, on loopback whatever HOST says, and not to web pages.
import type { RequestListener } from 'node:http'
import { type Arranged, type Fate, fates, parametersText, type Wanted } from '../../packages/testnet/fates.ts'
import { type ForkDay, forkSteps } from '../../packages/testnet/fork-day.ts'
import { maxBalance } from '../../packages/testnet/ledger/ledger.ts'
import { isPublicKey } from '../../shared/mapping/base58check.ts'

export const controlPath = '/chain'

/** A question that no chain could answer, in one line for whoever sent it. */
class BadQuestion extends Error {
  override readonly name = 'BadQuestion'
}

function flagFrom(name: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new BadQuestion(`${name}: wanted true or false, got ${JSON.stringify(text)}`)
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
    if (/^[1-9]\d{0,19}$/.test(text) && BigInt(text) <= maxBalance) return BigInt(text)
    throw new BadQuestion(`amount: wanted digits, 1 to ${maxBalance}, got ${JSON.stringify(text)}`)
  },
  discard: (text) => {
    if (/^(?:0|[1-9]\d{0,8})$/.test(text)) return Number(text)
    throw new BadQuestion(`discard: wanted a whole number, got ${JSON.stringify(text)}`)
  },
  fails: (text) => flagFrom('fails', text),
  token: (text) => flagFrom('token', text),
}

/** @throws BadQuestion for a parameter that the fate does not take, one that is there twice or beside another where it takes one, or one without its form */
function readWanted(control: Omit<Control, 'arrange'>, given: URLSearchParams): Wanted {
  const { parameters, takesOne } = control
  const takes = parameters.length === 0 ? 'it takes none' : `it takes ${parametersText(control)}`
  for (const name of given.keys()) {
    if (!parameters.some((parameter) => parameter === name))
      throw new BadQuestion(`${name}: unknown parameter; ${takes}`)
    if (given.getAll(name).length > 1) throw new BadQuestion(`${name}: wanted once`)
  }
  if (takesOne && given.size > 1) throw new BadQuestion(`${takes}, not both`)
  return Object.fromEntries(
    parameters.flatMap((name) => {
      const text = given.get(name)
      return text === null ? [] : [[name, readers[name](text)]]
    }),
  )
}

/** Names in the order in which a person meets them. */
export const controlNames: readonly string[] = [...Object.keys(fates), ...Object.keys(forkSteps)]

interface Control extends Pick<Fate, 'parameters' | 'takesOne'> {
  readonly arrange: (wanted: Wanted) => Arranged
}

function controlNamed(day: ForkDay, name: string): Control | undefined {
  const fate = new Map<string, Fate>(Object.entries(fates)).get(name)
  if (fate !== undefined) return { ...fate, arrange: (wanted) => fate.arrange(day.node, wanted) }
  const step = new Map<string, (typeof forkSteps)[keyof typeof forkSteps]>(Object.entries(forkSteps)).get(name)
  return step && { ...step, arrange: (wanted) => step.arrange(day, wanted) }
}

/** @param serviceUrl where the service shows what happens; called at each request */
export function controls(day: ForkDay, serviceUrl: () => string): RequestListener {
  const answer = ({ headers, method, url = '' }: Parameters<RequestListener>[0]): [status: number, body: object] => {
    // A browser sends it with every POST of a page, from this machine too.
    if (headers.origin !== undefined)
      return [403, { message: 'Not for web pages: a request must have no Origin header' }]
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    const control = controlNamed(day, pathname.slice(controlPath.length + 1))
    if (control === undefined || method !== 'POST') {
      const known = controlNames.map((name) => `${controlPath}/${name}`)
      return [404, { message: `POST ${known.join(', ')}` }]
    }
    try {
      const { happens, see } = control.arrange(readWanted(control, searchParams))
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
