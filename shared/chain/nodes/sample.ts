// A shared address is a place that answers up to three times, since another daemon may answer each time. Whoever asks judges answers
// by their tips, as from several nodes.
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

/** The most answers that a place gives to one question. */
export const answersOf = (place: NodePort | undefined): number => (place?.sharedAddress ? sampleSize : 1)

/**
 * The most answers of each place of a chain to a question whose first answers do not decide. Several places answer once each,
 * and the best of their answers is chosen.
 */
export const answersPerPlace = ({ nodes }: ChainView): number => (nodes.length === 1 ? answersOf(nodes[0]) : 1)

/** The terms of a call beside the answers that came: brief to a place with its own address, which may be dead. */
export const termsBeside = (chain: ChainView): CallTerms =>
  answersPerPlace(chain) > 1 ? { why: 'confirm' } : { why: 'confirm', limitMs: 2000 }

const lacks = <Data>(operation: Operation<Data>, { data }: Answered<Data | undefined>): boolean =>
  data === undefined || operation.lacks?.(data) === true

/**
 * Puts a question for something that may not exist. A daemon that lacks it may have stopped before it came, so it counts as
 * absent only where each answer of the sample says so. A tip is asked for besides where such answers come without one.
 *
 * @param again the variables of the further questions, where those may ask for less
 * @returns the highest answer that has the thing, or else the highest
 * @throws WireError when no answer fits; of those that lack it, when one fails
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
  // A balancer that goes by turn reaches each daemon with the question only if the tip's stands after it.
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
 * The best answer of a sample, to a question whose answer itself says that something is absent. That counts where one of the
 * answers is as high as any that was seen.
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
