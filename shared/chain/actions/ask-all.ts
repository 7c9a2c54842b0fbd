// Puts a question to every node that can be reached, unless the first answer is enough.
import { nodeBusy } from '../../upstream/errors.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { Variables } from '../../upstream/wire.ts'
import type { Exchange, PlacedAnswer } from '../port.ts'

/** The time of a question to a node beside the first one, which may be dead. */
const briefMs = 2000

/** Further answers from one address: three in all are about as good as one from each daemon. */
const repeats = 2

/** The times that one address is asked again because its other answers show a tip that was not read. */
const maxRereadings = 2

/** One node's answer. One that shares its address answers several times. */
export interface NodeAnswer<Data> extends PlacedAnswer<Data> {
  /** No answer has shown a greater height: it tells of the chain as it is, not as it was. */
  readonly isAtTip: boolean
  readonly of: 'question' | 'repeat' | 'rereading'
}

interface Asked<Data> {
  readonly operation: Operation<Data>
  readonly variables: Variables
}

export interface QuestionToAll<Data> extends Asked<Data> {
  /** Put in place of the question once it is answered, to the other nodes behind one address: for pools and tip, say. */
  readonly repeat?: Asked<Data>
  /**
   * Put where those answers show another tip; absent if the answer does not depend on the tip.
   *
   * @param behind number of blocks by which the highest tip that was read lies below the highest that was shown
   * @returns undefined where nothing more may be read
   */
  readonly rereading?: (behind: number) => Asked<Data> | undefined
  /** @param answers to the first question: the one that counts, then those that it superseded */
  isEnough(answers: readonly NodeAnswer<Data>[]): boolean
}

type Given<Data> = Omit<NodeAnswer<Data>, 'isAtTip'>

/**
 * The height of the highest tip that a repeated question showed and no other answer has, above the highest that was read.
 *
 * @returns undefined where there is none, or only lower ones
 */
function unreadAbove(given: readonly Given<unknown>[]): number | undefined {
  const read = given.filter((each) => each.of !== 'repeat').map(({ tip }) => tip)
  const height = Math.max(...read.map((tip) => tip.height))
  const isRead = (stateHash: string) => read.some((tip) => tip.stateHash === stateHash)
  const unread = given.filter(({ tip }) => tip.height >= height && !isRead(tip.stateHash))
  return unread.length === 0 ? undefined : Math.max(...unread.map(({ tip }) => tip.height)) - height
}

/** False once a node that gave one of the answers has turned out to be of another network. */
export const areOfNetwork = (exchange: Exchange, answers: readonly { readonly node: number }[]): boolean =>
  answers.every(({ node }) => exchange.nodeStatus(node) !== 'foreign')

/**
 * Asks the best node, and the others, or the same address again, where its answer is not enough. Of several nodes, those
 * that do not answer are passed over, and so are those of another network. No answer of the request is thrown away.
 *
 * @returns the answers, the best node's first
 * @throws WireError when no node answers, or not each time behind one address
 */
export async function askAll<Data>(
  exchange: Exchange,
  { repeat, rereading, isEnough, ...question }: QuestionToAll<Data>,
): Promise<readonly NodeAnswer<Data>[]> {
  const placed = (given: Given<Data>): NodeAnswer<Data> => ({
    ...given,
    isAtTip: !exchange.isStaleHeight(given.tip.height),
  })
  const isForeign = (index: number) => exchange.nodeStatus(index) === 'foreign'
  const ofNetwork = (given: readonly Given<Data>[]) => given.filter((each) => !isForeign(each.node))
  const { name } = question.operation
  const { node, data, tip, superseded = [] } = await exchange.request(question.operation, question.variables)
  if (data === undefined || tip === undefined) throw nodeBusy(`${name}: the node shows no tip`)
  const answers: Given<Data>[] = [{ node, data, tip }, ...superseded].map((each) => ({ ...each, of: 'question' }))
  const first = ofNetwork(answers).map(placed)
  if (first.length > 0 && isEnough(first)) return first

  const asked = new Set([node])
  // A node of another network may have been upgraded since, and have it in its pool.
  const heardAgain = new Set<number>()
  const isDone = (index: number) => asked.has(index) || (heardAgain.has(index) && isForeign(index))
  const unasked = () => exchange.nodesToAsk().filter((index) => !isDone(index))
  const askOne = async (index: number, of: NodeAnswer<Data>['of'], put = question): Promise<readonly Given<Data>[]> => {
    asked.add(index)
    const terms = { why: 'confirm', ...(!exchange.isShared && { limitMs: briefMs }) } as const
    const outcome = await exchange.call(index, put.operation, put.variables, terms)
    // Behind one address, fewer answers would say too little about its daemons.
    if (outcome.kind === 'failure' && exchange.isShared) throw outcome.error
    // It is asked once more if a later answer shows that it is of the network.
    if (isForeign(index)) {
      asked.delete(index)
      heardAgain.add(index)
    }
    if (outcome.kind === 'failure' || outcome.tip === undefined) return []
    return [{ node: index, data: outcome.data as Data, tip: outcome.tip, of }]
  }
  if (exchange.isShared) {
    const again = Array.from({ length: repeats }, () => askOne(node, repeat ? 'repeat' : 'question', repeat))
    answers.push(...(await Promise.all(again)).flat())
    for (let count = 0; count < maxRereadings; count++) {
      const behind = unreadAbove(answers)
      const put = behind === undefined ? undefined : rereading?.(behind)
      if (put === undefined) break
      answers.push(...(await askOne(node, 'rereading', put)))
    }
  }
  // A first listed node that answers only now may show which of the others are of its network, and which are not.
  for (let others = unasked(); others.length > 0; others = unasked()) {
    answers.push(...(await Promise.all(others.map((index) => askOne(index, 'question')))).flat())
  }
  const known = ofNetwork(answers)
  if (known.length === 0) throw nodeBusy(`${name}: no node is of the network`)
  return known.map(placed)
}
