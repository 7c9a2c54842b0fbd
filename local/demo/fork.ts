// The day of a hard fork on an embedded chain, told from outside: what the service answers at each step.
import MinaSigner from 'mina-signer'
import { createClient } from '../../packages/client/src/client.ts'
import { type Service, startService } from '../start/service.ts'
import { type SignedCommand, signedPayment } from './signing.ts'

const blockSeconds = 2

/** Longer than three blocks and a fork take on a slow machine. */
const maxWaitMs = 120_000

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, init)
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

const short = (hash: string): string => `${hash.slice(0, 12)}…`

/** A line about an answer: its status, and the parts that the day changes. */
function wordsOf({ status, body }: Answer): string {
  const { block, transaction, account, message, code } = body as Record<string, Record<string, unknown> | undefined>
  const shown: readonly (readonly [string, unknown])[] = [
    ['height', block?.blockHeight ?? body.blockchainLength],
    ['slotSinceGenesis', body.globalSlot],
    ['epoch', body.epoch],
    ['chainId', typeof body.chainId === 'string' ? short(body.chainId) : undefined],
    ['canonical', block?.canonical],
    ['state', transaction?.state],
    ['final', transaction?.final],
    ['confirmations', transaction?.confirmations],
    ['nonce', account?.nonce],
    ['nextNonce', account?.nextNonce],
    ['code', code],
    ['message', message],
  ]
  const words = shown.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
  return [status, ...words].join(', ')
}

/** Resolves when a condition holds, looked at twice a second. */
async function until(holds: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + maxWaitMs
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`${what} did not come in ${maxWaitMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/**
 * Pays, pauses, forks, and shows the history on both sides of the fork, with the embedded indexer before and after it
 * follows. It tells what the service answers, and judges nothing.
 *
 * @param print receives each line
 */
export async function demonstrateFork(print: (line: string) => void = console.log): Promise<void> {
  const service = await startService({ blockSeconds, log: () => undefined })
  try {
    await playDay(service, print)
  } finally {
    await service.close()
  }
}

async function playDay({ url, chain, controlUrl, wallets }: Service, print: (line: string) => void): Promise<void> {
  const [payer, receiver, late] = wallets
  if (!chain || !payer || !receiver || !late) throw new Error('the chain has fewer than three wallets')
  const mina = new MinaSigner({ network: chain.network })
  const show = async (what: string, path: string) => print(`  ${what.padEnd(38)} ${wordsOf(await ask(url + path))}`)
  const send = async ({ title, signed }: SignedCommand) => {
    const init = { method: 'POST', body: JSON.stringify(signed) }
    print(`  ${title.padEnd(38)} ${wordsOf(await ask(`${url}/broadcast/transaction`, init))}`)
  }
  const step = async (name: string) => {
    const { body } = await ask(`${controlUrl}/${name}`, { method: 'POST' })
    print(`\nPOST /chain/${name}\n  ${body.happens ?? body.message}`)
  }
  const fee = await createClient({ baseUrl: url }).suggestedFee()
  const signer = (wallet: typeof payer) => ({ ...wallet, fee, nonce: chain.account(wallet.publicKey)?.nonce ?? 0 })

  print(`The service answers at ${url}\n\nBefore the day`)
  const paid = signedPayment(mina, signer(payer), receiver.publicKey, {}, 'before the pause')
  await send(paid)
  const isIncluded = () =>
    chain.bestChain().some(({ userCommands }) => userCommands.some(({ command }) => command.hash === paid.hash))
  await until(isIncluded, 'The block of the payment')
  await show('the tip', '/summary')
  await show('the payment', `/transactions/${paid.hash}`)

  const queued = signedPayment(mina, signer(late), receiver.publicKey, {}, 'too late for a block')
  await send(queued)
  await step('pause')
  const refused = signedPayment(
    mina,
    { ...signer(late), nonce: signer(late).nonce + 1 },
    receiver.publicKey,
    {},
    'after it',
  )
  await send(refused)

  const old = chain.chainId
  await step('fork')
  await until(() => chain.chainId !== old, 'The new chain')
  if (chain.before === undefined) throw new Error('the new chain has none before it')
  const { chain: oldChain, parent } = chain.before
  const lost = oldChain.bestChain().filter(({ height }) => height > parent.height)
  const history = async () => {
    await show('the tip', '/summary')
    await show('the last block that was kept', `/blocks/${parent.stateHash}`)
    await show('the same by height', `/blocks/height/${parent.height}`)
    for (const { stateHash, height } of lost) await show(`discarded, height ${height}`, `/blocks/${stateHash}`)
    await show('the genesis block of the new chain', `/blocks/${chain.genesisBlock().stateHash}`)
    await show('the payment in a kept block', `/transactions/${paid.hash}`)
    await show('the payment that came too late', `/transactions/${queued.hash}`)
    await show('its sender', `/accounts/${late.publicKey}`)
  }
  print(`\nThe new chain begins at height ${chain.genesisBlock().height}; the indexer is on the old one`)
  await history()

  await step('follow')
  const { height } = chain.tip()
  await until(() => chain.tip().height > height, 'A block of the new chain')
  await history()
  print('\nThe payment again, on the new chain')
  await send(signedPayment(mina, signer(late), receiver.publicKey, {}, 'sent anew'))
}
