// The door to the chain: puts a question to its nodes or its indexer, until there is an answer.
import { WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import { count, nullable, shape, text, type Variables } from '../upstream/wire.ts'
import { lookUp, lookUpHeight } from './actions/find-block.ts'
import { Calls } from './calls.ts'
import { decide, type EndedAnswer, failureOfAll } from './decide.ts'
import { Driver } from './driver.ts'
import {
  credited,
  foundNothingFresher,
  initialState,
  isBehind,
  isBelievable,
  networkOf,
  nodeAt,
  stayedBelow,
} from './network-state.ts'
import { isDemoted } from './node-state.ts'
import type { Asked, ChainOptions, Shared } from './outside.ts'
import type { Answered, Chain, Exchange, Network, NodeAnswer } from './port.ts'

/** A daemon gathers its peers for it, and so is slow to answer. */
export const networkQuery = nodeQuery(
  'nodeNetwork',
  '',
  { daemonStatus: shape({ chainId: text, consensusConfiguration: nullable(shape({ slotDuration: count })) }) },
  { needsNoTip: true },
)

/** A hard fork changes all of it. */
const networkKeptMs = 600_000

/** The time that an answer waits for the length of a slot, and the pause before it is asked for again. */
const slotPatienceMs = 1500
const slotRetryMs = 30_000

/** @throws WireError `busy` and unsent where no node is there to ask, or all that are up refuse load */
function firstOf(driver: Driver, { operation }: Asked, calls: Calls): number {
  const { clock, state } = driver.shared
  const left = calls.left()
  const isShed = calls.spared.size > 0 && left.every((index) => isDemoted(nodeAt(state, index), clock.now()))
  const [first] = left
  if (first !== undefined && !isShed) return first
  const reason = isShed ? 'the nodes refuse load' : `no node is on the network ${networkOf(state)}`
  driver.watch?.called({ operation: operation.name, durationMs: 0, outcome: 'shed', reason })
  throw new WireError('busy', `not asked: ${reason}`, { isUnsent: true })
}

/** @throws WireError `busy` for a thing that is not found below a height that was seen */
function accepted(driver: Driver, { operation }: Asked, calls: Calls, answer: EndedAnswer): EndedAnswer {
  const { shared, watch } = driver
  const now = shared.clock.now()
  const { label, isMissing } = answer
  shared.state = credited(shared.state)
  if (answer.isStale && calls.askedFresher) shared.state = foundNothingFresher(shared.state, now)
  // The answer of a node without a tip would be the same.
  if (label !== undefined && operation.needsNoTip !== true) watch?.rests(label, answer.isBehind)
  if (label === undefined || !isBehind(shared.state, label, now)) return answer
  if (calls.usableLeft().length === 0 && isBelievable(shared.state, label, now)) {
    const { greatestHeight } = shared.state
    shared.state = stayedBelow(shared.state, label.height, now)
    if (shared.state.greatestHeight < greatestHeight) watch?.noticed('reorganised', driver.portAt(answer.node).name)
  }
  if (isMissing && answer.isBehind && label.height < shared.state.greatestHeight) {
    throw new WireError('busy', `${operation.name}: not found, but no node is at a height that was seen`)
  }
  return answer
}

/**
 * Asks the nodes until one gives an answer that is neither behind nor doubtful, within three calls, two at a time.
 *
 * @returns the best answer that came
 * @throws WireError `busy` when no node answers, and for a thing that is not found below a height that was seen
 */
async function askNodes(driver: Driver, asked: Asked): Promise<EndedAnswer & NodeAnswer<unknown>> {
  const nameOf = driver.hasSeveral ? (index: number) => driver.portAt(index).name : undefined
  const calls = new Calls(driver, asked)
  try {
    calls.start(firstOf(driver, asked, calls))
    for (;;) {
      await calls.next()
      const step = decide(calls.progress())
      if (step.do === 'give-up') throw failureOfAll(calls.finished, nameOf)
      if (step.do === 'answer') {
        const answer = accepted(driver, asked, calls, step.answer)
        return { ...answer, superseded: calls.answersBeside(answer) }
      }
      if (step.do === 'ask') calls.askAnother(step.why)
      else calls.hurry()
    }
  } finally {
    calls.finish()
  }
}

interface Kept extends Shared {
  network: (Network & { readonly genesis: string | undefined; readonly at: number }) | undefined
  slotAskedAt: number
}

function openExchange(kept: Kept, driver: Driver): Exchange {
  const { clock, indexer, scans } = kept

  async function learnSlot(): Promise<void> {
    if (clock.now() - kept.slotAskedAt < slotRetryMs) return
    await driver.within(network(), slotPatienceMs).catch((error: unknown) => {
      if (!(error instanceof WireError)) throw error
    })
    kept.slotAskedAt = clock.now()
  }

  /** @returns `data` undefined where the nodes say that they do not have the block */
  async function askNode<Data>(question: Operation<Data>, variables: Variables, isUnlabelled = false) {
    const asked = { operation: question, variables, isUnlabelled, ...(question !== networkQuery && { learnSlot }) }
    return (await askNodes(driver, asked)) as NodeAnswer<Data>
  }

  async function ask<Data>(question: Operation<Data>, variables: Variables): Promise<Answered<Data>> {
    if (question.upstream === 'indexer') {
      const outcome = await driver.askIndexer(question, variables)
      if (outcome.kind === 'failure') throw outcome.error
      return { data: outcome.data as Data, tip: undefined, answerMs: outcome.reply.answerMs }
    }
    const { data, label } = await askNode(question, variables)
    if (data === undefined) throw new WireError('unreadable', `${question.name}: not found`)
    return { data, tip: label }
  }

  async function network(): Promise<Network> {
    const { network: known } = kept
    if (known && known.genesis === networkOf(kept.state) && clock.now() - known.at < networkKeptMs) return known
    const { data } = await ask(networkQuery, {})
    const { chainId, consensusConfiguration } = data.daemonStatus
    const slotDurationMs = consensusConfiguration?.slotDuration
    kept.network = { chainId, slotDurationMs, genesis: data.genesisBlock.stateHash, at: clock.now() }
    kept.state = { ...kept.state, slotMs: slotDurationMs }
    return kept.network
  }

  return {
    configured: { indexer: indexer !== undefined },
    scans,
    deadline: driver,
    ask,
    find: askNode,
    lookUp: (stateHash, question) => lookUp(driver, askNode, stateHash, question),
    survey: (question) => question.procedure(question, driver, askNode),
    lookUpHeight: (height, questions) => lookUpHeight(driver, askNode, height, questions),
    broadcast: (submission) => submission.procedure(submission, driver),
    network,
    end: driver.end,
  }
}

/**
 * The chain over its nodes and, where there is one, its indexer. What an instance learns of them is kept in it.
 *
 * @throws RangeError without a node
 */
export function createChain(options: ChainOptions): Chain {
  const { nodes, random, genesisStateHash } = options
  if (nodes.length === 0) throw new RangeError('a chain without a node')
  const kept: Kept = {
    ...options,
    state: initialState(nodes.length, random(), genesisStateHash),
    checks: new Map(),
    network: undefined,
    slotAskedAt: Number.NEGATIVE_INFINITY,
  }
  return { exchange: ({ deadline, watch }) => openExchange(kept, new Driver(kept, deadline, watch)) }
}
