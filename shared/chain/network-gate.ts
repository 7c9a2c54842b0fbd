// Learns which network the nodes are on, for one request: by their genesis blocks, by pinned chain ids, and which of several
// pinned networks counts. It also learns what the daemons of a network have in common, such as the length of a slot.
import { nodeBusy } from '../upstream/errors.ts'
import { type Network, networkIn, networkQuery } from '../upstream/network.ts'
import { lacksNames, networkCheck, nodeTipQuery } from '../upstream/node-query.ts'
import type { Reply } from '../upstream/query.ts'
import type { Wire } from '../upstream/wire.ts'
import { awaitedLater } from './awaited-later.ts'
import { DescriptionWait } from './description-wait.ts'
import { never } from './instant.ts'
import {
  isDescribed,
  isForeign,
  isFreshlyDescribed,
  isNetworkInDoubt,
  isNetworkInDoubtForBroadcasts,
  isOtherNetworkFresh,
  isPinStale,
  mustAskForPins,
  needsChainId,
  needsSlotForPins,
  networkOf,
  othersToLookAt,
  unknownBefore,
} from './network-state.ts'
import { isUnsupported, needsCheck } from './node-state.ts'
import type { BroadcastNetworks } from './port.ts'
import type { RequestHost } from './request-host.ts'
import { within } from './within.ts'

/** `abandoned` if the request that asked ended first. */
type CheckEnd = 'ended' | 'abandoned'

/** The questions in progress, by node. All requests of an instance share them. */
export interface NetworkQuestions {
  readonly checks: Map<number, Promise<CheckEnd>>
  readonly descriptions: Set<Description>
}

/** A question in progress: a node is describing its network. */
interface Description {
  readonly node: number
  /** In lasting time. */
  readonly startedAt: number
  readonly ended: Promise<void>
}

/** The pause before the length of a slot is asked for again. */
const slotRetryMs = 30_000

/** If a node takes longer to describe its network, the next one is asked as well. */
const nextDescriberMs = 900

/** The time that a read waits for the nodes' networks, once in ten seconds until the last pinned one counts. */
const pinPatienceMs = 1500

/** The time that an answer or a broadcast waits for a node's chain id: `daemonStatus` may be slow, or never answer. */
const chainIdPatienceMs = 1000

/** How long a question rejected for an unknown name waits for the check whether the node is a Rust node. */
const kindPatienceMs = 1000

/** How long a request on a long wait for one node's chain id then waits for those of the others. */
const otherChainIdsMs = 250

export class NetworkGate implements BroadcastNetworks {
  readonly #host: RequestHost
  readonly #asking: NetworkQuestions
  readonly #wait: DescriptionWait
  /** The nodes that the request has not asked yet to describe the network; undefined before the first. */
  #describers: number[] | undefined
  #describing: Promise<void> | undefined
  #isDescriptionNeeded = false

  constructor(host: RequestHost, asking: NetworkQuestions) {
    this.#host = host
    this.#asking = asking
    this.#wait = new DescriptionWait(host)
  }

