// The service before which an exchange's program spends its day: that of `npm start`, as a process that can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../local/start/listen.ts'
import { createChain, type Wallet } from '../../testnet/chain.ts'

export interface Stage {
  readonly url: string
  /** The node's GraphQL, which tells the balances in the end. */
  readonly nodeUrl: string
  readonly controlUrl: string
  readonly wallets: readonly Wallet[]
  readonly blockMs: number
  /**
   * Stops the time of chain and service, so that no machine is too slow to raise a fee before the payment is settled. Absent where
   * a payment is settled so late that none is.
   *
   * @returns a function that lets it pass again
   */
  standStill?(): () => void
  /** Nothing answers for so long; afterwards chain and pool are as before. */
  outage(milliseconds: number): Promise<void>
  close(): Promise<void>
}

export function walletOf({ wallets }: Stage, name: string): Wallet {
  const found = wallets.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no wallet ${name}`)
  return found
}

/** The exchange's wallet. zkApp commands come from another idle wallet, never from this one or a payer of deposits. */
export const hotWallet = (stage: Stage): Wallet => walletOf(stage, 'carol')

/**
 * `fetch` on a connection of its own. While a program is started and waited for, nobody here sees that a server has closed an
 * idle one, and no command to the chain may be sent twice.
 */
export const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, headers: { ...init.headers, connection: 'close' } })

const root = join(import.meta.dirname, '../../..')

/** Of `npm start`, which always makes the same wallets. */
const seed = 'chain-explorer'

/** A free port. It is fixed from then on, because the service restarts on it after an outage. */
async function freePort(): Promise<number> {
  const { port, close } = await listen(() => undefined, 0, '127.0.0.1')
  await close()
  return port
}

export async function npmStart(blockSeconds: number): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-day-'))
  const [port, nodePort] = [await freePort(), await freePort()]
  const environment = { PORT: port, NODE_PORT: nodePort, BLOCK_SECONDS: blockSeconds, KEEP: folder }
  const env = {
    ...process.env,
    ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, `${value}`])),
  }
  const url = `http://127.0.0.1:${port}`
  let service: ChildProcess | undefined
  const start = async () => {
    service = spawn(process.execPath, ['local/start.ts'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
    const { exitCode } = service
    while (
      exitCode === null &&
      !(await ask(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(200)
  }
  const stop = async () => {
    const ended = service && once(service, 'exit')
    if (service?.kill('SIGKILL')) await ended
  }
  await start()
  return {
    url,
    nodeUrl: `http://127.0.0.1:${nodePort}/graphql`,
    controlUrl: `http://127.0.0.1:${nodePort}/chain`,
    wallets: createChain({ seed, now: Date.now, signsOwnCommands: false }).wallets,
    blockMs: blockSeconds * 1000,
    async outage(milliseconds) {
      await stop()
      await sleep(milliseconds)
      await start()
    },
    async close() {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}
