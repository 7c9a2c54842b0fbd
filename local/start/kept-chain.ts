// An embedded chain that goes on after a restart. What was done to it is written down, a line each, and done again at the
// next start with the clock of then: the chain is determined by that.
import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chain } from '../chain/chain.ts'
import { createChain } from '../chain/chain.ts'
import type { ChainOptions } from '../chain/chain-options.ts'
import { createForkDay, type ForkDay } from '../chain/fork-day.ts'
import type { QueuedCommand } from '../chain/zkapp-command.ts'

/** What determines a chain besides what is done to it, by the variable of `npm start`. */
type Fixed = Required<Pick<ChainOptions, 'seed' | 'blockSeconds' | 'slotsPerEpoch'>>

/** The first line of the journal. */
interface Start extends Fixed {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly genesis: string
}

/** A later line: a method of the chain or of its day, and the tip after it. */
interface Step {
  readonly at: number
  readonly did: string
  readonly given: readonly unknown[]
  readonly tip: string
}

const ofChain = ['produceBlock', 'reorganise', 'sendPayment', 'sendDelegation', 'queueZkapp'] as const
/** Their argument is a command of the pool, which a line names by its hash. */
const ofQueued = ['evict', 'withhold'] as const
const ofDay = ['produceIfDue', 'pause', 'stop', 'fork', 'follow'] as const

const isOneOf = <Name extends string>(names: readonly Name[], name: unknown): name is Name =>
  names.some((one) => one === name)

/** JSON has no bigint, and a text may look like any form that stands for one. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? { bigint: String(part) } : part))

const read = (line: string): unknown =>
  JSON.parse(line, (_, part) => (typeof part?.bigint === 'string' ? BigInt(part.bigint) : part))

/** A submission that was refused has changed nothing. */
const isRefused = (result: unknown): boolean => typeof result === 'object' && result !== null && 'refused' in result

const queuedIn = (chain: Chain): readonly QueuedCommand[] => [...chain.pool(), ...chain.zkappPool()]

/** @throws Error of one line where the step does not fit the chain */
function repeat(day: ForkDay, { did, given }: Step): void {
  if (isOneOf(ofDay, did)) Reflect.apply(day[did], day, given)
  else if (isOneOf(ofChain, did)) Reflect.apply(day.node[did], day.node, given)
  else if (isOneOf(ofQueued, did)) {
    const command = queuedIn(day.node).find(({ hash }) => hash === given[0])
    if (command === undefined) throw new Error('its command is not in the pool')
    day.node[did](command)
  } else throw new Error('it names nothing that can be done')
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** @throws Error of one line if another process that runs has the folder */
function lock(folder: string): () => void {
  const file = join(folder, 'pid')
  const holder = Number(readOrNothing(file))
  if (holder > 0 && holder !== process.pid && isRunning(holder)) {
    throw new Error(`KEEP: ${folder} is in use by the process ${holder}. Stop it, or name another folder`)
  }
  writeFileSync(file, String(process.pid))
  return () => rmSync(file, { force: true })
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (Object(error).code === 'ENOENT') return ''
    throw error
  }
}

const variables = { blockSeconds: 'BLOCK_SECONDS', slotsPerEpoch: 'SLOTS_PER_EPOCH', seed: 'the seed' } as const

/** @throws Error of one line that names the first setting with which the chain was not made */
function checkFixed(folder: string, start: Start, fixed: Fixed): void {
  for (const name of ['blockSeconds', 'slotsPerEpoch', 'seed'] as const) {
    if (start[name] === fixed[name]) continue
    throw new Error(
      `KEEP: the chain in ${folder} was made with ${variables[name]}=${start[name]}, not ${fixed[name]}. Start it with that, or name another folder`,
    )
  }
}

export interface KeptChain {
  readonly day: ForkDay
  /** Lets another process have the folder. */
  release(): void
}

/**
 * The chain that a folder keeps, or a new one that it keeps from now on. A line that a crash has cut is dropped.
 *
 * @param now the clock from the start on, ms since 1970
 * @throws Error of one line for a folder that cannot be written, is in use, or holds a chain of other settings or of
 *   another version
 */
