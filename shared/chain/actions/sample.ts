// Questions for things that may not exist. Behind a shared address the answers of a sample are judged by their tips, like those of
// separate nodes.
import { nodeBusy } from '../../upstream/errors.ts'
import { nodeTipQuery } from '../../upstream/node-query.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { Variables } from '../../upstream/wire.ts'
import { attemptsPerAddress, sampleSize } from '../address.ts'
import { tipHeightOf } from '../decide.ts'
import type { Answered } from '../outcome.ts'
import type { ChainView } from '../port.ts'
import { requireFound } from './ask.ts'

const isNotFound = <Data>(operation: Operation<Data>, { data }: Answered<Data | undefined>): boolean =>
  data === undefined || operation.lacks?.(data) === true

/**
 * Asks for something that may not exist. One daemon may be stuck below the height of the thing, so a single "not found" proves
 * nothing: only a sample whose every answer says so does. Where such answers carry no tip, the tip is asked separately.
 *
 * @param again the variables of the further questions, if those may ask for less
 * @returns the answer with the highest tip among those that found it, otherwise among all
 * @throws WireError when no answer can be read, or when one of the answers needed to prove an absence fails
 */
export async function sample<Data>(
  chain: ChainView,
  operation: Operation<Data>,
  variables: Variables,
  again = variables,
): Promise<Answered<Data | undefined>> {
  const first = await chain.request(operation, variables)
  if (attemptsPerAddress(chain) === 1 || !isNotFound(operation, first)) return first
  const asked = Array.from({ length: sampleSize - 1 }, () => chain.request(operation, again))
  // A round-robin balancer sends the question to every daemon only if the tip is asked last.
  const tipAlone = async () => ({ ...(await chain.request(nodeTipQuery, {})), data: undefined })
  if (operation.withTip !== undefined) asked.push(tipAlone())
  const settled = await Promise.allSettled(asked)
  const answers = [first, ...settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))]
  const best = answers.reduce((left, right) => {
    const order = Number(isNotFound(operation, left)) - Number(isNotFound(operation, right))
    return (order || tipHeightOf(right) - tipHeightOf(left)) > 0 ? right : left
  })
  const failure = settled.find((each) => each.status === 'rejected')
  if (failure !== undefined && isNotFound(operation, best)) throw failure.reason
  return best
}

/**
 * The best answer of a sample, to a question whose answer itself can say that something is absent. An absence is accepted only if
 * one of the answers is at least as high as every tip seen before.
 *
 * @throws WireError as `sample`; `busy` if an absence is not certain, and `unreadable` for a "not found" in words
 */
export async function askSample<Data>(
  chain: ChainView,
  operation: Operation<Data>,
  variables: Variables,
  again = variables,
): Promise<Answered<Data>> {
  const best = await sample(chain, operation, variables, again)
  if (attemptsPerAddress(chain) > 1 && isNotFound(operation, best) && chain.isStaleHeight(tipHeightOf(best)))
    throw nodeBusy(`${operation.name}: not found, but no daemon is at a height that was seen`)
  return requireFound(operation, best)
}
