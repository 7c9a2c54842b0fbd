// Nodes in trouble, and settings that list one healthy node among them, or one that has stopped.
import { integerBetween, pick, type Random } from '../../testnet/random.ts'
import type { StopPlan } from './stops.ts'
import { type Condition, calm, type Script } from './wire/place.ts'
import type { Chances } from './wire/wire.ts'
import { alone, type HostSetting, type PlaceSetting, type WorldSetting } from './world.ts'

const always = (condition: Partial<Condition>): HostSetting => ({ script: () => ({ ...calm, ...condition }) })

const noHelp: readonly HostSetting[] = [
  always({ health: 'refusing', state: 'down' }),
  always({ health: 'breaking' }),
  always({ health: 'silent' }),
  always({ health: 'error-500' }),
  always({ refusedShare: 1 }),
  always({ state: 'bootstrapping' }),
  always({ state: 'without-ledger' }),
  always({ hangsAt: 'daemonStatus' }),
  { isForeign: true },
  { kind: 'rust' },
]

const healthy = (random: Random): HostSetting =>
  always({ latencyMs: integerBetween(random, 5, 100), statusMs: pick(random, [0, 0, 2500]) })

/** One healthy node of the stage's network, pinned or listed first, among others: healthy, or no help. */
export function besideHealthy(random: Random): Pick<WorldSetting, 'places' | 'isPinned'> {
  const isPinned = random() < 0.5
  const hosts = Array.from({ length: integerBetween(random, 1, 4) }, () =>
    random() < 0.2 ? healthy(random) : pick(random, noHelp),
  )
  const at = isPinned ? integerBetween(random, 0, hosts.length) : 0
  return { places: hosts.toSpliced(at, 0, healthy(random)).map(alone), isPinned }
}

/** The stopped daemon and a good one, as settings list them. */
export function placesOfStop({ sharesAddress, balancing }: StopPlan, script: Script): readonly PlaceSetting[] {
  const host = { script }
  return sharesAddress ? [{ hosts: [host, host], sharedAddress: true, balancing }] : [alone(host), alone(host)]
}

/** A script that delays each answer. */
export const quickly =
  (maxMs: number): Script =>
  (_since: number, random: Random) => ({ latencyMs: integerBetween(random, 4, maxMs) })

/** Differs from the setting of other histories: two daemons that settings list, and one that they do not, which makes blocks. */
export const settingOfStop = (stop: StopPlan, { mutationFaults, queryFaults }: Chances) => ({
  stop,
  places: placesOfStop(stop, quickly(300)),
  unlisted: 1,
  isPinned: true,
  // The judge of pages knows no lost answers.
  mutationFaults: mutationFaults / 4,
  queryFaults: queryFaults / 4,
  restarts: 0,
  blockEveryMs: [5_000, 12_000] as const,
  height: 45,
  frontierBlocks: 24,
})
