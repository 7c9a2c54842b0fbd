// The requests of an attacker who wants each to cost the node something: every GET of the service, with ids that nobody has
// and with options that no cache has seen.
import { filledPath, queryText } from '../../shared/contract/parameters.ts'
import type { Kind, QueryDeclaration } from '../../shared/contract/query/kinds.ts'
import { type EndpointName, endpoints } from '../../shared/endpoints/all.ts'
import { getBlocksBefore } from '../../shared/endpoints/get-blocks-before.ts'
import { unheldInPath, unheldText } from '../unheld-values.ts'

/** Cursors of real blocks: of one that only an indexer has, and of one that the node has. */
export type HeldCursors = Readonly<Record<'old' | 'recent', string>>

interface Attacked {
  readonly endpoint: { readonly name: EndpointName; readonly path: string }
  readonly options?: QueryDeclaration
  readonly age?: keyof HeldCursors
}

function targetOf(asks: string, { endpoint, options = {}, age = 'old' }: Attacked) {
  /** @param held without them nobody has the cursors, which the edge cannot tell from real ones */
  const target = (turn: number, held?: HeldCursors): string => {
    const cursor = held && { cursor: held[age] }
    const known: { readonly [Each in Kind]?: string } = { ...cursor }
    const query = Object.entries(options).map(([name, option]) => [
      name,
      known[option.kind] ?? unheldText(option, turn),
    ])
    return filledPath(endpoint.path, { ...unheldInPath(turn), ...cursor }) + queryText(Object.fromEntries(query))
  }
  return { asks, of: endpoint.name, target }
}

const reads = endpoints.filter(({ method }) => method === 'GET')

/** One for each GET, and a second one with all its options; each with the name of its answer. */
export const targets: readonly ReturnType<typeof targetOf>[] = [
  ...reads.map((endpoint) => targetOf(`attack ${endpoint.name}`, { endpoint })),
  ...reads.flatMap((endpoint) => {
    const { name, query } = endpoint
    return query === undefined ? [] : [targetOf(`attack ${name} with options`, { endpoint, options: query.options })]
  }),
  targetOf('attack recent pages of blocks', { endpoint: getBlocksBefore, age: 'recent' }),
  { asks: 'attack final blocks', of: 'getBlockAtHeight', target: (turn) => `/blocks/height/${2 + turn}` },
]
