// What a daemon that stopped and goes on answering does to answers, over the embedded chain: beside a good one at another
// address, or behind the same one. Each answer is judged by the label that it bears, and programs that follow the chain by what
// they credited. Exit code 1 where one was wrong.
//
//   npm run bench -- stopped-daemon
//   npm run bench -- stopped-daemon --quick     fewer questions, stops and blocks
//   npm run bench -- stopped-daemon --why       each wrong answer, too
import { parseArgs } from 'node:util'
import { catchUps } from '../stopped-daemon/catch-up.ts'
import { type Fleet, type Layout, layouts, startFleet } from '../stopped-daemon/fleet.ts'
import { follow } from '../stopped-daemon/follow.ts'
import {
  fatePath,
  judgeBlocks,
  judgeFate,
  judgeHistory,
  judgePool,
  type ServiceAnswer,
  type Truth,
  truthOf,
  type Verdict,
} from '../stopped-daemon/judge.ts'
import { createStage, type Stage, type Stop, standingStage, stops } from '../stopped-daemon/stage.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, why: { type: 'boolean', default: false } },
})
const { quick, why } = values
const caughtUpBlocks = quick ? 60 : 250
const followedBlocks = quick ? 9 : 30

interface Tally {
  asked: number
  wrong: number
  old: number
  unavailable: number
  calls: number
  readonly whys: Map<string, number>
}

let faults = 0
const startedAt = performance.now()
const sinceStart = (): string => `${Math.round((performance.now() - startedAt) / 1000)} s`
const figures = new Map<string, Map<Layout, Tally>>()

const cells = (texts: readonly (string | number)[]): string => texts.map((text) => `${text}`.padStart(12)).join('')

