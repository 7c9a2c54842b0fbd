// What those who wait ask, and when they are told: days of a chain in virtual time, played before the client of another checkout,
// such as the release before, and before this one's. Blocks reach the service 5 to 75 seconds after their slot's beginning, a
// cache keeps answers for 5 seconds, and the clients' clock is wrong by an hour. The exit code is 1 when a target is missed:
// requests in the mean of the days above their share of the other client's, something told later in the median, later by more
// than a slot, or not told. Of a wait's updates one a day may be missing, where a second block came before the next question.
//
//   npm run bench -- waiting --beside FOLDER             a checkout of this project
//   npm run bench -- waiting --beside FOLDER --days 1 --slot 180 --seed 2
//   npm run bench -- waiting --beside FOLDER --only sendQueue
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { createClient, QueuedCommand } from '../../client/src/client.ts'
import { createRandom } from '../../local/chain/random.ts'
import { chainDay, hash, payment, serviceBefore } from '../waiting/chain-day.ts'
import { createTime } from '../world/time.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    beside: { type: 'string', default: join(import.meta.dirname, '../..') },
    days: { type: 'string', default: '5' },
    slot: { type: 'string', default: '90' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const slotMs = 1000 * Number(values.slot)
const dayMs = 86_400_000
const clockErrorMs = 3_637_000
/** Beyond the time of the longest wait for 15 blocks. */
const paymentEveryMs = 90 * slotMs

type Client = ReturnType<typeof createClient>
/** Notes when something was told. */
type Tell = (what: string) => void

interface Waiter {
  /** Shares of the slots that have a block, with the most that this checkout may ask of what the other one does. */
  readonly densities: readonly (readonly [density: number, maxRatio: number])[]
  /** Another command used the nonce, and nothing shows which. */
  readonly isStuck?: true
  /** A day. */
  readonly maxRequests?: number
  /** @param payments calls back with each payment of the day when it is sent; any other command stays in the pool */
  run(client: Client, tell: Tell, payments: (follow: (name: string) => void) => void): void
}

const usual = [
  [0.44, 0.4],
  [0, 0.15],
] as const

const wait = (client: Client, name: string, tell: Tell, options = {}) =>
  void client.waitForInclusion(payment, hash(name), { patienceMs: dayMs, ...options }).then(({ state }) => {
    tell(`${name} ${state}`)
  })

const queueOf = (client: Client, commands: QueuedCommand[], tell: Tell) =>
  void client.sendQueue({
    commands: async () => commands,
    sending: async () => undefined,
    async settle(command, { state }) {
      commands.splice(commands.indexOf(command), 1)
      tell(`${command.hash} ${state}`)
    },
  })

const waiters: Readonly<Record<string, Waiter>> = {
  'waitForTransaction, nothing found': {
    densities: usual,
    run: (client) => void client.waitForTransaction(hash('unknown'), { patienceMs: dayMs }),
  },
  'waitForInclusion, always pending': {
    densities: usual,
    run: (client, tell) => wait(client, 'pending', tell),
  },
  'waitForInclusion of payments': {
    densities: [[0.44, 0.4]],
    run: (client, tell, payments) => payments((name) => wait(client, name, tell)),
  },
  'waitForInclusion of payments, onUpdate': {
    densities: [[0.44, 0.4]],
    run: (client, tell, payments) =>
      payments((name) => {
        const onUpdate = ({ state = '', confirmations = 0 }) => tell(`${name} ${state} ${confirmations}`)
        wait(client, name, tell, { onUpdate })
      }),
  },
  'sendQueue of one command': {
    densities: usual,
    run: (client, tell) => queueOf(client, [{ signed: payment, hash: hash('pending') }], tell),
  },
  // Where all nonces are used the release before rests for two minutes too.
  'sendQueue of payments': {
    densities: [[0.44, 1]],
    run: (client, tell, payments) => payments((name) => queueOf(client, [{ signed: payment, hash: hash(name) }], tell)),
  },
  'sendQueue, two that nothing settles': {
    densities: [[1, 0.4]],
    isStuck: true,
    maxRequests: 2000,
    run: (client, tell) =>
      queueOf(
        client,
        ['1', '2'].map((fee) => ({
          signed: { ...payment, payload: { ...payment.payload, fee } },
          hash: hash(`stuck ${fee}`),
        })),
        tell,
      ),
  },
  watchBlocks: {
    densities: usual,
    run: (client, tell) => void client.watchBlocks(({ cursor }) => tell(`block ${cursor.height}`)),
  },
  deposits: {
    densities: usual,
    async run(client, tell) {
      for await (const { cursor } of client.deposits({ keys: new Set() })) tell(`block ${cursor.height}`)
    },
  },
}

/** Plays one day before the client of a checkout. */
async function play(create: typeof createClient, waiter: Waiter, density: number, seed: string) {
  const time = createTime()
  const day = chainDay(time, { seed, density, slotMs, lastsMs: dayMs })
  const { fetch, counts, pay } = serviceBefore(day, waiter.isStuck === true)
  const random = createRandom(`clients of ${seed}`)
  const clock = { now: () => time.now() + clockErrorMs, random, wait: time.wait }
  const told = new Map<string, number>()
  const tell: Tell = (what) => {
    if (!told.has(what)) told.set(what, time.now())
  }
  const client = create({ baseUrl: 'https://service.example', network: 'testnet', fetch, clock })
  // Not at the beginning of a slot.
  await time.until(time.wait(Math.floor(random() * slotMs)))
  waiter.run(client, tell, (follow) => {
    for (let atMs = 0; atMs < dayMs - paymentEveryMs; atMs += paymentEveryMs) {
      time.after(atMs, () => {
        pay(`payment ${atMs}`)
        follow(`payment ${atMs}`)
      })
    }
  })
  await time.until(time.wait(dayMs))
  return { counts, told }
}

const median = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0

const clientOf = async (folder: string): Promise<typeof createClient> =>
  (await import(pathToFileURL(join(resolve(folder), 'client/src/client.ts')).href)).createClient
const [before, now] = [await clientOf(values.beside), await clientOf('.')]

for (const [name, waiter] of Object.entries(waiters).filter(([each]) => each.includes(values.only))) {
  for (const [density, maxRatio] of waiter.densities) {
    const requests: { before: number; now: number }[] = []
    const kinds = new Map<string, number>()
    const later: number[] = []
    let missing = 0
    for (let day = 0; day < Number(values.days); day++) {
      const seed = `${values.seed}-${day}`
      const old = await play(before, waiter, density, seed)
      const own = await play(now, waiter, density, seed)
      const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, each) => all + each, 0)
      requests.push({ before: sum(old.counts), now: sum(own.counts) })
      for (const [kind, count] of own.counts) kinds.set(kind, (kinds.get(kind) ?? 0) + count / Number(values.days))
      for (const [what, atMs] of old.told) {
        const ownAtMs = own.told.get(what)
        if (ownAtMs === undefined) missing += 1
        else later.push((ownAtMs - atMs) / 1000)
      }
    }
    const ratios = requests.map(({ before: old, now: own }) => own / old).sort((one, other) => one - other)
    later.sort((one, other) => one - other)
    const mean = (of: 'before' | 'now') =>
      Math.round(requests.reduce((sum, each) => sum + each[of], 0) / requests.length)
    const ratio = mean('now') / mean('before')
    const [halfway, latest] = [median(later), later.at(-1) ?? 0]
    const missed = Object.entries({
      [`above ${maxRatio} of the requests in the mean`]: ratio > maxRatio,
      [`above ${waiter.maxRequests} requests a day`]: mean('now') > (waiter.maxRequests ?? Infinity),
      'later in the median': halfway > 0,
      'later by more than a slot': latest > slotMs / 1000,
      'not told more than once a day': missing > Number(values.days),
    }).flatMap(([what, isMissed]) => (isMissed ? [what] : []))
    if (missed.length > 0) process.exitCode = 1
    const shown = [...kinds].map(([kind, count]) => `${kind} ${Math.round(count)}`).join(', ')
    console.log(
      `${missed.length > 0 ? `MISSED (${missed.join(', ')}) ` : ''}${name}, ${100 * density} % of slots: ${mean('before')} -> ${mean('now')} a day (${shown})`,
    )
    const spread = `${ratios[0]?.toFixed(3)} to ${ratios.at(-1)?.toFixed(3)}`
    console.log(`    ${ratio.toFixed(3)} of the requests in the mean (days ${spread}), at most ${maxRatio}`)
    if (later.length > 0) {
      console.log(
        `    ${later.length} told, later by ${halfway} s in the median, ${latest} s at most; ${missing} not yet`,
      )
    }
  }
}
