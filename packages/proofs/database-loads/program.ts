// docs/recipes/python/load_history.py as cron starts it, and what it has put into its database.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BusyChain } from '../account-history/busy-chain.ts'
import { truthOf } from '../account-history/chain-truth.ts'

const recipes = join(import.meta.dirname, '../../../docs/recipes/python')

/** Numbers as texts, since JavaScript's have too few digits. */
const selecting = `
import json, sys, load_history
rows = load_history.Database(sys.argv[1]).run(sys.argv[2]).fetchall()
print(json.dumps([[value if value is None else str(value) for value in row] for row in rows]))
`

export interface Setting {
  readonly python: string
  /** As its option --database has it. */
  readonly database: string
  readonly url: string
  /** For the list of keys. */
  readonly folder: string
  readonly keys: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

export class LoadingProgram {
  readonly #setting: Setting
  readonly #environment: NodeJS.ProcessEnv
  #child: ChildProcess | undefined
  /** What it has said on its standard error. */
  said = ''
  /** What the last run has printed. */
  printed = ''

  constructor(setting: Setting) {
    this.#setting = setting
    const { PYTHONPATH = recipes } = setting.environment ?? {}
    const path = [...new Set([recipes, PYTHONPATH])].join(process.platform === 'win32' ? ';' : ':')
    this.#environment = {
      ...process.env,
      ...setting.environment,
      ...{ PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' },
    }
    writeFileSync(this.#keysFile, setting.keys.join('\n'))
  }

  get #keysFile(): string {
    return join(this.#setting.folder, 'keys.txt')
  }

  /** @returns its exit code; null for one that was killed */
  async run(...options: readonly string[]): Promise<number | null> {
    const { python, url, database } = this.#setting
    const given = ['--url', url, '--network', 'testnet', '--database', database, '--keys', this.#keysFile, ...options]
    const child = spawn(python, [join(recipes, 'load_history.py'), ...given], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.printed = ''
    child.stdout.on('data', (text) => {
      this.printed += text
    })
    child.stderr.on('data', (text) => {
      this.said += text
    })
    const [code] = await once(child, 'close')
    return code
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  async select(statement: string): Promise<readonly (readonly (string | null)[])[]> {
    const { python, database } = this.#setting
    const args = ['-c', selecting, database, statement]
    const { stdout } = await promisify(execFile)(python, args, { env: this.#environment, maxBuffer: 2 ** 28 })
    return JSON.parse(stdout)
  }
}

/** How the database differs from the chain. */
export interface Differences {
  /** Rows that are not in the chain, or lie in another block there. */
  readonly orphans: number
  readonly missing: number
  /** Keys without rewards whose changes do not add up to what the chain's commands have changed. */
  readonly wrongSums: readonly string[]
  /** Keys whose balance at the end of their last day or of a statement is not the chain's; one that is NULL is not wrong. */
  readonly wrongBalances: readonly string[]
}

export const noDifferences: Differences = { orphans: 0, missing: 0, wrongSums: [], wrongBalances: [] }

export interface Judged extends Differences {
  readonly rows: number
  /** Keys whose last balance is known. */
  readonly balances: number
}

const wholeTime = `INSERT INTO periods VALUES ('2000-01-01', '2100-01-01') ON CONFLICT DO NOTHING RETURNING first_day`
const lastBalances = `SELECT public_key, balance FROM day_ends
  WHERE day = (SELECT MAX(day) FROM movements WHERE movements.public_key = day_ends.public_key)
  UNION SELECT public_key, opening_balance + received - sent - fees - creation_fee FROM statements`

export async function judged(program: LoadingProgram, chain: BusyChain, keys: readonly string[]): Promise<Judged> {
  const truth = truthOf(chain.day.node)
  const wanted = new Set(
    keys.flatMap((key) =>
      Array.from(truth.get(key)?.values() ?? [], ({ hash, stateHash, height }) =>
        [key, hash, stateHash, height].join(' '),
      ),
    ),
  )
  const rows = await program.select('SELECT public_key, hash, state_hash, height FROM account_commands')
  const found = new Set(rows.map((row) => row.join(' ')))
  const sums = new Map(
    (await program.select('SELECT public_key, SUM(change) FROM account_commands GROUP BY public_key')).map(
      ([key = '', sum]) => [key, BigInt(sum ?? 0)],
    ),
  )
  await program.select(wholeTime)
  const balances = (await program.select(lastBalances)).flatMap(([key, balance]) =>
    key && balance ? [[key, BigInt(balance)] as const] : [],
  )
  const unrewarded = new Set(chain.unrewarded())
  return {
    rows: found.size,
    balances: balances.length,
    orphans: [...found].filter((row) => !wanted.has(row)).length,
    missing: [...wanted].filter((row) => !found.has(row)).length,
    wrongSums: keys.filter((key) => unrewarded.has(key) && (sums.get(key) ?? 0n) !== chain.changeOf(key)),
    wrongBalances: balances
      .filter(([key, balance]) => balance !== (chain.day.node.account(key)?.balance ?? 0n))
      .map(([key, balance]) => `${key} ${balance}`),
  }
}