  /** True if every node refuses load. Each is then asked for its network only after it has answered a question. */
  get allRefuseLoad(): boolean {
    return [...this.#host.state.nodes.keys()].every((node) => this.#host.refusesLoad(node))
  }

  /** True if every node must be asked for its network before a question: another pinned one may count by now. */
  get mustAskForPins(): boolean {
    return this.#host.judged(mustAskForPins)
  }

  async askForPins(patienceMs = pinPatienceMs): Promise<void> {
    const nodes = [...this.#host.state.nodes.keys()]
    await Promise.all(nodes.map((node) => within(this.#host, this.#sharedCheck(node), patienceMs)))
    this.#host.learn({ type: 'noted', time: 'pinsAskedAt' })
  }

  /**
   * Judges the network of an answer. A single node without a pin is the network.
   *
   * @throws WireError `busy` if an unreachable node may be on a later pinned network
   */
  async afterAnswer(): Promise<void> {
    const { state, observer } = this.#host
    const isTheNetwork = state.nodes.length === 1 && state.pins.length === 0
    if (isTheNetwork) return
    this.#requireNetwork(isNetworkInDoubt)
    await this.#lookAtOthers()
    if (isPinStale(this.#host.state)) observer?.doubted('isPinStale')
    if (this.#host.judged(isOtherNetworkFresh)) observer?.doubted('isOtherNetworkFresh')
  }

  async learn(node: number, patienceMs: number): Promise<void> {
    const host = this.#host
    if (!needsCheck(host.node(node), host.instant(), isForeign(host.state, node))) {
      await within(host, this.learnChainId(node), patienceMs)
      return
    }
    const until = host.elapsed() + Math.min(patienceMs, host.timeLeftMs())
    const leftMs = () => until - host.elapsed()
    // A check abandoned by the request that made it is made again.
    while (leftMs() > 0) if ((await within(host, this.#sharedCheck(node), leftMs())) !== 'abandoned') return
  }

  async learnPinned(patienceMs: number): Promise<void> {
    if (this.mustAskForPins) await this.askForPins(patienceMs)
    if (this.#host.judged(needsSlotForPins)) await this.learnSlot()
    this.#requireNetwork(isNetworkInDoubtForBroadcasts)
  }

  async learnEarlier(node: number, patienceMs: number): Promise<void> {
    const { state } = this.#host
    const until = this.#host.elapsed() + patienceMs
    for (const earlier of unknownBefore(state, node)) {
      await this.learn(earlier, until - this.#host.elapsed())
      if (this.#host.node(earlier).genesis !== undefined) return
    }
  }

  /**
   * Checks whether a node that rejected an unknown name is a Rust node. Only the network check can tell: a gateway's copy of the
   * schema may lack any other name. A node that has just shown its network is a daemon and is not checked.
   */
  async learnKind(node: number, reply: Reply): Promise<void> {
    const state = this.#host.node(node)
    const at = this.#host.instant()
    if (!lacksNames(reply) || isUnsupported(state, at) || !needsCheck(state, at, true)) return
    await within(this.#host, this.#sharedCheck(node), kindPatienceMs)
  }

  /**
   * Learns a node's chain id, if one is pinned, and waits a short time: without an answer the node counts by its genesis
   * block. Requests share the question while it is in progress.
   */
  async learnChainId(node: number): Promise<void> {
    if (!needsChainId(this.#host.state, node, this.#host.instant(), this.#wait.mayBeLong)) return
    const host = this.#host
    this.#wait.beginLong()
    // Starts the clock of the wait for the network's constants too, since both come with one answer.
    const patienceMs = this.#wait.leftMs()
    this.#describe(node)
    if (this.#wait.isLong) {
      const beside = this.#describeOthers(node)
      await this.#untilNamed(node, patienceMs)
      await within(host, beside, otherChainIdsMs)
    } else {
      // Those that have named theirs are due again at about the same time.
      if (host.node(node).named !== undefined) void this.#describeOthers(node)
      if (await this.#untilNamed(node, nextDescriberMs)) {
        void this.#describeOthers(node)
        await this.#untilNamed(node, chainIdPatienceMs - nextDescriberMs)
      }
    }
    // A request that ended first gave the node no time for an answer.
    if (host.timeLeftMs() > 0) host.learn({ type: 'noted-of-node', node, time: 'chainIdAskedAt' })
    this.#wait.missed(this.#asking.descriptions)
  }

  /**
   * Waits until a node has named its chain id in answer to any of the questions in progress.
   *
   * @returns true if one is still in progress
   */
  async #untilNamed(node: number, patienceMs: number): Promise<boolean> {
    const host = this.#host
    const until = host.elapsed() + patienceMs
    const isDue = () => needsChainId(host.state, node, host.instant(), true)
    const leftMs = () => Math.min(until - host.elapsed(), host.timeLeftMs())
    const running = () => [...this.#asking.descriptions].filter((each) => each.node === node)
    const isAwaited = () => isDue() && running().length > 0
    while (isAwaited() && leftMs() > 0) {
      await within(host, Promise.race(running().map(({ ended }) => ended)), leftMs())
    }
    return isAwaited()
  }

  /** Has the other nodes name their chain ids too, so that no later request waits for each in turn if they are slow. */
  async #describeOthers(node: number): Promise<void> {
    const { state } = this.#host
    const isDue = (other: number) =>
      other !== node &&
      !this.#host.refusesLoad(other) &&
      needsChainId(state, other, this.#host.instant(), this.#wait.isLong)
    await Promise.all([...state.nodes.keys()].filter(isDue).map((other) => this.#describe(other).ended))
  }

  /** Learns the length of a slot, if it decides whether a tip is old. */
  async learnSlot(): Promise<void> {
    const host = this.#host
    if (host.instant().nowMs - host.state.slotAskedAt < slotRetryMs && !this.#wait.mayBeLong) return
    const genesis = networkOf(host.state)
    if (genesis !== undefined) await this.of(genesis)
    host.learn({ type: 'noted', time: 'slotAskedAt' })
  }

  async of(genesisStateHash: string): Promise<Network | undefined> {
    const host = this.#host
    this.#isDescriptionNeeded = true
    const isOver = () => this.#nextDescriber() === undefined && this.#asking.descriptions.size === 0
    if (!isDescribed(host.state, genesisStateHash)) this.#wait.beginLong()
    // A daemon may describe another network.
    while (!isDescribed(host.state, genesisStateHash) && !isOver() && this.#wait.leftMs() > 0) {
      await this.#nextDescription()
    }
    return host.state.networks.get(genesisStateHash)
  }

  start(): void {
    const host = this.#host
    if (host.judged(isFreshlyDescribed) || this.#nextDescriber() === undefined) return
    const genesis = networkOf(host.state)
    if (genesis === undefined || !isDescribed(host.state, genesis)) this.#wait.beginLong()
    // Whoever needs the answer sees the failure.
    this.#nextDescription().catch(() => undefined)
  }

  /**
   * Asks a node which network it is on: for its tip, if that decides whether the network counts. A failure changes
   * nothing, so that whoever needs the answer may ask again at once.
   */
  async #check(node: number, asksTip: boolean): Promise<CheckEnd> {
    const chainId = this.learnChainId(node)
    const asked = await this.#host.askNetwork(node, asksTip ? nodeTipQuery : networkCheck)
    const isRefusedTip = asksTip && asked.kind === 'failure' && asked.reply !== undefined && lacksNames(asked.reply)
    const outcome = isRefusedTip ? await this.#host.askNetwork(node, networkCheck) : asked
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

  /** Waits for the next description, or until the request has asked every node. */
  #nextDescription(): Promise<void> {
    this.#describing ??= this.#askInTurn().finally(() => {
      this.#describing = undefined
    })
    return this.#describing
  }

  /** Asks one node after the other to describe its network, as long as the request may wait, until one does. */
  async #askInTurn(): Promise<void> {
    const host = this.#host
    const { state } = host
    const { descriptions } = this.#asking
    const startedAt = host.elapsed()
    const isDone = () => host.state.networks !== state.networks
    for (let leftMs = this.#wait.leftMs(); leftMs > 0 && !isDone(); leftMs = this.#wait.leftMs()) {
      const node = this.#nextDescriber()
      if (node !== undefined) {
        this.#describers?.splice(this.#describers.indexOf(node), 1)
        this.#describe(node)
      }
      if (descriptions.size === 0) break
      const asked = Promise.race([...descriptions].map(({ ended }) => ended))
      await within(host, asked, this.#nextDescriber() !== undefined ? Math.min(leftMs, nextDescriberMs) : leftMs)
    }
    if (isDone()) return
    this.#wait.missed(this.#asking.descriptions)
    if (descriptions.size === 0) this.#wait.ended(startedAt)
  }

  /** The next node to ask for a description of the network. Nodes that refuse load are skipped until an answer needs one. */
  #nextDescriber(): number | undefined {
    this.#describers ??= this.#nodesToDescribe()
    return this.#describers.find((node) => this.#isDescriptionNeeded || !this.#host.refusesLoad(node))
  }

  #nodesToDescribe(): number[] {
    const { nowMs } = this.#host.instant()
    const nodes = this.#host.rankedNodes().filter((node) => nowMs >= this.#host.node(node).sparedUntil)
    // Behind a single address, this call may reach a daemon of another network, and the next call a right one.
    return nodes.length === 1 ? [...nodes, ...nodes] : [...nodes]
  }

  /**
   * Asks a node to describe its network. The question outlives a request that cannot wait for it: if the instance keeps
   * running, the next request has the answer. If it sleeps, the answer is lost, so a request on a long wait shares no
   * older question.
   */
  #describe(node: number): Description {
    const host = this.#host
    const { descriptions } = this.#asking
    // An older question may have been slept through, and its connection may be gone.
    const since = this.#wait.isLong ? host.state.waitedLongAt : never
    const shared = [...descriptions].find((each) => each.node === node && each.startedAt >= since)
    if (shared !== undefined) return shared
    const ended = this.#askToDescribe(node).finally(() => descriptions.delete(description))
    const description: Description = { node, startedAt: host.instant().nowMs, ended: awaitedLater(ended) }
    descriptions.add(description)
    return description
  }

  async #askToDescribe(node: number): Promise<void> {
    const host = this.#host.apart()
    const outcome = await host.askNetwork(node, networkQuery)
    if (outcome.kind === 'failure') return
    const network = networkIn(outcome.data as Wire<typeof networkQuery.data>)
    host.learn({ type: 'network-described', node, network })
  }

  /** Checks the nodes of other networks again if ours has halted: their chain may have begun since. */
  async #lookAtOthers(): Promise<void> {
    const others = this.#host.judged(othersToLookAt)
    if (others.length === 0) return
    await Promise.all(others.map((node) => within(this.#host, this.#sharedCheck(node, true), pinPatienceMs)))
    this.#host.learn({ type: 'noted', time: 'othersAskedAt' })
  }

  /** @throws WireError `busy` if the old chain would be taken for the network because a node cannot be reached */
  #requireNetwork(isInDoubt: typeof isNetworkInDoubt): void {
    if (!this.#host.judged(isInDoubt)) return
    throw nodeBusy('the tip is old, and a node that cannot be reached may be on a later pinned network')
  }
}
