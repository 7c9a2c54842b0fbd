// The wire between the service and the places: it loses, breaks and delays.

import { WireError } from '../../../../shared/upstream/errors.ts'
import type { NodePort, Reply } from '../../../../shared/upstream/query.ts'
import { integerBetween, pick, type Random } from '../../../testnet/random.ts'
import type { GraphQlAnswer } from '../../node-answers.ts'
import { answerOf } from '../chain/answers.ts'
import type { Process, VirtualTime } from '../time.ts'
import { type BrokenAnswer, breaks, brokenAnswers, late, lostRequests } from './broken-answer.ts'
import { type Call, type Caller, calm, createBalancer, type Place, type Trouble } from './place.ts'

/** The service's time-out for one operation. */
const timeoutMs = 8000
/** Who gives up sooner has not waited for an answer. */
const minPatienceMs = 1000

/** The probabilities of what happens by chance. */
export interface Chances {
  /** A mutation fails on the wire. */
  readonly mutationFaults: number
  readonly queryFaults: number
  /** A pool refuses a new command because of its load. */
  readonly overload: number
}

export const noChances: Chances = { mutationFaults: 0, queryFaults: 0, overload: 0 }

/** The parts of our operations that a Rust node does not understand. It executes nothing of them. */
const unknownToRust = /PublicKey!|UInt64|UInt32|blockchainLength|lastVrfOutput|coinbase|feeTransfer|workIds|feePayer/
const rustRefusal: Reply = { status: 400, data: undefined, errors: ['Unknown type "PublicKey"'] }
const noAnswer: GraphQlAnswer = { data: null, errors: [] }

type Variables = Readonly<Record<string, unknown>>

/** The fate of a call. */
interface Delivery {
  /** When the operation arrives, which may be after the caller has given up; infinite for never. */
  readonly thereMs: number
  arrive(): void
  /** When the answer is back; infinite for never. */
  readonly backMs: number
  /** @throws WireError where no complete answer comes */
  answer(): Reply
}

/** Makes the ports of a process, for the requests that it answers. */
export type Wire = (process: Process, caller: () => Caller) => readonly NodePort[]

export function createWire(places: readonly Place[], random: Random, time: VirtualTime, chances: Chances): Wire {
  const hostAt = createBalancer(random)
  const startedAt = time.now()

  function deliver(call: Call, variables: Variables, limitMs: number, by: Caller): Delivery {
    const { isMutation, operation, place } = call
    const { document } = operation
    const host = hostAt(place, by)
    const { daemon, network } = host
    const { health, refusedShare, hangsAt, failsAt, ...condition } = {
      ...calm,
      ...host.script(time.now() - startedAt, random),
    }
    if (condition.state === 'down') daemon.losePool()
    daemon.state = condition.state ?? daemon.state
    const trouble = (what: string, kind: Trouble = 'lost') => by.troubled(call, what, kind)
    const hasFault = random() < (isMutation ? chances.mutationFaults : chances.queryFaults)
    const fate: BrokenAnswer | typeof late | 'clean' = hasFault ? pick(random, [...brokenAnswers, late]) : 'clean'
    const latencyMs = condition.latencyMs + (document.includes('daemonStatus') ? condition.statusMs : 0)
    const lost = (backMs: number, answer: () => Reply): Delivery => ({
      thereMs: Infinity,
      arrive: () => undefined,
      backMs,
      answer,
    })

    if (health === 'silent' || (hangsAt !== undefined && document.includes(hangsAt))) {
      return lost(Infinity, () => breaks['time-out']())
    }
    const hasFailed =
      health === 'error-500' || (failsAt !== undefined && document.includes(failsAt.field) && random() < failsAt.share)
    if (hasFailed || random() < refusedShare) {
      const status = hasFailed ? 500 : pick(random, [429, 503])
      return lost(latencyMs, () => {
        trouble(`HTTP ${status}`, status === 500 ? 'lost' : 'busy')
        return { status, data: undefined, errors: [] }
      })
    }
    if (health === 'breaking' || (hasFault && random() < 0.3)) {
      const how = health === 'breaking' ? 'reset' : pick(random, lostRequests)
      return lost(how === 'time-out' ? Infinity : latencyMs, () => {
        trouble(`lost, ${how}`)
        return breaks[how](noAnswer, random)
      })
    }

    const thereMs = fate === late ? limitMs + integerBetween(random, 1, 12_000) : random() * latencyMs
    const slowMs = fate === 'slow' ? integerBetween(random, 1_000, 9_000) : 0
    let reply = (): Reply => {
      trouble('connection refused', 'absent')
      throw new WireError('unreachable', 'connection refused', { isUnsent: true })
    }
    function arrive(): void {
      if (health !== 'ok' || daemon.state === 'down') return
      if (daemon.state !== 'up') trouble(`the daemon is ${daemon.state}`, 'absent')
      if (daemon.kind === 'rust' && unknownToRust.test(document)) {
        reply = () => rustRefusal
        return
      }
      const submitted = { command: by.command, isOverloaded: random() < chances.overload }
      const answer = answerOf(network, daemon, operation, variables, submitted)
      const received = by.executed(call, host, answer)
      reply = () => {
        // Mixing up changes only the answer of an accepted mutation; any other answer stays intact.
        const isIntact = fate === 'mixed up' && !(isMutation && answer.data !== null)
        if (fate === 'clean' || fate === 'slow' || fate === late || isIntact) {
          received()
          return { status: 200, ...answer }
        }
        trouble(fate)
        return breaks[fate](answer, random)
      }
    }
    const backMs = fate === late || fate === 'time-out' ? Infinity : latencyMs + slowMs
    return { thereMs, arrive, backMs, answer: () => reply() }
  }

  const portTo = (place: Place, process: Process, caller: () => Caller): NodePort => ({
    name: place.name,
    sharedAddress: place.sharedAddress,
    query: (operation, variables, { limitMs = Infinity, signal } = {}) =>
      new Promise((resolve, reject) => {
        const by = caller()
        const askedAt = time.now()
        const call: Call = { place, operation, isMutation: operation.document.startsWith('mutation') }
        by.sent(call)
        const maxWaitMs = Math.min(timeoutMs, Math.max(1, limitMs))
        const { thereMs, arrive, backMs, answer } = deliver(call, variables, maxWaitMs, by)
        if (thereMs !== Infinity) time.quietly(thereMs, arrive)
        let isOver = false
        const giveUp = (what: string) => {
          if (time.now() - askedAt >= minPatienceMs || call.isMutation) by.troubled(call, what, 'lost')
          reject(new WireError('timeout', what))
        }
        const stop = process.after(Math.min(backMs, maxWaitMs), () => {
          isOver = true
          if (backMs >= maxWaitMs) return giveUp('time-out')
          try {
            resolve(answer())
          } catch (error) {
            reject(error)
          }
        })
        const abort = () => {
          if (isOver) return
          stop()
          giveUp('given up')
        }
        if (signal?.aborted) abort()
        signal?.addEventListener('abort', abort)
      }),
  })

  return (process, caller) => places.map((place) => portTo(place, process, caller))
}
