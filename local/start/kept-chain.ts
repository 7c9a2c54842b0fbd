// An embedded chain that goes on after a restart. What was done to it is written down, a line each, and done again at the
// next start with the clock of then: the chain is determined by that.
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Chain } from '../../packages/testnet/chain.ts'
import { createChain } from '../../packages/testnet/chain.ts'
import type { ChainOptions } from '../../packages/testnet/chain-options.ts'
import { createForkDay, type ForkDay } from '../../packages/testnet/fork-day.ts'
import type { QueuedCommand } from '../../packages/testnet/zkapp-command.ts'

/** The options that determine a chain besides what is done to it, by the variable of `npm start`. */
type Fixed = Required<Pick<ChainOptions, 'seed' | 'blockSeconds' | 'slotsPerEpoch'>>

/** The first line of the journal. */
interface Start extends Fixed {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly genesis: string
  /** Each later line ends with its checksum. Those of older versions have none. */
  readonly checked?: true
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
const ofQueued = ['evict', 'withhold', 'stopGossip'] as const
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
  else if (isOneOf(ofChain, did)) {
    if (isRefused(Reflect.apply(day.node[did], day.node, given))) throw new Error('the chain refuses its command')
  } else if (isOneOf(ofQueued, did)) {
    const command = queuedIn(day.node).find(({ hash }) => hash === given[0])
    if (command === undefined) throw new Error('its command is not in the pool')
    day.node[did](command)
  } else throw new Error('it names nothing that can be done')
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Of another user.
    return Object(error).code === 'EPERM'
  }
}

/** A lock that was made so lately that its maker may be about to write its process into it. */
const youngMs = 5000

/** The number of a lock by its name, `pid.3`; `pid` is that of an older version. */
function lockNumber(name: string): readonly number[] {
  const found = /^pid(?:\.(\d+))?$/.exec(name)
  return found === null ? [] : [Number(found[1] ?? 0)]
}

const lockFile = (folder: string, number: number): string => join(folder, number === 0 ? 'pid' : `pid.${number}`)

const locksIn = (folder: string): readonly number[] => readdirSync(folder).flatMap(lockNumber)

/** True if the holder of a lock may still run. */
function isHeld(file: string): boolean {
  const holder = readOrNothing(file)
  if (holder === '') {
    // A lock that is gone was left behind, and another process has just taken the folder.
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    return Date.now() - made < youngMs
  }
  return Number(holder) > 0 && Number(holder) !== process.pid && isRunning(Number(holder))
}

/**
 * Takes a folder for this process. A lock is a file that one process alone can create, with the number after the newest: of
 * two that find one left behind, one gets the folder. It stays, without a holder, so that no number comes twice.
 *
 * @throws Error of one line if another process that runs has the folder
 */
function lock(folder: string): () => void {
  const inUse = (number: number) => {
    const holder = Number(readOrNothing(lockFile(folder, number)))
    return new Error(
      `KEEP: ${folder} is in use by ${holder > 0 ? `the process ${holder}` : 'another process'}. Stop it, or name another folder`,
    )
  }
  const before = locksIn(folder)
  const newest = Math.max(0, ...before)
  if (before.length > 0 && isHeld(lockFile(folder, newest))) throw inUse(newest)
  const own = newest + 1
  const file = lockFile(folder, own)
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    throw Object(error).code === 'EEXIST' ? inUse(own) : error
  }
  const after = Math.max(...locksIn(folder))
  if (after !== own) {
    rmSync(file)
    throw inUse(after)
  }
  for (const number of before) rmSync(lockFile(folder, number), { force: true })
  return () => {
    if (existsSync(file)) writeFileSync(file, '0')
  }
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
function checkFixed(file: string, start: Start, fixed: Fixed): void {
  for (const name of ['blockSeconds', 'slotsPerEpoch', 'seed'] as const) {
    if (start[name] === fixed[name]) continue
    throw new Error(
      `KEEP: the chain in ${file} was made with ${variables[name]}=${start[name]}, not ${fixed[name]}. Start it with that, or name another folder`,
    )
  }
}

export interface KeptChain {
  readonly day: ForkDay
  /** Lets another process have the folder. */
  release(): void
}

/** Tells a person at the terminal about a folder. */
export interface Terminal {
  say(line: string): void
  /** The chain in memory has gone on without its folder, so nothing more may be answered from it. */
  end(line: string): never
}

