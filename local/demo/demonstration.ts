// The steps of the demo and its output, through the client alone.
import type { Account, Block, Client, Sent } from '../../client/src/client.ts'
import type { SignedCommand } from './signing.ts'

const maxWaitMs = 15 * 60_000
const pollMs = 500

export interface Plan {
  readonly url: string
  readonly client: Client
  readonly payer: string
  readonly delegator: string
  readonly commands: readonly SignedCommand[]
  close(): Promise<void>
}

const accountLine = ({ publicKey, balance, nonce, delegate }: Account): string =>
  `  account ${publicKey}\n          ${balance.total} MINA, nonce ${nonce}, delegate ${delegate}`

const blockLine = ({ blockHeight, stateHash, dateTime, transactions }: Block): string =>
  `  block   ${blockHeight} ${stateHash}\n          ${dateTime}, ${transactions.userCommands.length} commands`

async function printAccounts({ client, payer, delegator }: Plan): Promise<void> {
  for (const publicKey of new Set([payer, delegator])) console.log(accountLine((await client.account(publicKey)).value))
}

/** @throws Error where the command is not sent */
async function send(client: Client, { title, signed }: SignedCommand): Promise<Sent> {
  const outcome = await client.sendUntilKnown(signed)
  if (outcome.hash === undefined) throw new Error(`${title}: ${outcome.outcome}, ${outcome.code}: ${outcome.message}`)
  console.log(`  201 ${outcome.outcome}: ${title}\n      ${outcome.hash}`)
  return outcome
}

/** @throws Error where no block holds the command in time */
async function printInclusion(client: Client, { title, signed }: SignedCommand, { hash }: Sent): Promise<void> {
  const inclusion = await client.waitForInclusion(signed, { hash, pollMs, patienceMs: maxWaitMs })
  const hope = inclusion.state === 'undecided' ? '; it may still be included' : ''
  if (inclusion.state !== 'included') throw new Error(`${title}: ${inclusion.state}${hope}`)
  const { value: block } = await client.block(inclusion.command.blockStateHash)
  const failure = inclusion.failureReason === undefined ? '' : `, which failed: ${inclusion.failureReason}`
  console.log(`${blockLine(block)}\n          holds ${hash}${failure}`)
}

/** Shows accounts and tip, sends the commands, waits for their blocks, and shows the accounts again. */
export async function demonstrate(plan: Plan): Promise<void> {
  const { url, client, commands } = plan
  console.log(`The service answers at ${url}\n\nBefore`)
  await printAccounts(plan)
  for (const block of (await client.blocks()).value) console.log(blockLine(block))

  console.log('\nBroadcast')
  const sent: Sent[] = []
  for (const command of commands) sent.push(await send(client, command))

  console.log('\nIncluded')
  for (const [index, outcome] of sent.entries()) {
    const command = commands[index]
    if (command !== undefined) await printInclusion(client, command, outcome)
  }

  console.log('\nAfter')
  await printAccounts(plan)
}
