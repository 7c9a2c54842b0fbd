// Asks every node at once, and gives each a short time.
import type { Operation } from '../../upstream/operation.ts'
import type { Exchange, PlacedAnswer } from '../port.ts'

export interface AnswersOfEach<Data> {
  /** Number of nodes of the network that gave a GraphQL answer, even if it says only that they are starting. */
  readonly answering: number
  /** The readable answers of the network's nodes, in the order of the settings. */
  readonly answers: readonly PlacedAnswer<Data>[]
}

/**
 * Puts a question without variables to every node.
 *
 * @param limitMs the time that each node has
 */
export async function askEach<Data>(
  exchange: Exchange,
  operation: Operation<Data>,
  limitMs: number,
): Promise<AnswersOfEach<Data>> {
  const outcomes = await Promise.all(
    [...exchange.nodes.keys()].map(async (node) => {
      const outcome = await exchange.call(node, operation, {}, { why: 'confirm', limitMs })
      return { node, outcome }
    }),
  )
  // A node that answered first may turn out to be of another network only once one listed before it has answered.
  const ofNetwork = outcomes.filter(({ node }) => exchange.nodeStatus(node) !== 'foreign')
  const hasAnswered = ({ outcome }: (typeof outcomes)[number]) => {
    const { reply } = outcome
    return reply !== undefined && (reply.data !== undefined || reply.errors.length > 0)
  }
  return {
    answering: ofNetwork.filter(hasAnswered).length,
    answers: ofNetwork.flatMap(({ node, outcome }) =>
      outcome.kind === 'answer' && outcome.tip !== undefined
        ? [{ node, data: outcome.data as Data, tip: outcome.tip }]
        : [],
    ),
  }
}
