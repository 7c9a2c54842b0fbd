// What an attacker asks who wants each request to cost the node something: every GET of the service, with ids that nobody has
// and with options that no cache has seen.
import {
  type Base58Form,
  memoForm,
  publicKeyForm,
  stateHashForm,
  transactionHashForm,
} from '../../shared/contract/forms.ts'
import { filledPath, type PathValues, queryText, unheldValues } from '../../shared/contract/parameters.ts'
import type { QueryOption } from '../../shared/contract/query-option.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { memoFromText } from '../../shared/mapping/command.ts'

/** An id as the edge admits it, with a label in it. A zero is not in the alphabet. Its checksum is wrong, which no edge sees. */
export const idOf = ({ length, prefix }: Base58Form, label: string): string =>
  prefix + label.replaceAll('0', 'o').padStart(length - prefix.length, 'x')

/** Higher than any block: the chain of the model never is. */
const unreachedHeight = 1_000_000

/** What path parameters and options of a request name. */
interface Named extends PathValues {
  readonly memo: string
  readonly cursor: string
}

/** Ids that nobody has, others in each turn. */
const strangers = (turn: number): Named => {
  const label = `u${turn}`
  const state_hash = idOf(stateHashForm, label)
  return {
    ...{ state_hash, public_key: idOf(publicKeyForm, label), hash: idOf(transactionHashForm, label) },
    ...{ height: String(unreachedHeight + turn), memo: idOf(memoForm, label), cursor: `${turn + 1}-${state_hash}` },
  }
}

/** The values of options, others in each turn as far as there are as many; in turn 0 those that cost most. */
function queryOf(options: readonly QueryOption[], turn: number, named: Named): string {
  const textOf = (option: QueryOption): string => {
    if (option.kind === 'count') return String(option.max - (turn % option.max))
    if (option.kind === 'number') return String(option.max - (turn % (1 + option.max - option.min)))
    if (option.kind === 'nanomina') return String(turn)
    return named[option.kind === 'key' ? 'public_key' : option.kind]
  }
  return queryText(Object.fromEntries(options.map((option) => [option.name, textOf(option)])))
}

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
    const learnt = (cursor: string) => unheld + queryOf(options, 0, { ...unheldValues, memo: memoFromText(''), cursor })
    const target = (turn: number) => filledPath(path, strangers(0)) + queryOf(options, turn, strangers(turn))
    return [bare, { asks: `attack ${name} with options`, learnt, target }]
  })
  .concat({
    asks: 'attack final blocks',
    learnt: () => '/blocks/height/2',
    target: (turn) => `/blocks/height/${1 + turn}`,
  })
