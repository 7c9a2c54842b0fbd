// Broadcasts a signed command to the nodes of the network at once, and waits until what they did is known well enough.
import { WireError } from '../../upstream/errors.ts'
import type { NodePort, QueryUpstream, Reply } from '../../upstream/query.ts'
import type { Driver } from '../driver.ts'
import { isForeign, networkOf, nodeAt } from '../network-state.ts'
import { elected, ranked } from '../node-selection.ts'
import { isUnsupported, needsCheck } from '../node-state.ts'
import type { Fate, Submission } from '../port.ts'
import { submit } from './attempt.ts'
import { fateOf } from './decide-outcome.ts'
import { askNetworkName } from './network-name.ts'
import { askNode, type Finding, holds, isAbsent, isDecisive, isPermanent } from './node-result.ts'
import { lookAround, type Sighting } from './pool-check.ts'

/** The time that a 201 waits for other nodes: a command that two nodes hold survives the death of one. */
const graceMs = 300

/** More copies of a command would not make it safer. */
const maxSentTo = 3

/** Milliseconds kept for submission and look while a broadcast waits for a network. */
const reservedMs = 4000

/** The time to wait for a node that has not shown its network, if another one has. */
const patienceMs = 2000

const strange: Sighting = { state: 'unanswered', reason: 'it may be on another network' }

/** Slots for sending the command to at most three nodes at once. A node that took nothing frees its slot. */
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

  leave(isFreed: boolean): void {
    this.#active--
    if (isFreed) this.#used--
    this.#left.resolve()
    this.#left = Promise.withResolvers()
  }
}

class Broadcast {
  readonly #driver: Driver
  readonly #submission: Submission
  readonly #enough = new AbortController()
  readonly #findings = new Map<number, Finding>()
  readonly #witnesses: number[] = []
  readonly #slots = new Slots()
  readonly #isHeld = Promise.withResolvers<void>()
  readonly #oneIsSafe = Promise.withResolvers<void>()
  #turns = 0

  constructor(driver: Driver, submission: Submission) {
    this.#driver = driver
    this.#submission = submission
  }

