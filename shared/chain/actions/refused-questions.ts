// Finds the questions that a node rejects because its version lacks a field. A function sees only the ends of its own
// questions, so `/health` tries those of other endpoints.
import { isUnknownQuery } from '../../upstream/node-errors.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { Variables } from '../../upstream/wire.ts'
import type { ChainView } from '../port.ts'

/** How long a result is kept. */
const keptMs = 600_000

type Questions = readonly (readonly [Operation, Variables])[]

/** The questions that one node rejects as unknown. A call that gets no answer keeps the earlier result. */
async function refusalsOf(
  chain: ChainView,
  node: number,
  questions: Questions,
  limitMs: number,
): Promise<ReadonlySet<string>> {
  const names = new Set(await chain.kept.refusals.get(node)?.names)
  await Promise.all(
    questions.map(async ([operation, variables]) => {
      const { reply } = await chain.call(node, operation, variables, {
        ...{ why: 'confirm', limitMs, isProbe: true, isRepeat: true },
      })
      if (reply?.errors.some(isUnknownQuery)) names.add(operation.name)
      else if (reply?.data) names.delete(operation.name)
    }),
  )
  return names
}

/**
 * Tries the questions on each node at most once in ten minutes. The result never affects how the node is ranked.
 *
 * @param nodes by index
 * @param limitMs time limit of each question
 * @returns the names of the questions that at least one node rejects, in the order given
 */
export async function refusedQuestions(
  chain: ChainView,
  nodes: readonly number[],
  questions: Questions,
  limitMs: number,
): Promise<readonly string[]> {
  const { refusals } = chain.kept
  const now = chain.lastingMs()
  for (const node of nodes) {
    const kept = refusals.get(node)
    if (kept !== undefined && now - kept.at < keptMs) continue
    refusals.set(node, { at: now, names: refusalsOf(chain, node, questions, limitMs) })
  }
  const refused = await Promise.all(nodes.map(async (node) => (await refusals.get(node)?.names) ?? new Set()))
  return questions.map(([{ name }]) => name).filter((name) => refused.some((names) => names.has(name)))
}
