// Wrong services: those that answer otherwise than the endpoint does.
import type { ChainPort } from '../../../shared/chain/port.ts'
import type { Answer, Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { Variant } from '../setting/service.ts'

type Run = (endpoint: Endpoint, input: unknown, chain: ChainPort) => Promise<Answer>

export const running = (run: Run): Variant => ({
  // A wrong body would not compile: it has to be passed off as the contract's.
  wrapEndpoint: (endpoint) => ({
    ...endpoint,
    run: ((input, chain) => run(endpoint, input, chain)) as Endpoint['run'],
  }),
})

/** What becomes of upstream trouble; a broadcast makes a value of it by itself. */
const troubled = (answer: (error: WireError, endpoint: Endpoint) => Answer): Variant =>
  running(async (endpoint, input, chain) => {
    try {
      return await endpoint.run(input, chain)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      return answer(error, endpoint)
    }
  })

/** What becomes of an answer. */
const rewritten = (rewrite: (answer: Answer) => Answer): Variant =>
  running(async (endpoint, input, chain) => rewrite(await endpoint.run(input, chain)))

function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]))
}

function without(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => without(key, item))
  if (typeof value !== 'object' || value === null) return value
  const others = Object.entries(value).filter(([name]) => name !== key)
  return Object.fromEntries(others.map(([name, inner]) => [name, without(key, inner)]))
}

const notFoundTexts: Readonly<Record<string, string>> = {
  getBlock: 'No blocks found for that state hash.',
  getAccount: 'No account found for that public key.',
}

/** Asks for as many as it should, and takes as many as come. */
const takingAll = (chain: ChainPort, limit: number): ChainPort => ({
  ...chain,
  ask(operation, variables) {
    const read: typeof operation.data.read = (value, path) => operation.data.read(value, path, variables)
    const asked = 'maxLength' in variables ? { maxLength: limit } : { ...variables, limit: limit + 10 }
    return chain.ask({ ...operation, data: { ...operation.data, read } }, asked)
  },
})

export const wrongEndpoints = {
  'shows-long-lists': running((endpoint, input, chain) => {
    if (endpoint.name !== 'getBlocks') return endpoint.run(input, chain)
    const { limit } = input as { readonly limit: number }
    return endpoint.run({ limit: 10_000 }, takingAll(chain, limit))
  }),
  'leaks-upstream-text': troubled(({ message }) => ({ status: 502, body: { message } })),
  'calls-trouble-not-found': troubled((error, { name }) => {
    const message = notFoundTexts[name]
    if (message === undefined) throw error
    return { status: 404, body: { message } }
  }),
  'rounds-long-integers': rewritten((answer) => ({ ...answer, body: rounded(answer.body) }) as Answer),
  'hides-failed-commands': rewritten(
    (answer) => ({ ...answer, body: without('failureReason', answer.body) }) as Answer,
  ),
  'counts-no-zkapp-commands': rewritten(
    (answer) => ({ ...answer, body: without('zkappCommandCount', answer.body) }) as Answer,
  ),
  'hides-what-is-missing': rewritten(({ headers, ...answer }) => {
    const { 'x-missing-fields': _missing, ...others } = headers ?? {}
    return { ...answer, headers: others }
  }),
  'fails-with-the-indexer': rewritten((answer) => {
    if (answer.headers?.['x-missing-fields'] === undefined) return answer
    throw new WireError('unreadable', 'something is missing')
  }),
  'calls-lost-broadcasts-refused': rewritten((answer) =>
    answer.headers?.['x-broadcast-outcome'] === 'unknown'
      ? { ...answer, headers: { ...answer.headers, 'x-broadcast-outcome': 'refused' } }
      : answer,
  ),
} satisfies Record<string, Variant>
