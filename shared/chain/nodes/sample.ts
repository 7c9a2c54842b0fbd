// A shared address is a place that answers up to three times, since another daemon may answer each time. Whoever asks gets a list
// of answers with their tips, as from several nodes, and does not learn which it was.
import { nodeBusy } from '../../upstream/errors.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { Variables } from '../../upstream/wire.ts'
import { held } from '../actions/ask.ts'
import { tipHeightOf } from '../decide.ts'
import type { Answered } from '../outcome.ts'
import type { ChainView } from '../port.ts'

/** Three answers sample a shared address well enough. */
export const sampleSize = 3

/** The most answers that one place gives to a question whose first answers do not decide. */
export const answersPerPlace = ({ isShared }: Pick<ChainView, 'isShared'>): number => (isShared ? sampleSize : 1)

const byHeight = <Answer extends Answered<unknown>>(answers: readonly Answer[]): readonly Answer[] =>
  answers.toSorted((left, right) => tipHeightOf(right) - tipHeightOf(left))

/**
 * Puts a question for something that may not exist. A daemon that lacks it may have stopped before it came, so it counts as
 * absent only where each answer of the sample says so, and one of them is as high as any that was seen.
 *
 * @param again the variables of the further questions, where those may ask for less
 * @returns the answers that have the thing before those that lack it, each of them by their heights; at least one
 * @throws WireError when no answer fits; `busy` where an absence is not certain
 */
export async function sample<Data>(
  chain: ChainView,
  operation: Operation<Data>,
  variables: Variables,
  again = variables,
): Promise<readonly [Answered<Data | undefined>, ...Answered<Data | undefined>[]]> {
  const lacks = ({ data }: Answered<Data | undefined>) => data === undefined || operation.lacks?.(data) === true
  const [first, ...superseded] = await chain.answers(operation, variables)
  if (answersPerPlace(chain) === 1 || !lacks(first)) return [first, ...superseded]
  const repeats = Array.from({ length: sampleSize - 1 }, () => chain.answers(operation, again))
  const ended = await Promise.allSettled(repeats)
  const answers = [first, ...ended.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))]
  const [found, ...others] = byHeight(answers.filter((answer) => !lacks(answer)))
  const [lacking = first, ...absences] = byHeight(answers.filter(lacks))
  if (found !== undefined) return [found, ...others, lacking, ...absences]
  const failure = ended.find((each) => each.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  if (chain.isStaleHeight(tipHeightOf(lacking)))
    throw nodeBusy(`${operation.name}: not found, but no daemon is at a height that was seen`)
  return [lacking, ...absences]
}

/**
 * The best answer of a sample, to a question whose answer itself says that something is absent.
 *
 * @throws WireError as `sample`, and `unreadable` for words that it is not found
 */
export async function askSample<Data>(
  chain: ChainView,
  operation: Operation<Data>,
  variables: Variables,
  again = variables,
): Promise<Answered<Data>> {
  const [best] = await sample(chain, operation, variables, again)
  return held(operation, best)
}
