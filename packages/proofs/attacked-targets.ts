// The requests of an attacker who wants each to cost the node something: every GET of the service, with ids that nobody has
// and with options that no cache has seen.
import { filledPath, queryText } from '../../shared/contract/parameters.ts'
import type { QueryDeclaration } from '../../shared/contract/query/kinds.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { unheldInPath, unheldText } from './unheld-values.ts'

const targetOf = (path: string, turn: number, options: QueryDeclaration = {}): string => {
  const query = Object.entries(options).map(([name, option]) => [name, unheldText(option, turn)])
  return filledPath(path, unheldInPath(turn)) + queryText(Object.fromEntries(query))
}

/** One for each GET, and a second one with all its options. @param turn another one asks for other things */
export const attackedTargets = (turn: number): readonly (readonly [asks: string, target: string])[] =>
  endpoints
    .filter(({ method }) => method === 'GET')
    .flatMap(({ name, path, query }) => [
      [name, targetOf(path, turn)] as const,
      ...(query === undefined ? [] : [[`${name} with options`, targetOf(path, turn, query.options)] as const]),
    ])
