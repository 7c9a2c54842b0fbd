// The programs of docs/recipes in other languages, as an exchange runs them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const recipes = join(import.meta.dirname, '../../docs/recipes')

export const languages = ['python', 'go'] as const
export type Language = (typeof languages)[number]

/** The whole command of a program, given a subcommand and its options. */
type Command = (options: readonly string[]) => readonly string[]

/**
 * @param folder for what is built
 * @returns undefined where the language is not installed
 */
export function commandOf(language: Language, folder: string): Command | undefined {
  if (language === 'python') {
    const check = 'import sys, sqlite3; assert sys.version_info >= (3, 9)'
    const python = ['python3', 'python'].find((name) => succeeds(name, ['-c', check]))
    if (python === undefined) return undefined
    return (options) => [python, join(recipes, 'python/exchange.py'), ...options]
  }
  if (!succeeds('go', ['version'])) return undefined
  const program = join(folder, process.platform === 'win32' ? 'exchange.exe' : 'exchange')
  const env = { ...process.env, GO111MODULE: 'off' }
  execFileSync('go', ['build', '-o', program, join(recipes, 'go/exchange.go')], { env })
  // Go's flags stand before the subcommand.
  return ([subcommand = '', ...options]) =>
    options.some((each) => each.startsWith('--'))
      ? [program, ...options, subcommand]
      : [program, subcommand, ...options]
}

function succeeds(program: string, options: readonly string[]): boolean {
  try {
    execFileSync(program, options, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export interface Withdrawal {
  readonly state: 'open' | 'paid' | 'failed' | 'refused' | 'replaced' | 'cancelled' | 'invalid'
  readonly amount: string
  /** Of the bid that was charged. */
  readonly fee: string
  readonly bids: number
}

export interface Books {
  /** Of the block taken last; null or 0 before the first. */
  readonly height: number | null
  /** Nanomina by key. */
  readonly deposits: Readonly<Record<string, string>>
  readonly withdrawals: Readonly<Record<string, Withdrawal>>
  readonly invalid: readonly InvalidLine[]
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
  readonly kind: 'deposit' | 'withdrawal' | 'failed'
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
}

/** A program that can be killed at any time, and goes on from its folder. */
export class ExchangeProgram {
  readonly #command: Command
  readonly #folder: string
  readonly #setting: Setting
  #child: ChildProcess | undefined
  #lines = 0

  constructor(command: Command, folder: string, setting: Setting) {
    this.#command = command
    this.#folder = folder
    this.#setting = setting
    for (const file of ['keys.txt', 'orders.jsonl']) writeFileSync(join(folder, file), '')
    this.bringSignerBack()
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

  start(): void {
    const { url, network, from, privateKey, confirmations, pollSeconds, signSeconds } = this.#setting
    const sign = `${this.#node} ${this.#setting.signer ?? join(recipes, 'sign.ts')}`
    const [program = '', ...options] = this.#command([
      ...['run', '--url', url, '--network', network, '--folder', this.#folder, '--from', from, '--sign', sign],
      ...['--confirmations', String(confirmations), '--poll', String(pollSeconds)],
      ...(signSeconds === undefined ? [] : ['--sign-seconds', String(signSeconds)]),
    ])
    const env = { ...process.env, NETWORK: network, KEY: privateKey, SIGNER_FOLDER: this.#folder }
    this.#child = spawn(program, options, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child.stderr?.on('data', (text) => this.onLine(String(text)))
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

  addKeys(keys: readonly string[]): void {
    appendFileSync(join(this.#folder, 'keys.txt'), keys.map((key) => `${key}\n`).join(''))
  }

  order(lines: readonly object[]): void {
    for (const line of lines) this.append(JSON.stringify(line))
  }

  /** @returns the number of the line, from 1 */
  append(line: string | Uint8Array): number {
    appendFileSync(join(this.#folder, 'orders.jsonl'), Buffer.concat([Buffer.from(line), Buffer.from('\n')]))
    return ++this.#lines
  }

  memoOf(memo: string): string | undefined {
    const [program = '', ...options] = this.#command(['memo'])
    try {
      return execFileSync(program, [...options, memo], { encoding: 'utf8', stdio: 'pipe' }).replace(/\r?\n$/, '')
    } catch {
      return undefined
    }
  }

  /** @param day YYYY-MM-DD, UTC */
  report(day: string): readonly Reported[] {
    const [program = '', ...options] = this.#command(['report', '--folder', this.#folder, '--day', day])
    const [header = '', ...lines] = execFileSync(program, options, { encoding: 'utf8', stdio: 'pipe' })
      .trim()
      .split('\n')
    const names = header.split(',')
    return lines.map((line) => {
      const values = line.split(',')
      return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) as unknown as Reported
    })
  }

  books(): Books {
    const [program = '', ...options] = this.#command(['books', '--folder', this.#folder])
    return JSON.parse(execFileSync(program, options, { encoding: 'utf8' }))
  }
}
