// The door to the chain: several nodes and an indexer behind one port.
import { WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import { count, nullable, shape, text, type Variables } from '../upstream/wire.ts'
import { Driver } from './driver.ts'
import { lookUp } from './look-up.ts'
import type { ChainOptions } from './outside.ts'
import type { Answered, Chain, Exchange, Network } from './port.ts'
import { askNodes, type Chosen } from './question.ts'
import { initialState, networkOf } from './standing.ts'
import type { Shared } from './terms.ts'

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

interface Kept extends Shared {
  network: (Network & { readonly genesis: string | undefined; readonly at: number }) | undefined
  slotAskedAt: number
}

function openExchange(kept: Kept, driver: Driver): Exchange {
  const { clock, indexer, nodes, scans } = kept

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
    return (await askNodes(driver, asked)) as Omit<Chosen, 'data'> & { readonly data: Data | undefined }
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
    lookUp: (stateHash, question) =>
      lookUp(
        {
          ask: askNode,
          isShared: nodes.length === 1 && nodes[0]?.sharedAddress === true,
          greatestHeight: () => kept.state.greatestHeight,
        },
        stateHash,
        question,
      ),
    broadcast: (submission) => submission.procedure(submission, driver),
    network,
    end: () => driver.end(),
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
