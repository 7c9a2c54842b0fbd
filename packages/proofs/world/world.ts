// The simulated world: networks of daemons, the places at which settings list them, and instances of the service.
import type { Random } from '../../testnet/random.ts'
import { genesisHashOf } from './chain/block.ts'
import type { Kind } from './chain/daemon.ts'
import { createNetwork, homeName, type Network, type NetworkSetting, nextName } from './chain/network.ts'
import type { ForkPlan } from './forks/plan.ts'
import { createFleet, type FleetSetting } from './service/fleet.ts'
import type { StartService } from './service/service.ts'
import type { StopPlan } from './stops.ts'
import type { VirtualTime } from './time.ts'
import { calm, type Host, type Place, type Script } from './wire/place.ts'
import { type Chances, createWire } from './wire/wire.ts'

/** One node behind an address. */
export interface HostSetting {
  readonly kind?: Kind
  /** Of another network than the stage's. */
  readonly isForeign?: boolean
  readonly script?: Script
}

export interface PlaceSetting extends Pick<Place, 'sharedAddress' | 'balancing'> {
  readonly hosts: readonly HostSetting[]
}

export interface WorldSetting
  extends Chances,
    Omit<NetworkSetting, 'name' | 'daemons' | 'balance' | 'end' | 'origin'>,
    Pick<FleetSetting, 'deaths' | 'indexer' | 'wallErrorMs'> {
  /** In the order of the settings. Without a pin the first one is of the stage's network. */
  readonly places: readonly PlaceSetting[]
  readonly isPinned: boolean
  /** The number of daemons of the stage's network that no place lists. */
  readonly unlisted?: number
  /** The hard fork of the stage's network; each place has one host then. */
  readonly fork?: ForkPlan | undefined
  /** A daemon that is cut off, and goes on answering. */
  readonly stop?: StopPlan | undefined
}

export type World = ReturnType<typeof createWorld>

/** A host with its own address. */
export const alone = (host: HostSetting = {}): PlaceSetting => ({
  hosts: [host],
  sharedAddress: false,
  balancing: 'first',
})

/**
 * @param changed called after every change to what the daemons of the stage's network hold
 * @param trace receives the lines of the history
 */
export function createWorld(
  random: Random,
  time: VirtualTime,
  setting: WorldSetting,
  start: StartService,
  changed?: () => void,
  trace?: (line: () => string) => void,
) {
  const startedAt = time.now()
  const { isPinned, deaths, indexer, wallErrorMs, fork, stop, unlisted = 0 } = setting
  const all = setting.places.flatMap(({ hosts }) => hosts)
  const networkOf = (name: string, balance: bigint, hosts: readonly HostSetting[]) => {
    const daemons = hosts.map(({ kind = 'daemon' }) => kind)
    const end = name === homeName ? fork : undefined
    return createNetwork(random, time, { ...setting, name, balance, daemons, end }, changed, trace)
  }
  const foreign = all.filter(({ isForeign }) => isForeign)
  const own = all.filter(({ isForeign }) => !isForeign)
  const home = networkOf(homeName, 1_000_000_000_000n, [...own, ...Array.from({ length: unlisted }, () => ({}))])
  const elsewhere = foreign.length === 0 ? [] : [networkOf('elsewhere', 2_000_000_000_000n, foreign)]
  const networks = [home, ...elsewhere]
  const daemons = new Map(networks.map((network) => [network, [...network.daemons]]))

  function hostOf({ isForeign, script = () => calm }: HostSetting): Host {
    const network = (isForeign && elsewhere[0]) || home
    const daemon = daemons.get(network)?.shift()
    if (daemon === undefined) throw new RangeError('a host without a daemon')
    daemon.lag = (now) => script(now - startedAt, random).lag ?? 0
    return { network, daemon, script }
  }
  const places = setting.places.map(
    (place, index): Place => ({ ...place, name: `n${index + 1}`, hosts: place.hosts.map(hostOf) }),
  )
  let next: Network | undefined
  const pins = [homeName, nextName].map(genesisHashOf).slice(0, fork?.pins ?? Number(isPinned))

  /** The chain after the fork: on the last block before commands were stopped. */
  function beginNext({ commandsAtMs, beginsAtMs }: ForkPlan): Network {
    const kept = home.bestChain().filter(({ date }) => date < startedAt + commandsAtMs)
    const origin = { kept, worldBegunAt: startedAt, beginsAt: startedAt + beginsAtMs }
    const begun = places.map(() => 'daemon' as const)
    const network = createNetwork(
      random,
      time,
      { ...setting, name: nextName, balance: 0n, daemons: begun, origin },
      changed,
      trace,
    )
    for (const daemon of network.daemons) daemon.state = 'down'
    trace?.(() => `the chain ends at ${home.bestChain().length}, the next one begins at ${network.genesis.height}`)
    return network
  }

  function planFork(plan: ForkPlan, untilMs: () => number): void {
    time.quietly(plan.blocksAtMs, () => {
      next = beginNext(plan)
      next.live(untilMs)
    })
    for (const [index, node] of plan.nodes.entries()) {
      const host = places[index]?.hosts[0]
      if (host === undefined || node.becomes === 'frozen') continue
      const old = host.daemon
      time.quietly(node.fromMs, () => {
        trace?.(() => `${old.name} is stopped`)
        home.stopDaemon(old)
      })
      if (node.becomes === 'gone') continue
      time.quietly(node.untilMs, () => {
        const upgraded = next?.daemons[index]
        if (next === undefined || upgraded === undefined) throw new RangeError('an upgrade before the chain has ended')
        Object.assign(host, { network: next, daemon: upgraded, since: time.now() })
        next.startDaemon(upgraded)
        trace?.(() => `${old.name} comes back as ${upgraded.name}`)
      })
    }
  }
  function planStop({ daemon, fromMs, untilMs, orphans }: StopPlan): void {
    const stopped = home.daemons[daemon]
    if (stopped === undefined) throw new RangeError('a stop without a daemon')
    time.quietly(fromMs, () => home.cutOff(stopped, orphans))
    if (untilMs !== Number.POSITIVE_INFINITY) time.quietly(untilMs, () => home.rejoin(stopped))
  }
  /** Instances of functions; those of two fleets share nothing, and draw from separate sources. */
  const fleetOf = (source: Random, port: WorldSetting['indexer']) =>
    createFleet(source, time, start, {
      genesisStateHashes: pins,
      deaths,
      wallErrorMs,
      nodes: createWire(places, source, time, setting),
      indexer: port,
    })
  return {
    home,
    networks,
    places,
    /** The stage's network after its hard fork; undefined before. */
    next: () => next,
    /** Lets every network live until that time, and the hard fork come. */
    live(untilMs: () => number): void {
      for (const network of networks) network.live(untilMs)
      if (fork !== undefined) planFork(fork, untilMs)
      if (stop !== undefined) planStop(stop)
    },
    fleet: fleetOf(random, indexer),
    fleetOf,
  }
}
