// Puts a question to every node that can be reached, unless the first answer is enough.
import { WireError } from '../../upstream/errors.ts'
import type { NodeLabel } from '../../upstream/query.ts'
import type { Driver } from '../driver.ts'
import { isForeign, nodeAt } from '../network-state.ts'
import { isUnsupported } from '../node-state.ts'
import type { AskNode, Surveyed, SurveyQuestion } from '../port.ts'

/** The time of a question to a node beside the first one, which may be dead. */
const briefMs = 2000

/** The other answers behind one address: three together are about as good as one of each daemon. */
const repeats = 2

interface Heard<Data> {
  readonly node: number
  readonly data: Data
  readonly label: NodeLabel
}

/**
 * Asks the best node, and the others, or the same address again, where its answer is not enough. Of several nodes, those
 * that do not answer are passed over, and so are those of another network.
 *
 * @throws WireError when no node answers, or not each time behind one address
 */
export async function survey<Data>(
  { operation, variables, isEnough }: SurveyQuestion<Data>,
  driver: Driver,
  ask: AskNode,
): Promise<readonly Surveyed<Data>[]> {
  const { shared } = driver
  const surveyed = ({ node, data, label }: Heard<Data>): Surveyed<Data> => ({
    node,
    data,
    tip: label,
    isAtTip: label.height >= shared.state.greatestHeight,
  })
  const { node, data, label } = await ask(operation, variables)
  if (data === undefined || label === undefined) {
    throw new WireError('busy', `${operation.name}: the node shows no tip`)
  }
  const first: Heard<Data> = { node, data, label }
  if (isEnough(surveyed(first))) return [surveyed(first)]

  const isOut = (index: number) =>
    isForeign(shared.state, index) || isUnsupported(nodeAt(shared.state, index), shared.clock.now())
  const asked = new Set([node])
  const unasked = () => [...shared.nodes.keys()].filter((index) => !asked.has(index) && !isOut(index))
  const askOne = async (index: number): Promise<readonly Heard<Data>[]> => {
    asked.add(index)
    const terms = { why: 'confirm', ...(!driver.isShared && { limitMs: briefMs }) } as const
    const outcome = await driver.ask(index, operation, variables, terms)
    // Behind one address, fewer answers would say too little about its daemons.
    if (outcome.kind === 'failure' && driver.isShared) throw outcome.error
    // It is asked once more if a later answer shows that it is of the network.
    if (isForeign(shared.state, index)) asked.delete(index)
    if (outcome.kind === 'failure' || outcome.label === undefined) return []
    return [{ node: index, data: outcome.data as Data, label: outcome.label }]
  }
  const heard = [first]
  let others = driver.isShared ? Array.from({ length: repeats }, () => node) : unasked()
  // A first listed node that answers only now may show which of the others are of its network, and which are not.
  for (; others.length > 0; others = unasked()) heard.push(...(await Promise.all(others.map(askOne))).flat())
  const known = heard.filter((answer) => !isForeign(shared.state, answer.node))
  if (known.length === 0) throw new WireError('busy', `${operation.name}: no node is of the network`)
  return known.map(surveyed)
}
