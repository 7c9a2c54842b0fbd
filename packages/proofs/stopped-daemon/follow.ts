// Programs that follow the chain and credit deposits, over a fleet whose one daemon has stopped: what each credited, and when.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cursor, nextStep } from '../../../docs/recipes/follow-the-chain.ts'
import { createClient } from '../../client/src/client.ts'
import { commandOf, ExchangeProgram, type Language, languages } from '../exchange-day/program.ts'
import type { Fleet } from './fleet.ts'
import { network, orphanBlocks, type Stage, stoppedCopy } from './stage.ts'

/** Follows until it is closed. */
interface Follower {
  readonly name: string
  /** Its books are read after so many blocks: those of another process take their time. */
  readonly readEvery: number
  /** The keys that its books credit now. */
  credited(): ReadonlySet<string>
  /** Resolves when it has looked at the chain as it is now, at least once. */
  looked(): Promise<void>
  /** It gave up. */
  hasEnded(): boolean
  /** Blocks that it took back while the chain held them. */
  readonly falselyTakenBack: () => number
  close(): Promise<void>
}

/** Blocks on top of a deposit. */
export const confirmations = 5

/** A step of either kind: blocks credited, or taken back. */
type Step = { readonly stateHash: string; readonly keys: readonly string[] | undefined }

function books(stage: Stage) {
  const blocks = new Map<string, readonly string[]>()
  let falsely = 0
  return {
    credit: ({ stateHash, keys = [] }: Step) => void blocks.set(stateHash, keys),
    takeBack({ stateHash }: Step) {
      blocks.delete(stateHash)
      if (stage.chain.isCanonical(stateHash)) falsely++
    },
    credited: () => new Set([...blocks.values()].flat()),
    falselyTakenBack: () => falsely,
  }
}

/** Of a program in this process: polls of ten seconds are nine or more a block. */
const looksABlock = 4

/** Lets a program in this process look so often for each call of `looked`. */
function turns() {
  let waiting: (() => void) | undefined
  let arrived = Promise.withResolvers<void>()
  let isOver = false
  return {
    isOver: () => isOver,
    /** The program's pause. */
    pause: () =>
      new Promise<void>((resolve) => {
        waiting = resolve
        arrived.resolve()
        if (isOver) resolve()
      }),
    /** Lets it go on, pause after pause. */
    async next() {
      for (let looks = 0; looks < looksABlock && !isOver; looks++) {
        await arrived.promise
        if (isOver) return
        arrived = Promise.withResolvers()
        waiting?.()
        await arrived.promise
      }
    },
    end() {
      isOver = true
      waiting?.()
      arrived.resolve()
    },
  }
}

async function clientFollower(stage: Stage, fleet: Fleet): Promise<Follower> {
  const front = await fleet.front()
  const { pause, next, end, isOver } = turns()
  const over = new AbortController()
  const own = books(stage)
  const clock = { now: stage.now, random: () => 0.5, wait: pause }
  const client = createClient({ baseUrl: front.url, network, clock })
  const run = async () => {
    const keys = { has: (key: string) => stage.keys.includes(key) }
    for await (const { state, stateHash, deposits } of client.deposits({
      keys,
      confirmations,
      signal: over.signal,
    })) {
      const step = { stateHash, keys: deposits?.map(({ publicKey }) => publicKey) }
      if (state === 'credited') own.credit(step)
      else own.takeBack(step)
      if (isOver()) return
    }
  }
  let hasEnded = false
  const done = run().catch(() => {
    hasEnded = !over.signal.aborted
    end()
  })
  return {
    ...{ name: 'deposits()', readEvery: 1, hasEnded: () => hasEnded },
    ...{ credited: own.credited, falselyTakenBack: own.falselyTakenBack, looked: next },
    async close() {
      over.abort()
      end()
      await done
      await front.close()
    },
  }
}

async function recipeFollower(stage: Stage, fleet: Fleet): Promise<Follower> {
  const front = await fleet.front()
  const { pause, next, end, isOver } = turns()
  const own = books(stage)
  const run = async () => {
    let cursor: Cursor | undefined
    while (!isOver()) {
      const step = await nextStep(front.url, cursor, confirmations).catch(() => undefined)
      if (step?.added) {
        const { stateHash, transactions } = step.added
        own.credit({ stateHash, keys: transactions.userCommands.map(({ to }) => to) })
      } else if (step?.orphaned) own.takeBack({ stateHash: step.orphaned.stateHash, keys: undefined })
      else await pause()
      cursor = step?.cursor ?? cursor
    }
  }
  const done = run()
  return {
    ...{ name: 'the recipe in TypeScript', readEvery: 1, hasEnded: () => false },
    ...{ credited: own.credited, falselyTakenBack: own.falselyTakenBack, looked: next },
    async close() {
      end()
      await done
      await front.close()
    },
  }
}

