// Asks every node at once, with a short time limit.
import { isRefusedLoad } from '../../upstream/node-query.ts'
import type { Operation } from '../../upstream/operation.ts'
import { type AnsweredAtTip, answersAtTip, type Outcome } from '../outcome.ts'
import type { ChainView } from '../port.ts'

interface AnswersOfEach<Data> {
  /** The nodes of the network, by index, that gave a GraphQL answer, even if it says only that they are starting. */
  readonly answering: readonly number[]
  /** The readable answers of the network's nodes, in the order of the settings. */
  readonly answers: readonly AnsweredAtTip<Data>[]
}

/**
 * Puts a question without variables to every node.
 *
 * @param limitMs the time that each node has
 */
export async function askEach<Data>(
  chain: ChainView,
  operation: Operation<Data>,
  limitMs: number,
): Promise<AnswersOfEach<Data>> {
  const calls = await Promise.all(
    [...chain.nodes.keys()].map((node) => chain.call(node, operation, {}, { why: 'confirm', limitMs })),
  )
  // A node that answered first may turn out to be of another network only once one listed before it has answered.
  const ofNetwork = calls.filter(({ node }) => chain.nodeStatus(node) !== 'foreign')
  const hasAnswered = ({ reply }: Outcome) =>
    reply !== undefined && !isRefusedLoad(reply) && (reply.data !== undefined || reply.errors.length > 0)
  const answering = ofNetwork.filter(hasAnswered).map(({ node }) => node)
  return { answering, answers: ofNetwork.flatMap(answersAtTip<Data>) }
}
