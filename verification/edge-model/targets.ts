// What an attacker asks who wants each request to cost the node something: every GET of the service, with ids that nobody has
// and with options that no cache has seen.
import { filledPath, type PathValues, queryText, unheldValues } from '../../shared/contract/parameters.ts'
import type { QueryOption } from '../../shared/contract/query-option.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { memoFromText } from '../../shared/mapping/command.ts'

/** What path parameters and options of a request name. */
type Ids = PathValues & { readonly memo: string; readonly cursor: string }

/** Ids that nobody has, with right checksums. */
export const unheld: Ids = { ...unheldValues, memo: memoFromText(''), cursor: `1-${unheldValues.state_hash}` }

/** An id as the edge admits it, with a label at its end. Its checksum is wrong, which no edge sees. */
export function idOf(kind: keyof Ids, label: string): string {
  // A zero is not in the alphabet.
  return unheld[kind].slice(0, -label.length) + label.replaceAll('0', 'o')
}

/** Ids that nobody has, others in each turn. */
function strangers(turn: number): Ids {
  const id = (kind: keyof Ids) => idOf(kind, `u${turn}`)
  return {
    ...{ state_hash: id('state_hash'), public_key: id('public_key'), hash: id('hash'), memo: id('memo') },
    ...{ height: String(Number(unheld.height) - turn), cursor: `${turn + 1}-${id('state_hash')}` },
  }
}

/** The value of an option, another one in each turn as far as there are as many; in turn 0 the one that costs most. */
function textOf(option: QueryOption, turn: number, ids: Ids): string {
  if (option.kind === 'count') return String(option.max - (turn % option.max))
  if (option.kind === 'number') return String(option.max - (turn % (1 + option.max - option.min)))
  if (option.kind === 'nanomina') return String(turn)
  return ids[option.kind === 'key' ? 'public_key' : option.kind]
}

interface Target {
  /** The name of its answer. */
  readonly asks: string
  /** @param ids by default those that nobody has, with wrong checksums */
  target(turn: number, ids?: Ids): string
}

function targetOf(asks: string, path: string, options: readonly QueryOption[] = []): Target {
  return {
    asks,
    target(turn, ids = strangers(turn)) {
      const query = options.map((option) => [option.name, textOf(option, turn, ids)])
      return filledPath(path, ids) + queryText(Object.fromEntries(query))
    },
  }
}

const reads = endpoints.filter(({ method }) => method === 'GET')

/** One for each GET, and a second one with all its options. */
export const targets: readonly Target[] = [
  ...reads.map(({ name, path }) => targetOf(`attack ${name}`, path)),
  ...reads.flatMap(({ name, path, options }) =>
    options === undefined ? [] : [targetOf(`attack ${name} with options`, path, options)],
  ),
  { asks: 'attack final blocks', target: (turn) => `/blocks/height/${2 + turn}` },
]
