// Behind a shared address each answer may come from another daemon, so a question that decides something is asked up to three times
// there. The answers are judged by their tips, like those of separate nodes.
import { nodeBusy } from '../../upstream/errors.ts'
import { nodeTipQuery } from '../../upstream/node-query.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { NodePort } from '../../upstream/query.ts'
import type { Variables } from '../../upstream/wire.ts'
import { held } from '../actions/ask.ts'
import { tipHeightOf } from '../decide.ts'
import type { Answered } from '../outcome.ts'
import type { CallTerms, ChainView } from '../port.ts'

/** Three answers sample a shared address well enough. */
export const sampleSize = 3

/** @throws RangeError for an index without a node */
export function portAt({ nodes }: Pick<ChainView, 'nodes'>, node: number): NodePort {
  const port = nodes[node]
  if (port === undefined) throw new RangeError(`node index ${node} is out of range`)
  return port
}

/** How often one question may be asked at an address. */
export const answersOf = (place: NodePort | undefined): number => (place?.sharedAddress ? sampleSize : 1)

/**
 * How often each address may be asked one question whose first answer does not settle it. Several listed nodes are asked once each,
 * and the best answer is chosen.
 */
export const answersPerPlace = ({ nodes }: ChainView): number => (nodes.length === 1 ? answersOf(nodes[0]) : 1)

/** The terms of an additional call. A listed node gets two seconds, because it may be down. */
export const termsBeside = (chain: ChainView): CallTerms =>
  answersPerPlace(chain) > 1 ? { why: 'confirm' } : { why: 'confirm', limitMs: 2000 }

const lacks = <Data>(operation: Operation<Data>, { data }: Answered<Data | undefined>): boolean =>
  data === undefined || operation.lacks?.(data) === true

/**
 * Puts a question for something that may not exist. A daemon that lacks it may have stopped before it came, so it counts as
 * absent only if every answer of the sample lacks it. Where such answers carry no tip, the tip is asked separately.
 *
 * @param again the variables of the further questions, where those may ask for less
 * @returns the answer with the highest tip among those that have it, otherwise among all
 * @throws WireError when no answer can be read, or when one of the answers needed to prove an absence fails
 */
export async function sample<Data>(
  chain: ChainView,
  operation: Operation<Data>,
  variables: Variables,
  again = variables,
): Promise<Answered<Data | undefined>> {
  const first = await chain.request(operation, variables)
  if (answersPerPlace(chain) === 1 || !lacks(operation, first)) return first
  const asked = Array.from({ length: sampleSize - 1 }, () => chain.request(operation, again))
  // A round-robin balancer sends the question to every daemon only if the tip is asked last.
  const tipAlone = async () => ({ ...(await chain.request(nodeTipQuery, {})), data: undefined })
  if (operation.withTip !== undefined) asked.push(tipAlone())
  const ended = await Promise.allSettled(asked)
  const answers = [first, ...ended.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))]
  const rank = (answer: Answered<Data | undefined>) => Number(lacks(operation, answer))
  const [best = first] = answers.toSorted(
    (left, right) => rank(left) - rank(right) || tipHeightOf(right) - tipHeightOf(left),
  )
  const failure = ended.find((each) => each.status === 'rejected')
  if (failure !== undefined && lacks(operation, best)) throw failure.reason
  return best
}

/**
 * The best answer of a sample, to a question whose answer itself can say that something is absent. An absence is accepted only if
 * one of the answers is at least as high as every tip seen before.
 *
 * @throws WireError as `sample`; `busy` where an absence is not certain, and `unreadable` for words that it is not found
 */
export async function askSample<Data>(
  chain: ChainView,
  operation: Operation<Data>,
  variables: Variables,
  again = variables,
): Promise<Answered<Data>> {
  const best = await sample(chain, operation, variables, again)
  if (answersPerPlace(chain) > 1 && lacks(operation, best) && chain.isStaleHeight(tipHeightOf(best)))
    throw nodeBusy(`${operation.name}: not found, but no daemon is at a height that was seen`)
  return held(operation, best)
}
