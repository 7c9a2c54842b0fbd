// Puts a question to every node that can be reached, unless the first answer is enough.
import { WireError } from '../../upstream/errors.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { Driver } from '../driver.ts'
import { isForeign, nodeAt } from '../network-state.ts'
import { isUnsupported } from '../node-state.ts'
import type { AskNode, Labelled, Surveyed, SurveyQuestion } from '../port.ts'

/** The time of a question to a node beside the first one, which may be dead. */
const briefMs = 2000

/** The other answers behind one address: three together are about as good as one of each daemon. */
const repeats = 2

/** The further times that the whole question is put to one address whose other answers show a tip that was not read. */
const maxRereadings = 2

interface Heard<Data> extends Labelled<Data> {
  readonly isRepeat: boolean
}

/** True if a repeated question showed a tip that no answer to the whole question has shown, and that is not lower. */
function showsUnreadTip(heard: readonly Heard<unknown>[]): boolean {
  const read = heard.filter(({ isRepeat }) => !isRepeat).map(({ label }) => label)
  const height = Math.max(...read.map((label) => label.height))
  return heard.some(
    ({ label }) => label.height >= height && !read.some(({ stateHash }) => stateHash === label.stateHash),
  )
}

/**
 * Asks the best node, and the others, or the same address again, where its answer is not enough. Of several nodes, those
 * that do not answer are passed over, and so are those of another network. No answer of the request is thrown away.
 *
 * @throws WireError when no node answers, or not each time behind one address
 */
export async function survey<Data>(
  { operation, repeat = operation, variables, isEnough }: SurveyQuestion<Data>,
  driver: Driver,
  ask: AskNode,
): Promise<readonly Surveyed<Data>[]> {
  const { shared } = driver
  const surveyed = ({ node, data, label, isRepeat }: Heard<Data>): Surveyed<Data> => ({
    node,
    data,
    tip: label,
    isAtTip: label.height >= shared.state.greatestHeight,
    isRepeat,
  })
  const ofNetwork = (heard: readonly Heard<Data>[]) => heard.filter(({ node }) => !isForeign(shared.state, node))
  const { node, data, label, superseded = [] } = await ask(operation, variables)
  if (data === undefined || label === undefined) {
    throw new WireError('busy', `${operation.name}: the node shows no tip`)
  }
  const heard = [{ node, data, label }, ...superseded].map((each) => ({ ...each, isRepeat: false }))
  const first = ofNetwork(heard).map(surveyed)
  if (first.length > 0 && isEnough(first)) return first

  const isOut = (index: number) =>
    isForeign(shared.state, index) || isUnsupported(nodeAt(shared.state, index), shared.clock.now())
  const asked = new Set([node])
  const unasked = () => [...shared.nodes.keys()].filter((index) => !asked.has(index) && !isOut(index))
  const askOne = async (index: number, question: Operation<Data>): Promise<readonly Heard<Data>[]> => {
    asked.add(index)
    const terms = { why: 'confirm', ...(!driver.isShared && { limitMs: briefMs }) } as const
    const outcome = await driver.ask(index, question, variables, terms)
    // Behind one address, fewer answers would say too little about its daemons.
    if (outcome.kind === 'failure' && driver.isShared) throw outcome.error
    // It is asked once more if a later answer shows that it is of the network.
    if (isForeign(shared.state, index)) asked.delete(index)
    if (outcome.kind === 'failure' || outcome.label === undefined) return []
    return [{ node: index, data: outcome.data as Data, label: outcome.label, isRepeat: question !== operation }]
  }
  if (driver.isShared) {
    const again = Array.from({ length: repeats }, () => askOne(node, repeat))
    heard.push(...(await Promise.all(again)).flat())
    for (let count = 0; count < maxRereadings && showsUnreadTip(heard); count++) {
      heard.push(...(await askOne(node, operation)))
    }
  }
  // A first listed node that answers only now may show which of the others are of its network, and which are not.
  for (let others = unasked(); others.length > 0; others = unasked()) {
    heard.push(...(await Promise.all(others.map((index) => askOne(index, operation)))).flat())
  }
  const known = ofNetwork(heard)
  if (known.length === 0) throw new WireError('busy', `${operation.name}: no node is of the network`)
  return known.map(surveyed)
}