const terminal: Terminal = {
  say: (line) => console.error(line),
  end(line) {
    console.error(line)
    process.exit(1)
  },
}

/** The reason of the file system, where an error is from there. */
function fromFileSystem(error: unknown, folder: string): unknown {
  const { code, syscall } = Object(error)
  return code === undefined || syscall === undefined
    ? error
    : new Error(`KEEP: ${folder} cannot be read and written (${code}). Name another folder`)
}

/**
 * The chain that a folder keeps, or a new one that it keeps from now on. A line that a crash has cut is dropped, with a word.
 *
 * @param now the clock from the start on, ms since 1970
 * @throws Error of one line for a folder that cannot be written, is in use, or holds a chain of other settings or of
 *   another version
 */
export function keptChain(
  folder: string,
  options: Fixed & Pick<ChainOptions, 'keptBlocks'>,
  now: () => number,
  told: Terminal = terminal,
): KeptChain {
  const file = join(folder, 'chain.jsonl')
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new Error(`KEEP: ${folder} cannot be made a folder (${Object(error).code})`)
  }
  let release: (() => void) | undefined
  try {
    release = lock(folder)
    return { day: dayOf(file, options, now, told), release }
  } catch (error) {
    release?.()
    throw fromFileSystem(error, folder)
  }
}

/** Of a line without its end, at its end. */
const checksum = (line: string): string => createHash('sha256').update(line).digest('hex').slice(0, 8)

/** Writes whole lines, each before it returns. */
interface Journal {
  write(value: unknown): void
}

/**
 * @param size bytes of the whole lines in the file
 * @param isChecked false for a file of an older version
 */
function journalOf(file: string, size: number, isChecked: boolean, { end }: Terminal): Journal {
  let length = size
  return {
    write(value) {
      const text = written(value)
      const line = isChecked ? `${text} ${checksum(text)}\n` : `${text}\n`
      try {
        appendFileSync(file, line)
        length += Buffer.byteLength(line)
      } catch (error) {
        try {
          truncateSync(file, length)
        } catch {
          // The next start drops the part of the line that was written.
        }
        end(
          `KEEP: ${file} cannot be written (${Object(error).code}), so the service stops. What it answered before is kept.`,
        )
      }
    },
  }
}

/** The text of a line whose checksum is right; undefined for any other. */
function checkedText(line: string): string | undefined {
  const [, text, sum] = /^(.*) ([0-9a-f]{8})$/.exec(line) ?? []
  return text !== undefined && checksum(text) === sum ? text : undefined
}

function dayOf(
  file: string,
  options: Fixed & Pick<ChainOptions, 'keptBlocks'>,
  now: () => number,
  told: Terminal,
): ForkDay {
  const { keptBlocks, ...fixed } = options
  const text = readOrNothing(file)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) {
    truncateSync(file, Buffer.byteLength(whole))
    told.say(`KEEP: the last line of ${file} was cut off in the middle, and is dropped.`)
  }
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
    const journal = journalOf(file, 0, true, told)
    const start: Start = { ...fixed, at: made, genesis: day.node.genesisBlock().stateHash, checked: true }
    journal.write(start)
    return recorded(day, journal, atOneTime)
  }
  const firstText = checkedText(first)
  const start = parsed(firstText ?? first) as Start | undefined
  if (typeof start?.at !== 'number') throw notMade(1, 'it is not the start of a chain')
  const isChecked = start.checked === true
  if (isChecked && firstText === undefined) throw notMade(1, 'it is damaged')
  checkFixed(file, start, fixed)
  const day = chainAt(start.at)
  if (day.node.genesisBlock().stateHash !== start.genesis) throw notMade(1, 'another version has made the chain')
  for (const [place, line] of rest.entries()) {
    const stepText = isChecked ? checkedText(line) : line
    if (stepText === undefined) throw notMade(place + 2, 'it is damaged')
    const step = parsed(stepText) as Step | undefined
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
  return recorded(day, journalOf(file, Buffer.byteLength(whole), isChecked, told), atOneTime)
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
function recorded(day: ForkDay, journal: Journal, atOneTime: AtOneTime): ForkDay {
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
        if (!isIdle && !isRefused(result)) journal.write(step)
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
