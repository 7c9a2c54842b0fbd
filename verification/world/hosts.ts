// Nodes in trouble, and settings that list one healthy node among them.
import { integerBetween, pick, type Random } from '../../local/chain/random.ts'
import { type Condition, calm } from './wire/place.ts'
import { alone, type HostSetting, type WorldSetting } from './world.ts'

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
