// Which failure is right, by how the answer of an upstream fails and by what hangs on it.
import { at, isObject, textOf } from '../exact-json.ts'
import type { Fault } from '../fault.ts'
import type { Exchange } from '../setting/fault-server.ts'
import type { Scenario } from '../setting/scenarios.ts'
import { bodyOf } from './answer-form.ts'

const errorsIn = (body: unknown): readonly unknown[] => [at(body, 'errors') ?? []].flat()

/** True if the service got what the upstream said. */
export function isTrue({ delivered, json }: Exchange): boolean {
  if (delivered.state !== 'answer' || delivered.isTooLong) return false
  const body = bodyOf(delivered)
  const isSame = (read: (answer: unknown) => unknown) => JSON.stringify(read(body)) === JSON.stringify(read(json))
  return isSame(errorsIn) && isSame((answer) => at(answer, 'data'))
}

const bootstrapping = /^(?:Could not obtain (?:best chain from )?transition frontier|Daemon is bootstrapping)$/

/** Words that only a node has; a gateway that refuses load has others. */
const ofDaemon = /transition frontier|^Couldn't send user command|^Transaction rejected|^Couldn't infer nonce/

/** The answers that say something of the chain which may be true of another moment, or which other answers contradict. */
const contradicting: readonly string[] = ['list', 'identity', 'account', 'mutation', 'not-found words']

function ofNode(fault: Fault, { name, delivered }: Exchange, hasWordsForLength: boolean): readonly number[] {
  const { kind, mayCountAsNone } = fault
  // What cannot be said without knowing the network waits for better times, whatever the trouble.
  if (name === 'nodeNetwork') return [503]
  if (delivered.state === 'time-out') return [504]
  if (delivered.state === 'cut' || mayCountAsNone) return [502]
  // Of several questions only those for what others make long have such words.
  if (delivered.isTooLong) return hasWordsForLength ? [502, 503] : [502]
  const body = bodyOf(delivered)
  const words = errorsIn(body).map((error) => textOf(at(error, 'message')))
  if (words.some((word) => bootstrapping.test(word))) return [503]
  const isBusy = delivered.status === 429 || delivered.status === 503
  if (isBusy && !isObject(at(body, 'data')) && !words.some((word) => ofDaemon.test(word))) return [503]
  const hasNoTip = Array.isArray(at(body, 'data', 'bestChain')) && at(body, 'data', 'bestChain', 0) === undefined
  return hasNoTip ? [503] : contradicting.includes(kind) ? [502, 503] : [502]
}

/**
 * The statuses of the failures that are right while this fault spoils this answer.
 *
 * @param hasWordsForLength whether the endpoint says of an upstream's answer that it is too long
 */
export function rightFailures(
  fault: Fault,
  spoilt: Exchange,
  scenario: Scenario,
  hasWordsForLength: boolean,
): readonly number[] {
  if (fault.upstream === 'node') return ofNode(fault, spoilt, hasWordsForLength)
  // An indexer whose answers contradict each other settles no fate.
  if (!scenario.needsIndexer) return fault.kind === 'identity' && scenario.transaction !== undefined ? [503] : []
  return contradicting.includes(fault.kind) ? [502, 503] : [503]
}