async function ask(url: string): Promise<ServiceAnswer> {
  const response = await fetch(url)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Asks one question after the other, and counts the calls to the upstreams. */
function asking(fleet: Fleet, url: string, tally: Tally) {
  return async (path: string, judge: (asked: ServiceAnswer) => Verdict): Promise<ServiceAnswer> => {
    const before = fleet.counts().calls
    const asked = await ask(url + path)
    tally.calls += fleet.counts().calls - before
    tally.asked++
    const verdict = judge(asked)
    if (verdict === 'old') tally.old++
    else if (verdict === 'unavailable') tally.unavailable++
    else if (verdict !== 'right') {
      tally.wrong++
      tally.whys.set(verdict.wrong, (tally.whys.get(verdict.wrong) ?? 0) + 1)
    }
    return asked
  }
}

type Questions = (
  ask: ReturnType<typeof asking>,
  truth: Truth,
  stage: Stage,
  lost: readonly { readonly height: number; readonly stateHash: string }[],
) => Promise<void>

/** Pages of a history; after a 409 and a 503 the walk ends. */
const history: Questions = async (ask, truth, stage) => {
  const keys = ['alice', 'bob', 'carol'].map((name) => stage.walletOf(name).publicKey)
  for (const key of [...keys, ...stage.keys.slice(-6)]) {
    let cursor: string | undefined
    for (let pages = 0; pages < 6; pages++) {
      const path = `/accounts/${key}/transactions?limit=5${cursor === undefined ? '' : `&before=${cursor}`}`
      const { status, body } = await ask(path, (asked) => judgeHistory(truth, key, cursor, asked))
      cursor = status === 200 ? (body as { readonly next?: string }).next : undefined
      if (cursor === undefined) break
    }
  }
}

const questions: Readonly<Record<string, Questions>> = {
  'fates by hash': async (ask, truth, stage) => {
    for (const command of stage.sent) await ask(fatePath(command, false), (asked) => judgeFate(truth, command, asked))
  },
  'fates by terms': async (ask, truth, stage) => {
    for (const command of stage.sent) await ask(fatePath(command, true), (asked) => judgeFate(truth, command, asked))
  },
  histories: history,
  'histories, indexer': history,
  '/blocks/before': async (ask, truth, { chain }, lost) => {
    for (const { height, stateHash } of [...chain.frontier().slice(-30), ...lost]) {
      const cursor = `${height}-${stateHash}`
      await ask(`/blocks/before/${cursor}?limit=5`, (asked) => judgeBlocks(truth, cursor, asked))
    }
  },
  '/pool': async (ask, truth, stage) => {
    for (let times = 0; times < 10; times++) await ask('/pool', (asked) => judgePool(truth, undefined, asked))
    for (const name of ['alice', 'bob', 'carol', 'dave']) {
      const { publicKey } = stage.walletOf(name)
      for (let times = 0; times < 3; times++) {
        await ask(`/pool?account=${publicKey}`, (asked) => judgePool(truth, publicKey, asked))
      }
    }
  },
}

const settings: readonly { readonly layout: Layout; readonly stop: Stop }[] = (
  quick ? stops.filter((_, index) => index % 2 === 1) : stops
).flatMap((stop) => layouts.map((layout) => ({ layout, stop })))

/** The number of calls, beside the good daemon's. */
const ratio = (own: number, alone: number | undefined): string => (alone ? (own / alone).toFixed(2) : '')

async function standing({ layout, stop }: (typeof settings)[number]): Promise<void> {
  const { stage, stopped, lost } = standingStage(stop, caughtUpBlocks + 40)
  const truth = truthOf(stage.chain, stopped, layout !== 'one address')
  for (const [name, put] of Object.entries(questions)) {
    const fleet = await startFleet(layout, stage.now, stage.chain, () => stopped, name.endsWith('indexer'))
    const front = await fleet.front()
    const tally: Tally = { asked: 0, wrong: 0, old: 0, unavailable: 0, calls: 0, whys: new Map() }
    await put(asking(fleet, front.url, tally), truth, stage, lost)
    await front.close()
    await fleet.close()
    const key = `${stop.name} ${name}`
    const beside = figures.get(key) ?? new Map<Layout, Tally>()
    figures.set(key, beside.set(layout, tally))
    const alone = beside.get('the good daemon alone')
    const { asked, wrong, old, unavailable, calls } = tally
    faults += wrong
    console.log(
      `  ${name.padEnd(24)}${cells([asked, wrong, old, unavailable, (calls / asked).toFixed(2), ratio(calls, alone?.calls)])}`,
    )
    if (why) for (const [reason, count] of tally.whys) console.log(`      ${count} × ${reason}`)
  }
  await catchingUp(layout, stop, stage, () => stopped)
}

/** Over the good daemon alone. */
const caught = new Map<string, { readonly requests: number }>()

async function catchingUp(layout: Layout, stop: Stop, stage: Stage, stopped: () => Stage['chain']): Promise<void> {
  for (const [name, run] of Object.entries(catchUps)) {
    const fleet = await startFleet(layout, stage.now, stage.chain, stopped)
    const front = await fleet.front()
    const done = await run(front.url, stage, caughtUpBlocks)
    const { requests, refusals } = fleet.counts()
    await front.close()
    await fleet.close()
    const key = `${stop.name} ${name}`
    if (layout === 'the good daemon alone') caught.set(key, { requests })
    const { blocks, wrong, waitedMs } = done
    faults += wrong
    console.log(
      `  ${name.padEnd(24)}${cells([blocks, wrong, '', refusals, (requests / blocks).toFixed(2), ratio(requests, caught.get(key)?.requests)])}   waited ${Math.round(waitedMs / 1000)} s`,
    )
  }
}

for (const setting of settings) {
  console.log(`\n${setting.layout}; the daemon stopped ${setting.stop.name}   (${sinceStart()})`)
  console.log(`  ${''.padEnd(24)}${cells(['asked', 'wrong', 'old', '503', 'calls each', 'to alone'])}`)
  await standing(setting)
}

for (const [orphaned, when] of [
  [0, 'on the chain'],
  [4, 'on an orphan'],
] as const) {
  for (const layout of layouts.filter((each) => orphaned > 0 || each !== 'the good daemon alone')) {
    const stage = createStage(30)
    let stopped = stage.chain
    const fleet = await startFleet(layout, stage.now, stage.chain, () => stopped)
    const all = await follow(
      stage,
      fleet,
      followedBlocks,
      (chain) => {
        stopped = chain
      },
      orphaned,
    )
    const { requests, refusals } = fleet.counts()
    await fleet.close()
    console.log(`\n${layout}; followed while the daemon stops ${when}: ${requests} requests, ${refusals} answered 503`)
    console.log(
      `  ${''.padEnd(24)}${cells(['deposits', 'false', 'taken back', 'missing', 'mean delay', 'longest'])} blocks`,
    )
    for (const each of all) {
      const { name, deposits, falselyCredited, falselyTakenBack, hasEnded, missing, meanDelay, longestDelay } = each
      faults += falselyCredited + falselyTakenBack + missing + Number(hasEnded)
      console.log(
        `  ${name.padEnd(24)}${cells([deposits, falselyCredited, falselyTakenBack, missing, meanDelay.toFixed(2), longestDelay])}${hasEnded ? '   gave up' : ''}`,
      )
    }
  }
}
console.log(`\n${faults} wrong; ${sinceStart()}`)
if (faults > 0) process.exitCode = 1
