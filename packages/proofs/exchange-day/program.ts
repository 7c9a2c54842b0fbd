// The programs of docs/recipes in other languages, as an exchange runs them.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Random } from '../../testnet/random.ts'

const recipes = join(import.meta.dirname, '../../../docs/recipes')

export const languages = ['python', 'go'] as const
export type Language = (typeof languages)[number]

/** The options of a program on a chain whose day passes in minutes. */
export const hurried: Readonly<Record<Language, readonly string[]>> = {
  python: ['--costly-per-minute', '1000000'],
  go: ['--costly-per-minute', '1000000'],
}

/** The whole command of a program, given a subcommand and its options. */
type Command = (options: readonly string[]) => readonly string[]

/**
 * @param folder for what is built
 * @returns undefined where the language is not installed
 */
export function commandOf(language: Language, folder: string): Command | undefined {
  if (language === 'python') {
    const python = pythonHere()
    if (python === undefined) return undefined
    return (options) => [python, join(recipes, 'python/exchange.py'), ...options]
  }
  if (!succeeds('go', ['version'])) return undefined
  const program = join(folder, process.platform === 'win32' ? 'exchange.exe' : 'exchange')
  execFileSync('go', ['build', '-o', program, '.'], { cwd: join(recipes, 'go') })
  return (options) => [program, ...options]
}

/** The name of a Python that can run the recipes; undefined where there is none. */
export function pythonHere(): string | undefined {
  const check = 'import sys, sqlite3; assert sys.version_info >= (3, 9)'
  return ['python3', 'python'].find((name) => succeeds(name, ['-c', check]))
}

