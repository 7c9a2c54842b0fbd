// What an attacker asks who wants each request to cost the node something: every GET of the service, with ids that nobody has
// and with options that no cache has seen.
import { filledPath, queryText, unheldValues } from '../../shared/contract/parameters.ts'
import type { QueryOption } from '../../shared/contract/query-option.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { memoFromText } from '../../shared/mapping/command.ts'

/** With right checksums. */
const unheld = { ...unheldValues, memo: memoFromText('') }
type Kind = keyof typeof unheld

/** An id that nobody has, as the edge admits it, with a label at its end. Its checksum is wrong, which no edge sees. */
export function idOf(kind: Kind, label: string): string {
  const start = unheld[kind].slice(0, unheld[kind].length - label.length)
  // A zero is not in the alphabet.
  return start + label.replaceAll('0', 'o')
}

/** Values of path parameters and options that nobody has, others in each turn; in turn 0 the checksums are right. */
function strangers(turn: number) {
  const id = (kind: Kind) => idOf(kind, turn === 0 ? '' : `u${turn}`)
  return {
    ...{ state_hash: id('state_hash'), hash: id('hash'), public_key: id('public_key'), key: id('public_key') },
    ...{ height: String(Number(unheld.height) - turn), cursor: `${turn + 1}-${id('state_hash')}` },
    ...{ memo: id('memo'), nanomina: String(turn) },
  }
}

/** The value of an option, another one in each turn as far as there are as many; in turn 0 the one that costs most. */
function textOf(option: QueryOption, turn: number, values: ReturnType<typeof strangers>): string {
  if (option.kind !== 'count' && option.kind !== 'number') return values[option.kind]
  const min = option.kind === 'count' ? 1 : option.min
  return String(option.max - (turn % (option.max - min + 1)))
}

function targetOf(asks: string, path: string, options: readonly QueryOption[] = []) {
  /** @param held values that somebody has */
  const target = (turn: number, held: { readonly cursor?: string } = {}): string => {
    const values = { ...strangers(turn), ...held }
    const query = options.map((option) => [option.name, textOf(option, turn, values)])
    return filledPath(path, values) + queryText(Object.fromEntries(query))
  }
  return { asks, target }
}

const reads = endpoints.filter(({ method }) => method === 'GET')

/** One for each GET, and a second one with all its options; each with the name of its answer. */
export const targets: readonly ReturnType<typeof targetOf>[] = [
  ...reads.map(({ name, path }) => targetOf(`attack ${name}`, path)),
  ...reads.flatMap(({ name, path, options }) =>
    options === undefined ? [] : [targetOf(`attack ${name} with options`, path, options)],
  ),
  { asks: 'attack final blocks', target: (turn) => `/blocks/height/${2 + turn}` },
]
