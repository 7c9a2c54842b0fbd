// Asks every reachable node, unless the first answer is enough.
import { nodeBusy } from '../../upstream/errors.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { Variables } from '../../upstream/wire.ts'
import { attemptsPerAddress, termsBeside } from '../address.ts'
import { awaitedLater } from '../awaited-later.ts'
import { type AnsweredAtTip, answersAtTip, type Outcome } from '../outcome.ts'
import type { ChainView } from '../port.ts'

/** Extra reads of one address, each because another daemon behind it showed a tip whose blocks were not read. */
const maxRereadings = 2

/** The answers to a question to all, by what was asked. Nodes that share an address answer several times. */
export interface AnswersOfAll<Data> {
  /** The best node's first. */
  readonly whole: readonly AnsweredAtTip<Data>[]
  readonly repeated: readonly AnsweredAtTip<Data>[]
  readonly reread: readonly AnsweredAtTip<Data>[]
}

interface Asked<Data> {
  readonly operation: Operation<Data>
  readonly variables: Variables
}

interface QuestionToAll<Data> extends Asked<Data> {
  /** A lighter question to the other daemons behind one address, after the first answer: say, pools and tip only. */
  readonly repeat: Asked<Data>
  /** Sends `repeat` together with the question, if no single answer can be enough. */
  readonly isRepeatedAtOnce?: boolean
  /**
   * Asked when those answers show a tip whose blocks were not read; absent if the answer does not depend on the tip.
   *
   * @param behind number of blocks from the highest tip that was read up to the highest that was shown
   * @returns undefined if nothing more may be read
   */
  readonly rereading?: (behind: number) => Asked<Data> | undefined
  /** @param answers to the first question: the one that counts, then those that it superseded */
  isEnough(answers: readonly AnsweredAtTip<Data>[]): boolean
}

/**
 * The number of blocks between the highest tip that was read and a higher one that a repeated question showed.
 *
 * @returns undefined if every such tip was read, or is lower
 */
function unreadAbove({ whole, repeated, reread }: AnswersOfAll<unknown>): number | undefined {
  const read = [...whole, ...reread].map(({ tip }) => tip)
  const height = Math.max(...read.map((tip) => tip.height))
  const isRead = (stateHash: string) => read.some((tip) => tip.stateHash === stateHash)
  const unread = repeated.filter(({ tip }) => tip.height >= height && !isRead(tip.stateHash))
  return unread.length === 0 ? undefined : Math.max(...unread.map(({ tip }) => tip.height)) - height
}

/** False once a node that gave one of the answers has turned out to be on another network. */
export const areOfNetwork = (chain: ChainView, answers: readonly { readonly node: number }[]): boolean =>
  answers.every(({ node }) => chain.nodeStatus(node) !== 'foreign')

/**
 * Asks the best node; if its answer is not enough, also the others, or the same address again. Skips nodes that do not
 * answer or are on another network. Keeps every answer of the request.
 *
 * @throws WireError if no node answers, or a shared address fails once
 */
export async function askAll<Data>(
  chain: ChainView,
  { repeat, isRepeatedAtOnce = false, rereading, isEnough, ...question }: QuestionToAll<Data>,
): Promise<AnswersOfAll<Data>> {
  const isForeign = (index: number) => chain.nodeStatus(index) === 'foreign'
  const ofNetwork = (given: readonly AnsweredAtTip<Data>[]) => given.filter(({ node }) => !isForeign(node))
  const { name } = question.operation
  let again: Promise<readonly Outcome[]> | undefined
  const askAgain = (node: number) => {
    const ask = () => chain.call(node, repeat.operation, repeat.variables, termsBeside(chain))
    // Nobody awaits them if the question itself fails.
    again = awaitedLater(Promise.all(Array.from({ length: attemptsPerAddress(chain) - 1 }, ask)))
    return again
  }
  const options = isRepeatedAtOnce ? { onSent: askAgain } : {}
  const [best, ...superseded] = await chain.answers(question.operation, question.variables, options)
  const { node, data, tip } = best
  if (data === undefined || tip === undefined) throw nodeBusy(`${name}: the node shows no tip`)
  const whole: AnsweredAtTip<Data>[] = [{ node, data, tip }, ...superseded]
  const repeated: AnsweredAtTip<Data>[] = []
  const reread: AnsweredAtTip<Data>[] = []
  const first = ofNetwork(whole)
  if (first.length > 0 && isEnough(first)) return { whole: first, repeated, reread }

  const asked = new Set([node])
  // A node on another network may have been upgraded since.
  const heardAgain = new Set<number>()
  const isDone = (index: number) => asked.has(index) || (heardAgain.has(index) && isForeign(index))
  const unasked = () => chain.nodesToAsk().filter((index) => !isDone(index))
  const askOne = async (index: number, put: Asked<Data> = question): Promise<readonly AnsweredAtTip<Data>[]> => {
    asked.add(index)
    const outcome = await chain.call(index, put.operation, put.variables, termsBeside(chain))
    // Behind one address, fewer answers would say too little about its daemons.
    if (outcome.kind === 'failure' && put !== question) throw outcome.error
    // It is asked once more if a later answer shows that it is on the network.
    if (isForeign(index)) {
      asked.delete(index)
      heardAgain.add(index)
    }
    return answersAtTip(outcome)
  }
  const answersAgain = await (again ?? askAgain(node))
  const failure = answersAgain.find((outcome) => outcome.kind === 'failure')
  if (failure !== undefined) throw failure.error
  repeated.push(...answersAgain.flatMap(answersAtTip<Data>))
  for (let count = 0; count < maxRereadings; count++) {
    const behind = unreadAbove({ whole, repeated, reread })
    const put = behind === undefined ? undefined : rereading?.(behind)
    if (put === undefined) break
    reread.push(...(await askOne(node, put)))
  }
  // If the first listed node answers only now, its network decides which of the others count.
  for (let others = unasked(); others.length > 0; others = unasked()) {
    whole.push(...(await Promise.all(others.map((index) => askOne(index)))).flat())
  }
  const known = { whole: ofNetwork(whole), repeated: ofNetwork(repeated), reread: ofNetwork(reread) }
  if (Object.values(known).every(({ length }) => length === 0)) throw nodeBusy(`${name}: no node is of the network`)
  return known
}
