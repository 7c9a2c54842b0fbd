// What an attacker asks who wants each request to cost the node something: every GET of the service, with ids that nobody has
// and with options that no cache has seen.
import { type Base58Form, publicKeyForm, stateHashForm, transactionHashForm } from '../../shared/contract/forms.ts'
import { filledPath, type PathValues, queryText, unheldValues } from '../../shared/contract/parameters.ts'
import type { QueryOption } from '../../shared/contract/query-option.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { memoFromText } from '../../shared/mapping/command.ts'

/** An id as the edge admits it, with a label in it. A zero is not in the alphabet. Its checksum is wrong, which no edge sees. */
export const idOf = ({ length, prefix }: Base58Form, label: string): string =>
  prefix + label.replaceAll('0', 'o').padStart(length - prefix.length, 'x')

/** Higher than any block: the chain of the model never is. */
const unreachedHeight = 1_000_000

/** Ids that nobody has, others in each turn. */
const strangers = (turn: number): PathValues => ({
  state_hash: idOf(stateHashForm, `u${turn}`),
  public_key: idOf(publicKeyForm, `u${turn}`),
  hash: idOf(transactionHashForm, `u${turn}`),
  height: String(unreachedHeight + turn),
})

/** A value of an option, another one in each turn as far as there are as many. */
function freshValueOf(option: QueryOption, turn: number): string {
  switch (option.kind) {
    case 'count':
      return String(1 + (turn % option.max))
    case 'number':
      return String(option.min + (turn % (option.max - option.min + 1)))
    case 'nanomina':
      return String(turn)
    case 'cursor':
      return `${turn + 1}-${strangers(turn).state_hash}`
    default:
      return idOf(option.form, `u${turn}`)
  }
}

/** A value that the service does not refuse for its checksum, the costliest one where there is a choice. */
function costlyValueOf(option: QueryOption, cursor: string): string {
  switch (option.kind) {
    case 'count':
    case 'number':
      return String(option.max)
    case 'nanomina':
      return '1'
    case 'cursor':
      return cursor
    case 'memo':
      return memoFromText('')
    case 'key':
      return unheldValues.public_key
  }
}

const queryOf = (options: readonly QueryOption[], value: (option: QueryOption) => string): string =>
  queryText(Object.fromEntries(options.map((option) => [option.name, value(option)])))

/** A kind of request. */
export interface Target {
  /** The name of its answer. */
  readonly asks: string
  /** A request with right checksums, by which the answer's cost is learnt; `cursor` names a block that the chain has. */
  readonly learnt: (cursor: string) => string
  readonly target: (turn: number) => string
}

/** One for each GET, and a second one with all its options beside an id that stays. */
export const targets: readonly Target[] = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap(({ name, path, options = [] }) => {
    const unheld = filledPath(path, unheldValues)
    const bare = {
      asks: `attack ${name}`,
      learnt: () => unheld,
      target: (turn: number) => filledPath(path, strangers(turn)),
    }
    if (options.length === 0) return [bare]
    const target = (turn: number) =>
      filledPath(path, strangers(0)) + queryOf(options, (option) => freshValueOf(option, turn))
    const learnt = (cursor: string) => unheld + queryOf(options, (option) => costlyValueOf(option, cursor))
    return [bare, { asks: `attack ${name} with options`, learnt, target }]
  })
  .concat({
    asks: 'attack final blocks',
    learnt: () => '/blocks/height/2',
    target: (turn) => `/blocks/height/${1 + turn}`,
  })
