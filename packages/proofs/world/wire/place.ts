// The places at which the service asks: the daemons behind each, and how these are at some time.

import type { Operation } from '../../../../shared/upstream/operation.ts'
import { pick, type Random } from '../../../testnet/random.ts'
import type { GraphQlAnswer } from '../../node-answers.ts'
import type { HistoryCommand } from '../broadcasts/signed-command.ts'
import type { Daemon, DaemonState } from '../chain/daemon.ts'
import type { Network } from '../chain/network.ts'

/** The state of a daemon, and of the way to it, at some time. */
export interface Condition {
  /** `refusing`: no connection is made. `breaking`: it breaks before the answer. `silent`: no answer ever comes. */
  readonly health: 'ok' | 'refusing' | 'breaking' | 'silent' | 'error-500'
  /** There and back. */
  readonly latencyMs: number
  /** The time that a question for `daemonStatus` takes on top: the daemon gathers its peers. */
  readonly statusMs: number
  /** Operations that select this field are never answered. */
  readonly hangsAt: string | undefined
  /** The share of calls that are refused with 429 or 503. */
  readonly refusedShare: number
  /** Of the operations that select this field, this share is answered with 500. */
  readonly failsAt?: { readonly field: string; readonly share: number }
  /** Blocks behind its network; infinite while it is stuck. */
  readonly lag: number
  /** Where the script decides on it. */
  readonly state?: DaemonState
}

export const calm: Condition = {
  health: 'ok',
  latencyMs: 50,
  statusMs: 0,
  hangsAt: undefined,
  refusedShare: 0,
  lag: 0,
}

/** A daemon's condition, `sinceMs` after the world began. Whatever it leaves out is calm. */
export type Script = (sinceMs: number, random: Random) => Partial<Condition>

/** A daemon behind an address. */
export interface Host {
  readonly network: Network
  readonly daemon: Daemon
  readonly script: Script
  /** The time since which it is on this network; undefined if it always was. */
  readonly since?: number
}

/** True for a daemon of the stage's network that answers every call, apart from this share of them. */
export function isUsable({ network, daemon, script }: Host, sinceMs: number, random: Random, maxRefusedShare = 0) {
  const { health, hangsAt, failsAt, refusedShare } = { ...calm, ...script(sinceMs, random) }
  const isUp = network.isHome && daemon.kind === 'daemon' && daemon.state === 'up'
  const answersAll = health === 'ok' && hangsAt === undefined && failsAt === undefined
  return isUp && answersAll && refusedShare <= maxRefusedShare
}

/** One address of the settings. */
export interface Place {
  readonly name: string
  /** In the order in which the balancer has them. */
  readonly hosts: readonly Host[]
  readonly sharedAddress: boolean
  /** Which host gets a call: a random one for each call or for each request, the first, or each in turn. */
  readonly balancing: 'call' | 'request' | 'first' | 'turn'
}

/** One operation that was sent. */
export interface Call {
  readonly place: Place
  readonly operation: Operation
  readonly isMutation: boolean
}

/**
 * The trouble with a call: its node took nothing and holds nothing (`absent`); it took nothing (`busy`); nothing shows what
 * it has done (`lost`).
 */
export type Trouble = 'absent' | 'busy' | 'lost'

/** The request that calls belong to: it is told what becomes of them. */
export interface Caller {
  /** Submitted by its mutations. */
  readonly command?: HistoryCommand
  sent(call: Call): void
  /** @returns called when the answer has come back as it was given */
  executed(call: Call, host: Host, answer: GraphQlAnswer): () => void
  troubled(call: Call, what: string, trouble: Trouble): void
}

/** Gives each call its host. */
export function createBalancer(random: Random): (place: Place, caller: Caller) => Host {
  const turns = new Map<Place, number>()
  const preferred = new WeakMap<Caller, Map<Place, Host>>()

  function preferredAt(place: Place, caller: Caller): Host {
    const known = preferred.get(caller) ?? new Map<Place, Host>()
    const host = known.get(place) ?? pick(random, place.hosts)
    preferred.set(caller, known.set(place, host))
    return host
  }

  return (place, caller) => {
    const { hosts, balancing } = place
    const turn = turns.get(place) ?? 0
    turns.set(place, turn + 1)
    const first = hosts[balancing === 'turn' ? turn % hosts.length : 0]
    if (first === undefined) throw new RangeError(`no host behind ${place.name}`)
    if (hosts.length === 1 || balancing === 'turn') return first
    const host = balancing === 'call' ? pick(random, hosts) : balancing === 'first' ? first : preferredAt(place, caller)
    // The balancer may not have noticed yet that a daemon is down.
    const other = hosts.find((one) => one !== host) ?? host
    return host.daemon.state === 'up' || random() < 0.3 ? host : other
  }
}
