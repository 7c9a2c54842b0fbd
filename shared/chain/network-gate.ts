// Learns which network the nodes are on, for one request: by their genesis blocks, by pinned chain ids, and which of several
// pinned networks counts. It also learns the length of a slot, which decides how old a tip is.
import { nodeBusy, WireError } from '../upstream/errors.ts'
import { lacksNames, networkCheck, networkQuery, nodeTipQuery } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Deadline } from '../upstream/query.ts'
import type { Variables, Wire } from '../upstream/wire.ts'
import type { Instant } from './instant.ts'
import {
  describedNetwork,
  isForeign,
  isNetworkInDoubt,
  isNetworkInDoubtForBroadcasts,
  isOtherNetworkFresh,
  isPinStale,
  mustAskForPins,
  needsChainId,
  needsSlotForPins,
  nodeAt,
  othersToLookAt,
  unknownBefore,
} from './network-state.ts'
import { needsCheck } from './node-state.ts'
import type { Outcome } from './outcome.ts'
import type { Answered, Clock, Watch } from './port.ts'
import type { ChainEvent, ChainState } from './state.ts'
import { within } from './within.ts'

/** The request as the gate sees it. */
export interface GateHost extends Deadline {
  /** Changed by `learn` only. */
  readonly state: ChainState
  readonly watch: Watch | undefined
  /** True once the request has ended. */
  readonly isOver: boolean
  readonly elapsed: Clock['elapsed']
  instant(): Instant
  learn(event: ChainEvent): void
  request<Data>(operation: Operation<Data>, variables: Variables): Promise<Answered<Data>>
  /** Asks one node about its network, without judging the node by it. */
  askNetwork(node: number, operation: Operation): Promise<Outcome>
}

/** `abandoned` if the request that asked ended first. */
type CheckEnd = 'ended' | 'abandoned'

/** The questions in progress, by node. All requests of an instance share them. */
export interface NetworkQuestions {
  readonly checks: Map<number, Promise<CheckEnd>>
  readonly chainIds: Map<number, Promise<void>>
}

/** The time that an answer waits for the length of a slot, and the pause before it is asked for again. */
const slotPatienceMs = 1500
const slotRetryMs = 30_000

/** The time that a read waits for the nodes' networks, once in ten seconds until the last pinned one counts. */
const pinPatienceMs = 1500

/** The time that an answer or a broadcast waits for a node's chain id: `daemonStatus` may be slow, or never answer. */
const chainIdPatienceMs = 1000

type NetworkAnswer = Wire<typeof networkQuery.data>

export class NetworkGate {
  readonly #host: GateHost
  readonly #asking: NetworkQuestions

  constructor(host: GateHost, asking: NetworkQuestions) {
    this.#host = host
    this.#asking = asking
  }

