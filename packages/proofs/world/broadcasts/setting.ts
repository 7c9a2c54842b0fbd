// The parameters of a history: which nodes the settings list, how they and the wire behave, how busy the clients are.
import { integerBetween, pick, type Random } from '../../../testnet/random.ts'
import { besideHealthy } from '../hosts.ts'
import type { Condition, Script } from '../wire/place.ts'
import { noChances } from '../wire/wire.ts'
import { alone, type PlaceSetting, type WorldSetting } from '../world.ts'

export interface Setting extends WorldSetting {
  readonly senders: number
  /** Of each wallet. */
  readonly actions: number
  /** The probability that it does anything but send a new command. */
  readonly whims: number
  /** The longest pause of a wallet between two actions. */
  readonly thinkMs: number
}

const quickWith =
  (condition: Partial<Condition> = {}): Script =>
  (_since, random) => ({ latencyMs: integerBetween(random, 4, 300), ...condition })
const quick = quickWith()

/** The troubles of one node, beside what the wire does by chance. */
const troubles: readonly Script[] = [
  quick,
  quick,
  quickWith({ statusMs: 2_500 }),
  quickWith({ hangsAt: 'daemonStatus' }),
  quickWith({ refusedShare: 0.2 }),
  (since) => (since < 30_000 ? { health: 'refusing', state: 'down', latencyMs: 5 } : { state: 'up' }),
  (since) => ({ latencyMs: 50, health: since > 20_000 && since < 60_000 ? 'breaking' : 'ok' }),
  () => ({ health: 'silent' }),
]

const sharedAddress = (random: Random): PlaceSetting => ({
  hosts: [{ script: quick }, { script: quick }],
  sharedAddress: true,
  balancing: pick(random, ['call', 'request', 'first'] as const),
})

/** One to five nodes: some in trouble, some of another network. */
function mixedPlaces(random: Random): readonly PlaceSetting[] {
  const count = integerBetween(random, 1, 5)
  if (count === 1) return [sharedAddress(random)]
  return Array.from({ length: count }, (_, index) => {
    const dice = random()
    const script = random() < 0.5 ? quick : pick(random, troubles)
    if (index > 0 && dice < 0.2) return alone({ isForeign: true, script: quick })
    if (index > 0 && dice < 0.3) return alone({ kind: 'rust', script: quick })
    return dice > 0.9 ? sharedAddress(random) : alone({ script })
  })
}

/** Which nodes are listed. The last one is for cold instances, in half of the histories with good commands only. */
const placesOf = {
  'one address': (random: Random) => [sharedAddress(random)],
  'three addresses': () => Array.from({ length: 3 }, () => alone({ script: quick })),
  'nodes behind': (random: Random) =>
    [0, 1, integerBetween(random, 2, 3)].map((lag) => alone({ script: quickWith({ lag }) })),
  mixed: mixedPlaces,
  'beside a healthy node': () => [],
} satisfies Record<string, (random: Random) => readonly PlaceSetting[]>

export type Layout = keyof typeof placesOf
export const layouts = Object.keys(placesOf) as readonly Layout[]

const shuffled = <T>(random: Random, items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({ item, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item)

export function settingOf(random: Random, layout: Layout): Setting {
  const places = placesOf[layout](random)
  const isPinned = random() < 0.5
  const mutationFaults = pick(random, [0, 0.05, 0.2, 0.5, 0.8])
  const setting: Setting = {
    places: isPinned ? shuffled(random, places) : places,
    isPinned,
    // Short enough for commands to expire within a history.
    slotMs: 10_000,
    height: 1,
    // Little more than the service reads of a node, so that commands leave it within a history.
    frontierBlocks: 24,
    deaths: pick(random, [0, 0.1, 0.5, 1]),
    acceptsDuplicates: random() < 0.85,
    gossipMs: [100, pick(random, [300, 1000, 2500])],
    blockLagMs: pick(random, [100, 500]),
    blockEveryMs: pick(random, [[5_000, 12_000] as const, [20_000, 60_000] as const, [5_000, 90_000] as const]),
    mutationFaults,
    queryFaults: mutationFaults * pick(random, [0, 0.5, 1]),
    reorganisations: pick(random, [0, 0.1, 0.3]),
    overload: pick(random, [0, 0, 0, 0.05, 0.3]),
    restarts: pick(random, [0, 0, 1, 2]),
    senders: integerBetween(random, 1, 3),
    actions: integerBetween(random, 1, 5),
    whims: 1,
    thinkMs: pick(random, [1_000, 10_000, 30_000, 120_000]),
  }
  if (layout === 'nodes behind')
    return { ...setting, isPinned: true, blockEveryMs: [5_000, 12_000], reorganisations: 0.3 }
  if (layout !== 'beside a healthy node') return setting
  const quiet = { ...noChances, reorganisations: 0, restarts: 0, deaths: 1, senders: 1, whims: pick(random, [0, 1]) }
  return { ...setting, ...quiet, ...besideHealthy(random) }
}
