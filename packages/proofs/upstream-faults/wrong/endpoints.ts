// Wrong services that answer differently from the endpoint.
import type { ChainView } from '../../../../shared/chain/port.ts'
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import type { Answer } from '../../../../shared/http/answer.ts'
import { parseExactJson, printExactJson } from '../../../../shared/mapping/exact-json.ts'
import { WireError } from '../../../../shared/upstream/errors.ts'
import { withChanges } from '../../changed-view.ts'
import type { Variant } from '../setting/service.ts'

/** A wrong service, and the names of the faults and scenarios that show its mistake. */
export interface WrongService extends Variant {
  readonly shownBy: readonly [fault: RegExp, scenario: RegExp]
}

type ShownBy = WrongService['shownBy']
type Run = (endpoint: Endpoint, input: unknown, chain: ChainView) => Promise<Answer>

export const running = (shownBy: ShownBy, run: Run): WrongService => ({
  shownBy,
  // The compiler rejects a wrong body: only a cast passes it off as the contract's.
  wrapEndpoint: (endpoint) => ({
    ...endpoint,
    run: ((input, chain) => run(endpoint, input, chain)) as Endpoint['run'],
  }),
})

/** Another answer to upstream trouble, which a broadcast turns into a value by itself. */
const troubled = (shownBy: ShownBy, answer: (error: WireError, endpoint: Endpoint) => Answer) =>
  running(shownBy, async (endpoint, input, chain) => {
    try {
      return await endpoint.run(input, chain)
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      return answer(error, endpoint)
    }
  })

const rewritten = (shownBy: ShownBy, rewrite: (answer: Answer) => object) =>
  running(shownBy, async (endpoint, input, chain) => rewrite(await endpoint.run(input, chain)) as Answer)

/** The answer with every member of its body changed, and the keys dropped for which `change` returns undefined. */
const withBody = (shownBy: ShownBy, change: (value: unknown, key: string) => unknown) => {
  const changedIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => changedIn(change(item, String(index))))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, inner]) => [key, changedIn(change(inner, key))] as const)
    return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined))
  }
  return rewritten(shownBy, (answer) => ({ ...answer, body: changedIn(parseExactJson(printExactJson(answer.body))) }))
}

const notFoundTexts: Readonly<Record<string, string>> = {
  getBlock: 'No blocks found for that state hash.',
  getAccount: 'No account found for that public key.',
  getTransaction: 'No transaction found for that hash.',
}

/** Asks for as many as it should, and takes as many as come. */
const takingAll = (chain: ChainView, limit: number): ChainView =>
  withChanges(chain, {
    request(operation, variables) {
      const read: typeof operation.data.read = (value, path) => operation.data.read(value, path, variables)
      return chain.request({ ...operation, data: { ...operation.data, read } }, { maxLength: limit })
    },
  })

interface Gain {
  readonly amount: number | bigint
}

const gained = (change: Gain): Gain => ({ ...change, amount: change.amount < 0 ? -change.amount : change.amount })

/** Faults that leave the answer right. */
const harmless = /content type/

export const wrongEndpoints = {
  'shows-long-lists': running([/fifteen|too many/, /latest/], (endpoint, input, chain) => {
    if (endpoint.name !== 'getBlocks') return endpoint.run(input, chain)
    const { limit } = input as { readonly limit: number }
    return endpoint.run({ limit: 10_000 }, takingAll(chain, limit))
  }),
  'leaks-upstream-text': troubled([/error alone|HTML with status 500/, /./], ({ message }) => ({
    status: 502,
    body: { message },
  })),
  'calls-trouble-not-found': troubled([/answers nothing|status 204/, /./], (error, { name }) => {
    const message = notFoundTexts[name]
    if (message === undefined) throw error
    return { status: 404, body: { message } }
  }),
  'rounds-long-integers': withBody([harmless, /block|summary/], (value) =>
    typeof value === 'bigint' ? Number(value) : value,
  ),
  'calls-failed-commands-applied': withBody([harmless, /block/], (value, key) =>
    key === 'status' && value === 'failed' ? 'applied' : value,
  ),
  'hides-failed-commands': withBody([harmless, /block/], (value, key) => (key === 'failureReason' ? undefined : value)),
  'counts-no-zkapp-commands': withBody([harmless, /block/], (value, key) =>
    key === 'zkappCommandCount' ? undefined : value,
  ),
  'lists-no-zkapp-commands': withBody([harmless, /block/], (value, key) =>
    key === 'zkappCommands' ? undefined : value,
  ),
  'lists-no-token-changes': withBody([harmless, /zkApp/], (value, key) => (key === 'tokenChanges' ? undefined : value)),
  'takes-what-zkapps-pay-for-gains': withBody([harmless, /zkApp/], (value, key) =>
    key === 'balanceChanges' ? (value as readonly Gain[]).map(gained) : value,
  ),
  'hides-what-is-missing': rewritten([/^indexer answers data/, /block|account/], ({ headers, ...answer }) => {
    const { 'x-missing-fields': _missing, ...others } = headers ?? {}
    return { ...answer, headers: others }
  }),
  'tags-incomplete-answers-like-complete-ones': running(
    [/^indexer answers data/, /latest/],
    async (endpoint, input, chain) => {
      const answer = await endpoint.run(input, chain)
      if (answer.headers?.['x-missing-fields'] === undefined) return answer
      const current = await endpoint.currentVersion?.(input, chain)
      return { ...answer, ...(current && { version: current.version }) } as Answer
    },
  ),
  'fails-with-the-indexer': rewritten([/^indexer answers data/, /block|account/], (answer) => {
    if (answer.headers?.['x-missing-fields'] === undefined) return answer
    throw new WireError('unreadable', 'something is missing')
  }),
  'calls-lost-broadcasts-refused': rewritten([/answers data: null|error alone/, /looked for/], (answer) =>
    answer.headers?.['x-broadcast-outcome'] === 'unknown'
      ? { ...answer, headers: { ...answer.headers, 'x-broadcast-outcome': 'refused' } }
      : answer,
  ),
} satisfies Record<string, WrongService>
