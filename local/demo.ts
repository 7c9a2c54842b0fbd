// npm run demo: a payment and a delegation from the signature to the block, through the REST service alone.
import { parseArgs } from 'node:util'
import Client from 'mina-signer'
import type { Block } from '../shared/contract/block.ts'
import { type Account, blockWith, postCommand, readAccount, readLatestBlocks } from './demo/rest-client.ts'
import { type SignedCommand, type Signer, signedDelegation, signedPayment } from './demo/signing.ts'
import { flakyNode } from './flaky/flaky-node.ts'
import { everyOtherAnswerLost } from './flaky/troubles.ts'
import { type Service, startService } from './start/service.ts'

const usage = `npm run demo
  on an embedded chain of its own
npm run demo -- --flaky
  the same, through a node that loses half of its answers
npm run demo -- --url http://127.0.0.1:8080 --key EK… [--to B62…] [--network testnet|mainnet]
  on a running service, with the wallet of that private key: pays 0.001 MINA to --to (itself by default) and renews its delegation`

const longestWaitMs = 15 * 60_000

interface Plan {
  readonly url: string
  readonly payer: string
  readonly delegator: string
  readonly commands: readonly SignedCommand[]
  close(): Promise<void>
}

const silent = { log: () => undefined }

async function ownChain(): Promise<Plan> {
  const service = await startService({ blockSeconds: 3, ...silent })
  return planFor(service, service.url, service.close)
}

/** A second service over the same chain, through a node that loses answers. */
async function flakyChain(): Promise<Plan> {
  const service = await startService({ blockSeconds: 3, ...silent })
  const onLoss = () => console.log('  the node accepted the command, and its answer was lost')
  const node = await flakyNode(service.nodeUrl, everyOtherAnswerLost(onLoss))
  const environment = { NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql` }
  const front = await startService({ environment, ...silent })
  return planFor(service, front.url, async () => {
    await front.close()
    await node.close()
    await service.close()
  })
}

async function planFor({ wallets }: Service, url: string, close: () => Promise<void>): Promise<Plan> {
  const [payer, receiver, delegator, delegate] = wallets
  if (!payer || !receiver || !delegator || !delegate) throw new Error('the chain has fewer than four wallets')
  const client = new Client({ network: 'testnet' })
  const signer = async (wallet: typeof payer): Promise<Signer> => ({
    ...wallet,
    nonce: await nextNonce(url, wallet.publicKey),
  })
  return {
    url,
    payer: payer.publicKey,
    delegator: delegator.publicKey,
    commands: [
      signedPayment(client, await signer(payer), receiver.publicKey, '1500000000'),
      signedDelegation(client, await signer(delegator), delegate.publicKey),
    ],
    close,
  }
}

async function runningService(url: string, privateKey: string, to: string | undefined, network: string): Promise<Plan> {
  const client = new Client({ network: network === 'mainnet' ? 'mainnet' : 'testnet' })
  const publicKey = client.derivePublicKey(privateKey)
  const nonce = await nextNonce(url, publicKey)
  const signer = { name: publicKey, publicKey, privateKey, nonce }
  const { delegate } = await readAccount(url, publicKey)
  return {
    url,
    payer: publicKey,
    delegator: publicKey,
    commands: [
      signedPayment(client, signer, to ?? publicKey, '1000000'),
      signedDelegation(client, { ...signer, nonce: nonce + 1 }, delegate ?? publicKey),
    ],
    close: async () => undefined,
  }
}

/** The account's nonce in the ledger plus its commands in the pool. */
async function nextNonce(url: string, publicKey: string): Promise<number> {
  const { nonce = 0, countPendingTransactions = 0 } = await readAccount(url, publicKey)
  return nonce + countPendingTransactions
}

const accountLine = ({ publicKey, balance, nonce, delegate }: Account): string =>
  `  account ${publicKey}\n          ${balance?.total} MINA, nonce ${nonce}, delegate ${delegate}`

const blockLine = ({ blockHeight, stateHash, dateTime, transactions }: Block): string =>
  `  block   ${blockHeight} ${stateHash}\n          ${dateTime}, ${transactions?.userCommands?.length} commands`

async function printAccounts({ url, payer, delegator }: Plan): Promise<void> {
  for (const publicKey of new Set([payer, delegator])) console.log(accountLine(await readAccount(url, publicKey)))
}

async function demonstrate(plan: Plan): Promise<void> {
  const { url, commands } = plan
  console.log(`The service answers at ${url}\n\nBefore`)
  await printAccounts(plan)
  for (const block of await readLatestBlocks(url, 1)) console.log(blockLine(block))

  console.log('\nBroadcast')
  const hashes: string[] = []
  for (const { title, path, body } of commands) {
    const { hash, outcome } = await postCommand(url, path, body)
    console.log(`  201 ${outcome}: ${title}\n      ${hash}`)
    hashes.push(hash)
  }

  console.log('\nIncluded')
  const deadlineMs = performance.now() + longestWaitMs
  for (const hash of hashes)
    console.log(`${blockLine(await blockWith(url, hash, deadlineMs))}\n          holds ${hash}`)

  console.log('\nAfter')
  await printAccounts(plan)
}

function planFromArguments(): Promise<Plan> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { url: text, key: text, to: text, network: text, flaky: { type: 'boolean' } },
  })
  const { url, key, to, network = 'testnet', flaky = false } = values
  if (url === undefined && key === undefined) return flaky ? flakyChain() : ownChain()
  if (url === undefined || key === undefined) throw new Error('--url and --key go together')
  return runningService(url.replace(/\/$/, ''), key, to, network)
}

try {
  const plan = await planFromArguments()
  await demonstrate(plan).finally(plan.close)
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  process.exitCode = 1
}
