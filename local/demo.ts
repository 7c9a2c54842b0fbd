// npm run demo: commands from the signature to the block or to another fate, through the REST service alone.
import { parseArgs } from 'node:util'
import MinaSigner from 'mina-signer'
import { createClient } from '../packages/client/src/client.ts'
import { demonstrate, type Plan } from './demo/demonstration.ts'
import { demonstrateDeposits } from './demo/deposits.ts'
import { serveExplorer } from './demo/explorer.ts'
import { demonstrateFork } from './demo/fork.ts'
import { type Signer, signedDelegation, signedPayment, type Terms } from './demo/signing.ts'
import { flakyNode } from './flaky/flaky-node.ts'
import { everyOtherAnswerLost } from './flaky/troubles.ts'
import { readArguments as readStartArguments, startFailure } from './start/arguments.ts'
import { greeting } from './start/greeting.ts'
import { unknownOption } from './start/options.ts'
import { type Service, startService } from './start/service.ts'

const usage = `npm run demo
  on a separate embedded chain
npm run demo -- --flaky
  the same, through a node that loses half of its answers
npm run demo -- --fork
  a payment, the pause before a hard fork, the fork, and the history on both sides of it
npm run demo -- --deposits
  1,000 addresses of an exchange: deposits by payments and zkApp commands, reorganisations, failures and a restart
npm run demo -- --explorer
  serves the page of docs/recipes/explorer.html over an embedded chain, until Ctrl-C; PORT is the page's, any free one by default,
  other variables are those of npm start
npm run demo -- --url http://127.0.0.1:8080 --key EK… [--to B62…] [--network testnet|devnet|mainnet]
  on a running service, with the wallet of that private key: pays 0.001 MINA to --to (itself by default) and renews its delegation,
  for the fees that the service suggests, at most 0.1 MINA each; --network is the name that GET /network must have`

const silent = { log: () => undefined }

async function ownChain(): Promise<Plan> {
  const service = await startService({ blockSeconds: 3, ...silent })
  return planFor(service, service.url, service.close)
}

/** A second service over the same chain, through a node that loses answers. */
async function flakyChain(): Promise<Plan> {
  const service = await startService({ blockSeconds: 3, ...silent })
  const onLoss = () => console.log('  an answer of the node was lost')
  const node = await flakyNode(service.nodeUrl, everyOtherAnswerLost(onLoss))
  const environment = { NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql` }
  const front = await startService({ environment, ...silent })
  return planFor(service, front.url, async () => {
    await front.close()
    await node.close()
    await service.close()
  })
}

/** One command of each fate; the payment of the first wallet comes last. */
async function planFor({ wallets, chain }: Service, url: string, close: () => Promise<void>): Promise<Plan> {
  const [payer, receiver, delegator, delegate, replacing, failing, late] = wallets
  if (!payer || !receiver || !delegator || !delegate || !replacing || !failing || !late || !chain)
    throw new Error('the chain has fewer than seven wallets')
  const client = createClient({ baseUrl: url, network: chain.network })
  const mina = new MinaSigner({ network: chain.network })
  const fee = await client.suggestedFee()
  const signer = async (wallet: typeof payer): Promise<Signer> => ({
    ...wallet,
    fee,
    nonce: (await client.account(wallet.publicKey)).value.nextNonce,
  })
  const to = receiver.publicKey
  const [twice, lateSigner] = [await signer(replacing), await signer(late)]
  const pays = (signer: Signer, terms: Terms = {}, note = '') => signedPayment(mina, signer, to, terms, note)
  return {
    url,
    client,
    accounts: [payer.publicKey, delegator.publicKey],
    commands: [
      pays(twice, {}, 'replaced by the next'),
      pays(twice, { fee: String(2n * fee) }),
      pays(await signer(failing), { amount: '1', to: mina.genKeys().publicKey }, 'too little for an account'),
      pays(lateSigner, { validUntil: '1' }, 'past its last slot'),
      pays(lateSigner, { nonce: lateSigner.nonce + 1 }, 'before its predecessor'),
      signedDelegation(mina, await signer(delegator), delegate.publicKey),
      pays(await signer(payer)),
    ],
    confirmations: 3,
    close,
  }
}

async function runningService(url: string, privateKey: string, to: string | undefined, network: string): Promise<Plan> {
  const client = createClient({ baseUrl: url, network })
  await client.checkNetwork()
  const mina = new MinaSigner({ network: network === 'mainnet' ? 'mainnet' : 'testnet' })
  const publicKey = mina.derivePublicKey(privateKey)
  const { delegate, nextNonce: nonce } = (await client.account(publicKey)).value
  const signer = { name: publicKey, publicKey, privateKey, nonce, fee: await client.suggestedFee() }
  return {
    url,
    client,
    accounts: [publicKey],
    commands: [
      signedPayment(mina, signer, to ?? publicKey, { amount: '1000000' }),
      ...(delegate === undefined ? [] : [signedDelegation(mina, signer, delegate, { nonce: nonce + 1 })]),
    ],
    confirmations: 0,
    close: async () => undefined,
  }
}

/** With the settings of `npm start`, beside which it can run: the service takes any free port. */
async function openExplorer(): Promise<void> {
  const settings = readStartArguments({ PORT: '0', ...process.env })
  const explorer = await serveExplorer({ ...settings, pagePort: settings.port, port: 0, ...silent }).catch((error) => {
    throw new Error(startFailure(error, settings))
  })
  process.once('SIGINT', explorer.close)
  console.log(`${await greeting(explorer)}\n\nOpen ${explorer.page}?api=${explorer.url}`)
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const options = {
  url: text,
  key: text,
  to: text,
  network: text,
  flaky: flag,
  explorer: flag,
  fork: flag,
  deposits: flag,
  help: flag,
} as const

function readArguments() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(\S+)'/.exec(message)?.[1] : undefined
    throw unknown === undefined ? error : new Error(unknownOption(unknown, Object.keys(options)))
  }
}

function planFrom(given: ReturnType<typeof readArguments>): Promise<Plan> {
  const { url, key, to, network = 'testnet', flaky = false } = given
  if (url === undefined && key === undefined) return flaky ? flakyChain() : ownChain()
  if (url === undefined || key === undefined) throw new Error('--url and --key go together')
  return runningService(url.replace(/\/$/, ''), key, to, network)
}

try {
  const given = readArguments()
  if (given.help) {
    console.log(usage)
  } else if (given.fork) {
    await demonstrateFork()
  } else if (given.deposits) {
    await demonstrateDeposits()
  } else if (given.explorer) {
    await openExplorer()
  } else {
    const plan = await planFrom(given)
    await demonstrate(plan).finally(plan.close)
  }
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  process.exitCode = 1
}