async function programFollower(stage: Stage, fleet: Fleet, language: Language): Promise<Follower | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'stopped-daemon-'))
  const command = commandOf(language, folder)
  if (command === undefined) return undefined
  let rounds = 0
  // A round ends with the wallet's account, or with what the program says of its trouble.
  const front = await fleet.front((path) => {
    if (path.startsWith('/accounts/')) rounds++
  })
  const { publicKey: from, privateKey } = stage.walletOf('erin')
  const setting = { url: front.url, network, from, privateKey, confirmations, pollSeconds: 0.02 }
  const program = new ExchangeProgram(command, folder, setting)
  program.onLine = () => {
    rounds++
  }
  program.start()
  let known = 0
  return {
    ...{ name: `the recipe in ${language === 'python' ? 'Python' : 'Go'}`, readEvery: 3 },
    hasEnded: () => program.hasEnded,
    credited: () => new Set(Object.keys(program.books().deposits)),
    falselyTakenBack: () => 0,
    async looked() {
      if (stage.keys.length > known) program.addKeys(stage.keys.slice(known))
      known = stage.keys.length
      // The round that runs now may have begun before.
      const wanted = rounds + 2
      while (rounds < wanted && !program.hasEnded) await sleep(5)
    },
    async close() {
      await program.kill()
      await front.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Whom to follow the chain. */
export async function startFollowers(stage: Stage, fleet: Fleet): Promise<readonly Follower[]> {
  const programs = await Promise.all(languages.map((language) => programFollower(stage, fleet, language)))
  const own = [await clientFollower(stage, fleet), await recipeFollower(stage, fleet)]
  return [...own, ...programs.filter((program) => program !== undefined)]
}

export interface Followed {
  readonly name: string
  readonly deposits: number
  /** Credited while the best chain holds no such payment. */
  readonly falselyCredited: number
  readonly falselyTakenBack: number
  readonly hasEnded: boolean
  /** Not credited at the end. */
  readonly missing: number
  /** Blocks of the chain from when a deposit was deep enough until it was credited. */
  readonly meanDelay: number
  readonly longestDelay: number
}

/**
 * A payment in each block, while one daemon stops after some of them.
 *
 * @param orphaned number of blocks, the last ones that the stopped daemon has, that the chain gives up
 */
export async function follow(
  stage: Stage,
  fleet: Fleet,
  blocks: number,
  stop: (chain: ReturnType<typeof stoppedCopy>) => void,
  orphaned: number,
): Promise<readonly Followed[]> {
  const { chain } = stage
  const followers = await startFollowers(stage, fleet)
  const creditedAt = followers.map(() => new Map<string, number>())
  const falsely = followers.map(() => new Set<string>())
  const paidIn = new Map<string, number>()
  async function look() {
    await Promise.all(followers.map((each) => each.looked()))
    const onChain = new Map(
      chain.bestChain().flatMap(({ height, userCommands }) => userCommands.map(({ command }) => [command.to, height])),
    )
    for (const key of stage.keys) {
      const height = onChain.get(key)
      if (height === undefined) paidIn.delete(key)
      else paidIn.set(key, height)
    }
    const own = new Set(stage.keys)
    for (const [index, follower] of followers.entries()) {
      if (chain.tip().height % follower.readEvery !== 0) continue
      for (const key of follower.credited()) {
        if (!own.has(key)) continue
        if (!onChain.has(key)) falsely[index]?.add(key)
        else if (!creditedAt[index]?.has(key)) creditedAt[index]?.set(key, chain.tip().height)
      }
    }
  }
  const step = async (isPaying: boolean) => {
    if (isPaying) stage.pay('alice')
    stage.produceBlock()
    await look()
  }
  await look()
  for (let made = 0; made < 3; made++) await step(true)
  if (orphaned === 0) stop(stoppedCopy(chain))
  for (let made = 0; made < orphaned; made++) await step(true)
  if (orphaned > 0) {
    stop(stoppedCopy(chain))
    orphanBlocks(stage, orphaned, 'alice')
  }
  for (let made = 0; made < blocks; made++) await step(true)
  for (let made = 0; made < 3 * confirmations + 1; made++) await step(false)
  const ends = followers.map((each) => each.hasEnded())
  await Promise.all(followers.map((each) => each.close()))
  return followers.map(({ name, falselyTakenBack }, index) => {
    const credited = creditedAt[index] ?? new Map<string, number>()
    const delays = [...paidIn].flatMap(([key, height]) => {
      const at = credited.get(key)
      return at === undefined ? [] : [at - height - confirmations]
    })
    return {
      name,
      deposits: paidIn.size,
      falselyCredited: falsely[index]?.size ?? 0,
      falselyTakenBack: falselyTakenBack(),
      hasEnded: ends[index] === true,
      missing: paidIn.size - delays.length,
      meanDelay: delays.reduce((sum, delay) => sum + delay, 0) / Math.max(1, delays.length),
      longestDelay: Math.max(0, ...delays),
    }
  })
}
