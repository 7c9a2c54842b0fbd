// The steps of the demo and its output, through the client alone.
import type { Account, Client, Transaction } from '../../packages/client/src/client.ts'
import type { SignedCommand } from './signing.ts'

const maxWaitMs = 15 * 60_000

export interface Plan {
  readonly url: string
  readonly client: Client
  readonly accounts: readonly string[]
  /** The last one decides when it is over. */
  readonly commands: readonly SignedCommand[]
  /** Blocks to wait for on top of the last command's. */
  readonly confirmations: number
  close(): Promise<void>
}

const accountLine = ({ publicKey, balance, nonce, delegate }: Account): string =>
  `  account ${publicKey}\n          ${balance.total} MINA, nonce ${nonce}, delegate ${delegate ?? 'none'}`

async function printAccounts({ client, accounts }: Plan): Promise<void> {
  for (const publicKey of new Set(accounts)) console.log(accountLine((await client.account(publicKey)).value))
}

const shown = ['state', 'sending', 'missingNonces', 'by', 'chainHash', 'failureReason', 'confirmations']

const wordsOf = (fate: Transaction): string =>
  Object.entries(fate)
    .flatMap(([key, value]) => (shown.includes(key) ? [key === 'state' ? value : `${key} ${value}`] : []))
    .join(', ')

/** Shows the accounts, sends the commands, shows their states under each new tip, and the accounts again. */
export async function demonstrate(plan: Plan): Promise<void> {
  const { url, client, commands, confirmations } = plan
  console.log(`The service answers at ${url}\n\nBefore`)
  await printAccounts(plan)

  console.log('\nBroadcast')
  for (const { title, signed, hash } of commands) {
    const outcome = await client.sendUntilKnown(signed, { patienceMs: 5000 })
    const answer = outcome.hash === undefined ? `${outcome.status} ${outcome.outcome}, ${outcome.code}` : '201'
    console.log(`  ${hash} ${title}: ${answer}`)
  }

  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), maxWaitMs)
  let last: Transaction | undefined
  const isDone = () => last?.state === 'included' && (last.confirmations ?? confirmations) >= confirmations
  await client.watchTip(
    async ({ value: tip }) => {
      console.log(`\nBlock ${tip.blockchainLength}`)
      for (const command of commands) {
        last = (await client.transaction(command.hash, command.signed)).value
        console.log(`  ${command.title.padEnd(54)}  ${wordsOf(last)}`)
      }
      if (isDone()) controller.abort()
    },
    { signal: controller.signal, pollMs: 500 },
  )
  clearTimeout(timer)
  if (!isDone()) throw new Error('no block holds the last command; it may still be included')

  console.log('\nAfter')
  await printAccounts(plan)
}