export function keptChain(
  folder: string,
  options: Fixed & Pick<ChainOptions, 'keptBlocks'>,
  now: () => number,
): KeptChain {
  const file = join(folder, 'chain.jsonl')
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new Error(`KEEP: ${folder} cannot be made a folder (${Object(error).code})`)
  }
  const release = lock(folder)
  try {
    return { day: dayOf(folder, file, options, now), release }
  } catch (error) {
    release()
    throw error
  }
}

function dayOf(folder: string, file: string, options: Fixed & Pick<ChainOptions, 'keptBlocks'>, now: () => number) {
  const { keptBlocks, ...fixed } = options
  const text = readOrNothing(file)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole))
  const [first, ...rest] = whole.split('\n').slice(0, -1)

  let at: number | undefined
  const clock = () => at ?? now()
  const atOneTime: AtOneTime = (run) => {
    const time = now()
    at = time
    try {
      return run(time)
    } finally {
      at = undefined
    }
  }
  const chainAt = (time: number) => {
    at = time
    return createForkDay(createChain({ ...fixed, ...(keptBlocks && { keptBlocks }), now: clock }))
  }
  const notMade = (line: number, why: string) =>
    new Error(`KEEP: line ${line} of ${file} cannot be repeated: ${why}. Name another folder`)

  if (first === undefined) {
    const made = now()
    const day = chainAt(made)
    at = undefined
    appendFileSync(file, `${written({ ...fixed, at: made, genesis: day.node.genesisBlock().stateHash })}\n`)
    return recorded(day, file, atOneTime)
  }
  const start = parsed(first) as Start | undefined
  if (typeof start?.at !== 'number') throw notMade(1, 'it is not the start of a chain')
  checkFixed(folder, start, fixed)
  const day = chainAt(start.at)
  if (day.node.genesisBlock().stateHash !== start.genesis) throw notMade(1, 'another version has made the chain')
  for (const [place, line] of rest.entries()) {
    const step = parsed(line) as Step | undefined
    if (typeof step?.at !== 'number' || !Array.isArray(step.given)) throw notMade(place + 2, 'it is not a step')
    at = step.at
    try {
      repeat(day, step)
    } catch (error) {
      throw notMade(place + 2, error instanceof Error ? error.message : String(error))
    }
    if (day.node.tip().stateHash !== step.tip) throw notMade(place + 2, 'it leads to another block')
  }
  at = undefined
  return recorded(day, file, atOneTime)
}

function parsed(line: string): unknown {
  try {
    return read(line)
  } catch {
    return undefined
  }
}

/** Does something while the chain's clock stands still, as it will when it is done again. */
type AtOneTime = <Result>(run: (at: number) => Result) => Result

/** The day, each change of which is written down. */
function recorded(day: ForkDay, file: string, atOneTime: AtOneTime): ForkDay {
  const recording =
    <Given extends readonly unknown[], Result>(
      did: string,
      run: (...given: Given) => Result,
      named = (given: Given): readonly unknown[] => given,
    ) =>
    (...given: Given): Result =>
      atOneTime((at) => {
        const before = day.node.tip()
        const result = run(...given)
        const isIdle = did === 'produceIfDue' && day.node.tip() === before
        const { stateHash: tip } = day.node.tip()
        const step: Step = { at, did, given: named(given).filter((one) => one !== undefined), tip }
        if (!isIdle && !isRefused(result)) appendFileSync(file, `${written(step)}\n`)
        return result
      })
  const node = new Proxy(day.node, {
    get(chain, key) {
      const value = Reflect.get(chain, key)
      if (isOneOf(ofChain, key)) return recording(key, value)
      return isOneOf(ofQueued, key) ? recording(key, value, ([{ hash }]: [QueuedCommand]) => [hash]) : value
    },
  })
  return {
    node,
    indexed: day.indexed,
    produceIfDue: recording('produceIfDue', day.produceIfDue),
    pause: recording('pause', day.pause),
    stop: recording('stop', day.stop),
    fork: recording('fork', day.fork),
    follow: recording('follow', day.follow),
  }
}
