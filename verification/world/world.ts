// The simulated world: networks of daemons, the places at which settings list them, and instances of the service.
import type { Random } from '../../local/chain/random.ts'
import type { Kind } from './chain/daemon.ts'
import { createNetwork, homeName, type NetworkSetting } from './chain/network.ts'
import { createFleet, type FleetSetting } from './service/fleet.ts'
import type { StartService } from './service/service.ts'
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
    Omit<NetworkSetting, 'name' | 'daemons' | 'balance'>,
    Pick<FleetSetting, 'deaths' | 'indexer' | 'wallErrorMs'> {
  /** In the order of the settings. Without a pin the first one is of the stage's network. */
  readonly places: readonly PlaceSetting[]
  readonly isPinned: boolean
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
  const { isPinned, deaths, indexer, wallErrorMs } = setting
  const all = setting.places.flatMap(({ hosts }) => hosts)
  const networkOf = (name: string, balance: bigint, hosts: readonly HostSetting[]) => {
    const daemons = hosts.map(({ kind = 'daemon' }) => kind)
    return createNetwork(random, time, { ...setting, name, balance, daemons }, changed, trace)
  }
  const foreign = all.filter(({ isForeign }) => isForeign)
  const own = all.filter(({ isForeign }) => !isForeign)
  const home = networkOf(homeName, 1_000_000_000_000n, own)
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
  /** Instances of functions; those of two fleets share nothing, and draw from separate sources. */
  const fleetOf = (source: Random, port: WorldSetting['indexer']) =>
    createFleet(source, time, start, {
      genesisStateHashes: isPinned ? [home.genesisStateHash] : [],
      deaths,
      wallErrorMs,
      nodes: createWire(places, source, time, setting),
      indexer: port,
    })
  return { home, networks, places, fleet: fleetOf(random, indexer), fleetOf }
}
