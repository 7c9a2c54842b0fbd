// Broadcasts a signed command to the nodes of the network at once, and waits until the outcome is clear enough.
import { WireError } from '../../upstream/errors.ts'
import type { NodePort, QueryUpstream, Reply } from '../../upstream/query.ts'
import { askNetworkName, askSignatureKind } from '../actions/network-name.ts'
import { attemptsPerAddress, portAt } from '../address.ts'
import { isExcluded } from '../node-selection.ts'
import type { BroadcastView } from '../port.ts'
import { within } from '../within.ts'
import { submit } from './attempt.ts'
import { decideOutcome } from './decide-outcome.ts'
import { broadcastTo, holds, isAbsent, isDecisive, isPermanent, type NodeResult } from './node-result.ts'
import { checkSkippedNode, type PoolCheck } from './pool-check.ts'
import type { BroadcastOutcome, Submission } from './submission.ts'

/** The time that a 201 waits for other nodes: a command that two nodes hold survives the death of one. */
const graceMs = 300

/** More copies of a command would not make it safer. */
const maxSentTo = 3

/** Milliseconds kept for submission and check while a broadcast waits for a network. */
const reservedMs = 4000

/** The time to wait for a node that has not shown its network, if another one has. */
const patienceMs = 2000

const networkUnverified: PoolCheck = { state: 'unanswered', reason: 'it may be on another network' }

/** Slots for sending the command to at most three nodes at once. A node that was not reached or took nothing frees its slot. */
class Slots {
  #used = 0
  #active = 0
  #left = Promise.withResolvers<void>()

  /** Resolves to true when a slot is free, to false when none will be. */
  async take(): Promise<boolean> {
    while (this.#used === maxSentTo && this.#active > 0) await this.#left.promise
    if (this.#used === maxSentTo) return false
    this.#used++
    this.#active++
    return true
  }

  /** Lets another node have the slot of one that is still busy. */
  free(): void {
    this.#used--
    this.#notify()
  }

  leave(): void {
    this.#active--
    this.#notify()
  }

  #notify(): void {
    this.#left.resolve()
    this.#left = Promise.withResolvers()
  }
}

class Broadcast {
  readonly #chain: BroadcastView
  readonly #submission: Submission
  readonly #enough = new AbortController()
  readonly #results = new Map<number, NodeResult>()
  /** Nodes that the command was not sent to, but that may hold it from an earlier request. */
  readonly #skippedNodes: number[] = []
  readonly #slots = new Slots()
  readonly #isHeld = Promise.withResolvers<void>()
  readonly #oneIsSafe = Promise.withResolvers<void>()
  #turns = 0

  constructor(chain: BroadcastView, submission: Submission) {
    this.#chain = chain
    this.#submission = submission
  }