  /** True if every node must be asked for its network before a question: another pinned one may count by now. */
  get mustAskForPins(): boolean {
    return mustAskForPins(this.#host.state, this.#host.instant())
  }

  async askForPins(patienceMs = pinPatienceMs): Promise<void> {
    const nodes = [...this.#host.state.nodes.keys()]
    await Promise.all(nodes.map((node) => within(this.#host, this.#sharedCheck(node), patienceMs)))
    this.#host.learn({ type: 'pins-asked' })
  }

  /**
   * After an answer: learns what it describes, then judges the network that it is from.
   *
   * @throws WireError `busy` where a node that is out of reach may be on a later pinned network
   */
  async afterAnswer(operation: Operation, data: unknown): Promise<void> {
    const { watch } = this.#host
    // Before the network is judged: how old a tip is depends on it.
    if (operation === (networkQuery as Operation) && data !== undefined) this.#describe(data as NetworkAnswer)
    this.#requireNetwork(isNetworkInDoubt)
    await this.#lookAtOthers()
    if (isPinStale(this.#host.state)) watch?.pinIsStale()
    if (isOtherNetworkFresh(this.#host.state, this.#host.instant())) watch?.otherNetworkIsFresh()
  }

  /** Learns which network a node is on, by its genesis block and a pinned chain id, where that is not known. */
  async learnNetwork(node: number, patienceMs: number): Promise<void> {
    const host = this.#host
    if (!needsCheck(nodeAt(host.state, node), host.instant(), isForeign(host.state, node))) {
      await within(host, this.learnChainId(node), patienceMs)
      return
    }
    const until = host.elapsed() + Math.min(patienceMs, host.timeLeftMs())
    const leftMs = () => until - host.elapsed()
    // A check that ended with the request that asked is made again.
    while (leftMs() > 0) if ((await within(host, this.#sharedCheck(node), leftMs())) !== 'abandoned') return
  }

  /** See `BroadcastExchange`. */
  async learnPinnedNetwork(patienceMs: number): Promise<void> {
    if (this.mustAskForPins) await this.askForPins(patienceMs)
    if (needsSlotForPins(this.#host.state, this.#host.instant())) await this.learnSlot()
    this.#requireNetwork(isNetworkInDoubtForBroadcasts)
  }

  /** Learns the network where a node listed before this one decides which it is. */
  async learnEarlier(node: number, patienceMs: number): Promise<void> {
    const { state } = this.#host
    const until = this.#host.elapsed() + patienceMs
    for (const earlier of unknownBefore(state, node)) {
      await this.learnNetwork(earlier, until - this.#host.elapsed())
      if (nodeAt(this.#host.state, earlier).genesis !== undefined) return
    }
  }

  /**
   * Learns a node's chain id, if one is pinned, and waits a short time: without an answer the node counts by its genesis
   * block. Requests share the question while it is in progress.
   */
  async learnChainId(node: number): Promise<void> {
    const { chainIds } = this.#asking
    if (!chainIds.has(node) && !needsChainId(this.#host.state, node, this.#host.instant())) return
    const asking = chainIds.get(node) ?? this.#askChainId(node).finally(() => chainIds.delete(node))
    chainIds.set(node, asking)
    await within(this.#host, asking, chainIdPatienceMs)
    // A question that ended with its request had no time for an answer.
    if (this.#host.timeLeftMs() > 0) this.#host.learn({ type: 'chain-id-asked', node })
  }

  /** Learns the length of a slot, where it decides whether a tip is old. */
  async learnSlot(): Promise<void> {
    const host = this.#host
    if (host.instant().nowMs - host.state.slotAskedAt < slotRetryMs) return
    if (describedNetwork(host.state, host.instant())?.isFresh !== true) {
      await within(host, host.request(networkQuery, {}), slotPatienceMs).catch((error: unknown) => {
        if (!(error instanceof WireError)) throw error
      })
    }
    host.learn({ type: 'slot-asked' })
  }

  /**
   * Asks a node which network it is on: for its tip, where that decides if the network counts. A failure changes nothing, so
   * that whoever needs the answer may ask again at once.
   */
  async #check(node: number, asksTip: boolean): Promise<CheckEnd> {
    const chainId = this.learnChainId(node)
    const outcome = await this.#host.askNetwork(node, asksTip ? nodeTipQuery : networkCheck)
    // Before the genesis block is learnt, since both decide whether the node is used.
    if (outcome.kind === 'answer') await chainId
    if (outcome.kind === 'answer' && outcome.tip !== undefined) {
      this.#host.learn({ type: 'tip-shown', node, tip: outcome.tip })
    } else if (outcome.kind === 'answer') {
      const { genesisBlock } = networkCheck.data.read(outcome.data, networkCheck.name)
      this.#host.learn({ type: 'network-shown', node, genesisStateHash: genesisBlock.stateHash })
    } else if (outcome.reply !== undefined && lacksNames(outcome.reply)) {
      this.#host.learn({ type: 'check-refused', node })
    }
    return this.#host.isOver ? 'abandoned' : 'ended'
  }

  /** The check of a node, which requests share while it is in progress. */
  #sharedCheck(node: number, asksTip = this.#host.state.pins.length > 1): Promise<CheckEnd> {
    const { checks } = this.#asking
    const check = checks.get(node) ?? this.#check(node, asksTip).finally(() => checks.delete(node))
    checks.set(node, check)
    return check
  }

  /** Asks a node for its chain id. Without an answer nothing changes. */
  async #askChainId(node: number): Promise<void> {
    const outcome = await this.#host.askNetwork(node, networkQuery)
    if (outcome.kind === 'failure') return
    const { daemonStatus, genesisBlock } = outcome.data as NetworkAnswer
    const { stateHash: genesisStateHash } = genesisBlock
    this.#host.learn({ type: 'chain-id-shown', node, chainId: daemonStatus.chainId, genesisStateHash })
  }

  /** Checks the nodes of other networks again if ours stands still: their chain may have begun since. */
  async #lookAtOthers(): Promise<void> {
    const others = othersToLookAt(this.#host.state, this.#host.instant())
    if (others.length === 0) return
    await Promise.all(others.map((node) => within(this.#host, this.#sharedCheck(node, true), pinPatienceMs)))
    this.#host.learn({ type: 'others-asked' })
  }

  /** @throws WireError `busy` where the old chain would be taken for the network because a node is out of reach */
  #requireNetwork(isInDoubt: typeof isNetworkInDoubt): void {
    if (!isInDoubt(this.#host.state, this.#host.instant())) return
    throw nodeBusy('the tip is old, and a node that cannot be reached may be on a later pinned network')
  }

  #describe({ daemonStatus, genesisBlock }: NetworkAnswer): void {
    const description = {
      chainId: daemonStatus.chainId,
      slotDurationMs: daemonStatus.consensusConfiguration?.slotDuration,
      genesisStateHash: genesisBlock.stateHash,
    }
    this.#host.learn({ type: 'network-described', description })
  }
}
