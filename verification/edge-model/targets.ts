// The requests of an attacker who wants each to cost the node something: every GET of the service, with ids that nobody has
// and with options that no cache has seen.
import { filledPath, queryText } from '../../shared/contract/parameters.ts'
import type { Kind, QueryDeclaration } from '../../shared/contract/query/kinds.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { strangersInPath, strangerText } from '../strangers.ts'

function targetOf(asks: string, path: string, options: QueryDeclaration = {}) {
  /** @param held values of options that somebody has */
  const target = (turn: number, held: { readonly [Each in Kind]?: string } = {}): string => {
    const query = Object.entries(options).map(([name, option]) => [
      name,
      held[option.kind] ?? strangerText(option, turn),
    ])
    return filledPath(path, strangersInPath(turn)) + queryText(Object.fromEntries(query))
  }
  return { asks, target }
}

const reads = endpoints.filter(({ method }) => method === 'GET')

/** One for each GET, and a second one with all its options; each with the name of its answer. */
export const targets: readonly ReturnType<typeof targetOf>[] = [
  ...reads.map(({ name, path }) => targetOf(`attack ${name}`, path)),
  ...reads.flatMap(({ name, path, query }) =>
    query === undefined ? [] : [targetOf(`attack ${name} with options`, path, query.options)],
  ),
  { asks: 'attack final blocks', target: (turn) => `/blocks/height/${2 + turn}` },
]