function succeeds(program: string, options: readonly string[]): boolean {
  try {
    execFileSync(program, options, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const openStates = ['waiting', 'perhaps paid', 'signed', 'sent', 'being replaced', 'included', 'failing'] as const

/** False once no payment will be made for an order any more. */
export const isOpen = (withdrawal: Withdrawal | undefined): boolean =>
  withdrawal === undefined || openStates.some((state) => state === withdrawal.state)

export interface Withdrawal {
  readonly state: (typeof openStates)[number] | 'paid' | 'failed' | 'refused' | 'replaced' | 'cancelled' | 'invalid'
  readonly amount: string
  /** Of the bid that was charged; absent before, and where nobody knows it. */
  readonly fee?: string
  readonly bids: number
  /** Of the bid that was charged, or else may be; absent before one is signed. */
  readonly hash?: string
  readonly nonce?: number
  /** The height of the block of one that is included or failing, with the blocks on top, or of one that is paid or failed. */
  readonly block?: number
  readonly confirmations?: number
  /** True while a decision of a person is missing, so that it is not signed. */
  readonly isHeld?: boolean
  /** Hashes of payments that were declared foreign, and have its terms. */
  readonly heldBy?: readonly string[]
  /** Hashes of its payments, where several are in blocks. */
  readonly paidTwice?: readonly string[]
}

/** A payment of the wallet that the books do not know; without a hash nonces that somebody used. */
export interface ForeignPayment {
  readonly nonce: number
  readonly hash?: string
  /** The order that asks for this payment. */
  readonly order?: string
  readonly state: string
}

export interface Books {
  /** Of the block taken last; null or 0 before the first. */
  readonly height: number | null
  readonly time: string | null
  /** Nanomina by key. */
  readonly deposits: Readonly<Record<string, string>>
  readonly withdrawals: Readonly<Record<string, Withdrawal>>
  readonly invalid: readonly InvalidLine[]
  /** Absent while there is none. */
  readonly foreign?: readonly ForeignPayment[]
  /** Deposits that a reorganisation took, and no block holds again. Absent while there is none. */
  readonly takenBack?: readonly { readonly key: string; readonly amount: string; readonly height: number }[]
  readonly isCompared?: boolean
  /**
   * The first block whose deposits are credited, and for keys that came later the height of theirs. The former is absent before
   * it, and in books of an earlier version.
   */
  readonly depositsFrom?: {
    readonly height?: number
    readonly time?: string
    readonly keys?: Readonly<Record<string, number>>
  }
  /** Of a walk over old blocks that is under way: its first block, and the one taken last; null or 0 before that. */
  readonly walk?: { readonly from: number; readonly height: number | null }
  /** The height of the chain. */
  readonly tip?: number | null
}

/** A line of orders.jsonl that is never paid. */
export interface InvalidLine {
  /** From 1. */
  readonly line: number
  readonly id?: string
  readonly reason: string
}

/** A line of a day's report. Amounts in nanomina. */
export interface Reported {
  /** Of the block: ISO-8601, UTC. */
  readonly time: string
  readonly height: string
  readonly kind: 'deposit' | 'withdrawal' | 'failed' | 'foreign'
  readonly id: string
  readonly key: string
  readonly amount: string
  readonly fee: string
  readonly hash: string
}

export interface Setting {
  readonly url: string
  readonly network: string
  readonly from: string
  readonly privateKey: string
  readonly confirmations: number
  readonly pollSeconds: number
  /** The time that a round gives its signers; by default the program's own. */
  readonly signSeconds?: number
  /** The file that signs; by default that of the recipes. */
  readonly signer?: string
  /** More options of the program. */
  readonly options?: readonly string[]
}

const withoutTime = (line: string) => line.replace(/^\d{4}(?:-\d\d){2}T\d\d(?::\d\d){2}Z /, '')

/** A program that can be killed at any time, and goes on from its folder. */
export class ExchangeProgram {
  readonly #command: Command
  readonly #folder: string
  readonly #setting: Setting
  #child: ChildProcess | undefined
  #log: string[] = []

  /** @param folder perhaps that of another program */
  constructor(command: Command, folder: string, setting: Setting) {
    this.#command = command
    this.#folder = folder
    this.#setting = setting
    for (const file of ['keys.txt', 'orders.jsonl']) appendFileSync(join(folder, file), '')
    if (!existsSync(this.#node)) this.bringSignerBack()
  }

  /** What runs the signer, by a name that can be taken away. */
  get #node(): string {
    return join(this.#folder, 'node')
  }

  takeSignerAway(): void {
    rmSync(this.#node)
  }

  bringSignerBack(): void {
    symlinkSync(process.execPath, this.#node)
  }

  /** @param more options */
  start(...more: readonly string[]): void {
    const { url, network, from, privateKey, confirmations, pollSeconds, signSeconds } = this.#setting
    const sign = `${this.#node} ${this.#setting.signer ?? join(recipes, 'sign.mjs')}`
    const [program = '', ...options] = this.#command([
      ...['run', '--url', url, '--network', network, '--folder', this.#folder, '--from', from, '--sign', sign],
      ...['--confirmations', String(confirmations), '--poll', String(pollSeconds)],
      ...(signSeconds === undefined ? [] : ['--sign-seconds', String(signSeconds)]),
      ...[...(this.#setting.options ?? []), ...more],
    ])
    const env = { ...process.env, NETWORK: network, KEY: privateKey, SIGNER_FOLDER: this.#folder }
    this.#child = spawn(program, options, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    createInterface({ input: this.#child.stderr ?? process.stdin }).on('line', (line) => {
      this.#log.push(line)
      this.onLine(`${withoutTime(line)}\n`)
    })
  }

  /** Whole lines since the first start or the last `forgetSaid`, but for the first of each start. */
  get said(): readonly string[] {
    return this.#log.map(withoutTime).filter((line) => !line.startsWith('running on '))
  }

  /** The same with the first of each start, and the times. */
  get log(): readonly string[] {
    return this.#log
  }

  forgetSaid(): void {
    this.#log = []
  }

  /** A second program on this one's folder. */
  another(): ExchangeProgram {
    return new ExchangeProgram(this.#command, this.#folder, this.#setting)
  }

  /** @returns the exit code once the program has ended by itself */
  async ended(): Promise<number | null> {
    if (this.#child && !this.hasEnded) await once(this.#child, 'close')
    return this.#child?.exitCode ?? null
  }

  /** Copies the books to a folder, as a backup of a program that does not run. */
  copyBooks(to: string): void {
    for (const file of this.#booksFiles()) copyFileSync(join(this.#folder, file), join(to, file))
  }

  /** Puts a copy in the place of the books; without a folder none. */
  restoreBooks(from?: string): void {
    for (const file of this.#booksFiles()) rmSync(join(this.#folder, file))
    if (from === undefined) return
    for (const file of readdirSync(from)) copyFileSync(join(from, file), join(this.#folder, file))
  }

  /** Shuffles the orders, and moves all other lines below them. */
  shuffleOrders(random: Random): void {
    const file = join(this.#folder, 'orders.jsonl')
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const [orders, others] = [true, false].map((isOrder) =>
      lines.filter((line) => line.startsWith('{"id"') === isOrder),
    )
    const shuffled = (orders ?? []).map((line) => ({ line, at: random() })).sort((left, right) => left.at - right.at)
    writeFileSync(file, [...shuffled.map(({ line }) => line), ...(others ?? [])].map((line) => `${line}\n`).join(''))
  }

  /** With what a transaction that was cut off has left. */
  #booksFiles(): readonly string[] {
    return readdirSync(this.#folder).filter((file) => file.startsWith('books.'))
  }

  /** Called with each thing that the program says. */
  onLine: (text: string) => void = () => undefined

  async kill(): Promise<void> {
    const ended = this.#child && once(this.#child, 'exit')
    // False for one that has ended before.
    if (this.#child?.kill('SIGKILL')) await ended
  }

  get hasEnded(): boolean {
    return this.#child?.exitCode !== null
  }

  /** Replaces the file of keys at once, by renaming. */
  writeKeys(text: string | Uint8Array): void {
    const file = join(this.#folder, 'keys.txt')
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }

  addKeys(keys: readonly string[]): void {
    appendFileSync(join(this.#folder, 'keys.txt'), keys.map((key) => `${key}\n`).join(''))
  }

  order(lines: readonly object[]): void {
    for (const line of lines) this.append(JSON.stringify(line))
  }

  /** @returns the number of the line, from 1 */
  append(line: string | Uint8Array): number {
    appendFileSync(join(this.#folder, 'orders.jsonl'), Buffer.concat([Buffer.from(line), Buffer.from('\n')]))
    return readFileSync(join(this.#folder, 'orders.jsonl'), 'latin1').split('\n').length - 1
  }

  memoOf(memo: string): string | undefined {
    const { stdout, status } = this.#ask('memo', memo)
    return status === 0 ? stdout.replace(/\r?\n$/, '') : undefined
  }

  /** @param of a day, YYYY-MM-DD, UTC; or options */
  report(of: string | readonly string[]): readonly Reported[] {
    const { stdout, stderr, status } = this.reportOf(typeof of === 'string' ? ['--day', of] : of)
    // 5 while a person has to decide something, 1 while the days may not be whole.
    if (![0, 1, 5].includes(status ?? -1) || stdout === '') throw new Error(stderr)
    const [header = '', ...lines] = stdout.trim().split('\n')
    const names = header.split(',')
    return lines.map((line) => {
      const values = line.split(',')
      return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) as unknown as Reported
    })
  }

  reportOf(options: readonly string[]): Answer {
    return this.#ask('report', '--folder', this.#folder, ...options)
  }

  /** What a person has to decide. */
  adopt(...options: readonly string[]): readonly string[] {
    const { stdout, status } = this.#ask('adopt', '--folder', this.#folder, ...options)
    return [...stdout.trimEnd().split('\n'), ...(status === 0 ? [] : [`exit code ${status}`])]
  }

  books(): Books {
    return JSON.parse(this.#ask('books', '--folder', this.#folder).stdout)
  }

  bookOf(order: string): Answer {
    return this.#ask('books', '--folder', this.#folder, '--order', order)
  }

  #ask(subcommand: string, ...asked: readonly string[]): Answer {
    const [program = '', ...options] = this.#command([subcommand, ...asked])
    return spawnSync(program, options, { encoding: 'utf8', maxBuffer: Number.POSITIVE_INFINITY })
  }
}

interface Answer {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}