  async outcome(): Promise<BroadcastOutcome> {
    const chain = this.#chain
    const order = (await this.#isNetworkKnown()) ? chain.rankedNodes() : []
    const all = Promise.all(order.map((index) => this.#takePart(index)))
    const grace = this.#isHeld.promise.then(() => chain.pause(graceMs, this.#enough.signal))
    await Promise.race([all, grace])
    const results = order.flatMap((index) => this.#results.get(index) ?? [])
    const isKnown = results.some(isDecisive) || results.some(holds)
    const skipped = isKnown ? [] : await this.#checkSkippedNodes()
    this.#enough.abort()

    const holding = results.filter(holds).length + skipped.filter(({ state }) => state === 'held').length
    const asked = Math.min(
      order.filter((index) => !this.#isExcluded(index)).length,
      Math.max(maxSentTo, results.length + skipped.length),
    )
    const nodes = attemptsPerAddress(chain) > 1 ? undefined : { holding, asked: Math.max(holding, asked) }
    const known = results.length > 0 ? results : [await this.#notSent()]
    const outcome = decideOutcome(this.#submission, known, skipped)
    const refusing = order.find((index) => this.#results.get(index)?.attempts.some(isPermanent))
    const isSignatureWrong = outcome.state === 'refused' && outcome.code === 'invalid-signature'
    if (refusing === undefined || !isSignatureWrong) return { ...outcome, nodes }
    // The signature may have been made for another network.
    const [networkName, kind] = await Promise.all([askNetworkName(chain, refusing), askSignatureKind(chain, refusing)])
    const signsFor = kind?.name
    return {
      ...outcome,
      nodes,
      ...(networkName !== undefined && { networkName }),
      ...(signsFor !== undefined && { signsFor }),
    }
  }

  /** Learns which of several pinned networks counts; false if no node can show it. */
  async #isNetworkKnown(): Promise<boolean> {
    try {
      await this.#chain.networks.learnPinned(patienceMs)
      return true
    } catch (error) {
      if (error instanceof WireError) return false
      throw error
    }
  }

  /** One node as a port, whose calls end once enough is known. */
  #place(index: number): NodePort {
    const query: QueryUpstream = async (operation, variables, limits) => {
      const outcome = await this.#chain.call(index, operation, variables, { ...limits, abort: this.#enough })
      if (outcome.kind === 'failure' && outcome.reply === undefined) throw outcome.error
      return outcome.reply as Reply
    }
    return { ...portAt(this.#chain, index), query }
  }

  /**
   * Asks the nodes that the command was not sent to. An answer counts only if its node is on the network; while that is
   * unknown, it may be about another.
   */
  async #checkSkippedNodes(): Promise<readonly PoolCheck[]> {
    const checks = this.#skippedNodes.map(async (index) => {
      const check = await checkSkippedNode(this.#submission, this.#place(index), this.#chain)
      if (this.#isExcluded(index)) return []
      const isUnverified = this.#chain.nodeStatus(index) === 'unknown'
      return check.state === 'held' && isUnverified ? [networkUnverified] : [check]
    })
    return (await Promise.all(checks)).flat()
  }

  /** True if a node is left out: it is not asked, and nothing waits for it. */
  #isExcluded(index: number): boolean {
    return isExcluded(this.#chain.nodeStatus(index))
  }

  /** The result to report when the command could be sent to no node. */
  async #notSent(): Promise<NodeResult> {
    const { genesisStateHash = '' } = this.#chain.target
    const reason = `no node has shown that it is on the network ${genesisStateHash}`.trim()
    const query = () => Promise.reject(new WireError('unreachable', reason, { isUnsent: true }))
    return { node: portAt(this.#chain, 0), attempts: [await submit(this.#submission, query)], checks: [] }
  }

  /**
   * Learns whether a node may get the command, which could be valid on another network as well. Without a pin, a single
   * node defines the network; of several, those listed earlier decide it, so they are awaited.
   */
  async #isSafe(index: number): Promise<boolean> {
    const chain = this.#chain
    const { isPinned } = chain.target
    if (chain.nodes.length === 1 && !isPinned) return true
    const leftMs = () => Math.max(0, chain.timeLeftMs() - reservedMs)
    const check = chain.networks.learn(index, leftMs())
    await Promise.race([check, this.#oneIsSafe.promise])
    if (!chain.isNetworkKnown(index)) await within(chain, check, patienceMs)
    if (!chain.isNetworkKnown(index)) return false
    await chain.networks.learnEarlier(index, leftMs())
    // Only all nodes together show a hard fork.
    const isForeign = () => chain.nodeStatus(index) === 'foreign'
    if (isPinned && isForeign()) {
      await Promise.all([...chain.nodes.keys()].map((each) => chain.networks.learn(each, leftMs())))
    }
    return !isForeign()
  }

  async #takePart(index: number): Promise<void> {
    const chain = this.#chain
    if (!(await this.#isSafe(index))) {
      if (!this.#isExcluded(index)) this.#skippedNodes.push(index)
      return
    }
    this.#oneIsSafe.resolve()
    if (!(await this.#slots.take())) {
      this.#skippedNodes.push(index)
      return
    }
    let isFreed = false
    const free = () => {
      if (!isFreed) this.#slots.free()
      isFreed = true
    }
    const result = await broadcastTo(this.#place(index), this.#submission, {
      deadline: {
        timeLeftMs: () => (this.#enough.signal.aborted ? 0 : chain.timeLeftMs()),
        pause: (milliseconds) => chain.pause(milliseconds, this.#enough.signal),
      },
      isDecided: () => [...this.#results.values()].some(isDecisive),
      turn: () => ++this.#turns,
      onUnsent: free,
    })
    this.#results.set(index, result)
    if (holds(result)) this.#isHeld.resolve()
    if (isAbsent(result)) free()
    this.#slots.leave()
  }
}

/**
 * Broadcasts a signed command to at most three nodes in parallel. Once a node holds it, the others get 300 ms more;
 * until then each is asked until its part is known. If none holds it, the nodes that did not get it are asked whether
 * they do: an earlier request may have sent it to them.
 *
 * @returns the outcome, which includes upstream trouble
 */
export const sendCommand = <Data>(chain: BroadcastView, submission: Submission<Data>): Promise<BroadcastOutcome> =>
  new Broadcast(chain, submission as Submission).outcome()
