// Which questions nodes refuse as unknown: another version of a node may lack a field. Each function knows how its own questions
// end, and this asks for those of others.
import { isUnknownQuery } from '../../upstream/node-errors.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { Variables } from '../../upstream/wire.ts'
import type { ChainView } from '../port.ts'

/** The pause before a node is asked again. */
const keptMs = 600_000

type Questions = readonly (readonly [Operation, Variables])[]

/** What a node refuses. A call without an answer changes nothing. */
async function refusalsOf(
  chain: ChainView,
  node: number,
  questions: Questions,
  limitMs: number,
): Promise<ReadonlySet<string>> {
  const names = new Set(await chain.keptRefusals.get(node)?.names)
  await Promise.all(
    questions.map(async ([operation, variables]) => {
      const { reply } = await chain.call(node, operation, variables, { why: 'confirm', limitMs, isProbe: true })
      if (reply?.errors.some(isUnknownQuery)) names.add(operation.name)
      else if (reply?.data) names.delete(operation.name)
    }),
  )
  return names
}

/**
 * Puts questions to nodes that answer, each node once in ten minutes, and holds nothing against them for it.
 *
 * @param nodes by index
 * @param limitMs the time that each question has
 * @returns the names of those that one of the nodes refuses, in their order
 */
export async function refusedQuestions(
  chain: ChainView,
  nodes: readonly number[],
  questions: Questions,
  limitMs: number,
): Promise<readonly string[]> {
  const { keptRefusals } = chain
  const now = chain.lastingMs()
  for (const node of nodes) {
    const kept = keptRefusals.get(node)
    if (kept !== undefined && now - kept.at < keptMs) continue
    keptRefusals.set(node, { at: now, names: refusalsOf(chain, node, questions, limitMs) })
  }
  const refused = await Promise.all(nodes.map(async (node) => (await keptRefusals.get(node)?.names) ?? new Set()))
  return questions.map(([{ name }]) => name).filter((name) => refused.some((names) => names.has(name)))
}