  async fate(): Promise<Fate> {
    const driver = this.#driver
    const { shared } = driver
    shared.state = elected(shared.state, shared.clock.now())
    const order = ranked(shared.state, shared.clock.now())
    const all = Promise.all(order.map((index) => this.#takePart(index)))
    const grace = this.#isHeld.promise.then(() => driver.pause(graceMs, this.#enough.signal))
    await Promise.race([all, grace])
    const findings = order.flatMap((index) => this.#findings.get(index) ?? [])
    const isKnown = findings.some(isDecisive) || findings.some(holds)
    const witnesses = isKnown ? [] : await this.#hear()
    this.#enough.abort()

    const holding = findings.filter(holds).length + witnesses.filter(({ state }) => state === 'held').length
    const asked = Math.min(
      order.filter((index) => !this.#isOut(index)).length,
      Math.max(maxSentTo, findings.length + witnesses.length),
    )
    const nodes = driver.isShared ? undefined : { holding, asked: Math.max(holding, asked) }
    const known = findings.length > 0 ? findings : [await this.#notSent()]
    const fate = fateOf(this.#submission, known, witnesses)
    const refusing = order.find((index) => this.#findings.get(index)?.attempts.some(isPermanent))
    if (refusing === undefined || fate.state !== 'refused' || fate.code !== 'invalid-signature')
      return { ...fate, nodes }
    // The signature may have been made for another network.
    const networkName = await askNetworkName(refusing, driver)
    return { ...fate, nodes, ...(networkName !== undefined && { networkName }) }
  }

  /** One node, asked by itself, until enough is known. */
  #place(index: number): NodePort {
    const query: QueryUpstream = async (operation, variables, limits) => {
      const terms = { ...limits, abort: this.#enough }
      const outcome = await this.#driver.ask(index, operation, variables, terms)
      if (outcome.kind === 'failure' && outcome.reply === undefined) throw outcome.error
      return outcome.reply as Reply
    }
    return { ...this.#driver.portAt(index), query }
  }

  /**
   * Asks the nodes that the command was not sent to. What one says counts only while it is of the network; where that is
   * unknown, what it shows may be of another.
   */
  async #hear(): Promise<readonly Sighting[]> {
    const heard = this.#witnesses.map(async (index) => {
      const sighting = await lookAround(this.#submission, this.#place(index), this.#driver)
      if (this.#isOut(index)) return []
      const isStrange = nodeAt(this.#driver.shared.state, index).genesis === undefined
      return sighting.state === 'held' && isStrange ? [strange] : [sighting]
    })
    return (await Promise.all(heard)).flat()
  }

  /** True if a node is known to be on another network; it is neither asked nor waited for. */
  #isOut(index: number): boolean {
    const { state, clock } = this.#driver.shared
    return isForeign(state, index) || isUnsupported(nodeAt(state, index), clock.now())
  }

  /** The finding to report when the command could be sent to no node. */
  async #notSent(): Promise<Finding> {
    const { state } = this.#driver.shared
    const reason = `no node has shown that it is on the network ${networkOf(state) ?? ''}`.trim()
    const query = () => Promise.reject(new WireError('unreachable', reason, { isUnsent: true }))
    return { node: this.#driver.portAt(0), attempts: [await submit(this.#submission, query)], looks: [] }
  }

  /**
   * Learns whether a node may get the command: on another network it could be valid as well. The only node of a chain
   * without a pin is its network. Nodes listed before this one decide which network it is, so they are waited for.
   */
  async #isSafe(index: number): Promise<boolean> {
    const driver = this.#driver
    const { shared } = driver
    if (!driver.hasSeveral && shared.genesisStateHash === undefined) return true
    const leftMs = () => Math.max(0, driver.timeLeftMs() - reservedMs)
    const isUnknown = () => needsCheck(nodeAt(shared.state, index), shared.clock.now())
    const check = driver.learnNetwork(index, leftMs())
    await Promise.race([check, this.#oneIsSafe.promise])
    if (isUnknown()) await driver.within(check, patienceMs)
    if (isUnknown()) return false
    await driver.learnEarlier(index, leftMs())
    // Only all nodes together show a hard fork.
    if (shared.genesisStateHash !== undefined && isForeign(shared.state, index)) {
      await Promise.all([...shared.nodes.keys()].map((each) => driver.learnNetwork(each, leftMs())))
    }
    return !isForeign(shared.state, index)
  }

  async #takePart(index: number): Promise<void> {
    const driver = this.#driver
    if (!(await this.#isSafe(index))) {
      // It may hold the command from before.
      if (!this.#isOut(index)) this.#witnesses.push(index)
      return
    }
    this.#oneIsSafe.resolve()
    if (!(await this.#slots.take())) {
      this.#witnesses.push(index)
      return
    }
    const finding = await askNode(this.#submission, this.#place(index), {
      deadline: {
        timeLeftMs: () => (this.#enough.signal.aborted ? 0 : driver.timeLeftMs()),
        pause: (milliseconds) => driver.pause(milliseconds, this.#enough.signal),
      },
      isDecided: () => [...this.#findings.values()].some(isDecisive),
      turn: () => ++this.#turns,
    })
    this.#findings.set(index, finding)
    if (holds(finding)) this.#isHeld.resolve()
    this.#slots.leave(isAbsent(finding))
  }
}

/**
 * Broadcasts a signed command to at most three nodes side by side. Once a node holds it, the others have 300 ms and are then
 * given up; until then each is asked until its part is known. Where none holds it, the nodes that it was not sent to are
 * asked whether they do: an earlier request may have sent it to them.
 */
export const broadcast = <Data>(submission: Submission<Data>, driver: Driver): Promise<Fate> =>
  new Broadcast(driver, submission as Submission).fate()
