// Two chains from one seed, of which one holds the commands that are broadcast and the other does not: whatever the
// service sends, what a node would answer is known, and so is the truth. The only file that knows the embedded chain.
import type { RequestListener } from 'node:http'
import Client from 'mina-signer'
import { listen } from '../../../../local/start/listen.ts'
import type { ChainBlock } from '../../../testnet/block.ts'
import { type Chain, createChain } from '../../../testnet/chain.ts'
import { encodeMemo } from '../../../testnet/command.ts'
import type { IndexerState } from '../../../testnet/indexer/ingested.ts'
import { indexerServer } from '../../../testnet/indexer/server.ts'
import { nodeServer } from '../../../testnet/node/server.ts'
import { createZkappCommand } from '../../../testnet/zkapp-command.ts'
import type { IndexerCondition, Upstream } from '../fault.ts'
import { fatesIn } from './fates.ts'
import { historiesIn } from './histories.ts'

/** The chain before the Berkeley fork, which an indexer reads by other rules. */
export const genesisBeforeBerkeley = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'

/** Selects the upstream that answers. */
export interface Setting {
  /** True if the node holds the commands. */
  readonly isHeld: boolean
  readonly isBeforeBerkeley?: boolean
  readonly condition?: IndexerCondition | undefined
}

/** A request of a wallet, and the memo as a node shows it. */
export interface SignedRequest {
  readonly kind: 'PAYMENT' | 'STAKE_DELEGATION'
  readonly body: {
    readonly publicKey: string
    readonly signature: { readonly field: string; readonly scalar: string }
    readonly payload: Readonly<Record<'from' | 'to' | 'fee' | 'nonce' | 'memo' | 'validUntil', string>> & {
      readonly amount?: string
    }
  }
  /** In base58check, as every node shows it. */
  readonly shownMemo: string
}

export type TwinChains = Awaited<ReturnType<typeof twinChains>>

const now = Date.UTC(2026, 0, 1)
const network = 'testnet'

function chainOf(seed: string): Chain {
  const chain = createChain({ seed, now: () => now, network, slotsPerEpoch: 7, signsOwnCommands: false })
  chain.reorganise(2)
  return chain
}

function keysOf(chain: Chain, name: string) {
  const wallet = chain.wallets.find((candidate) => candidate.name === name)
  if (wallet === undefined) throw new Error(`no wallet ${name}`)
  return wallet
}

function signed(chain: Chain, kind: SignedRequest['kind'], from: string, changes: object): SignedRequest {
  const [{ publicKey, privateKey }, { publicKey: to }] = [keysOf(chain, from), keysOf(chain, 'dave')]
  const common = { fee: '10000000', validUntil: '4294967295', memo: 'verified', nonce: '0', from: publicKey, to }
  const client = new Client({ network })
  const shownMemo = encodeMemo(common.memo)
  if (kind === 'STAKE_DELEGATION') {
    const payload = { ...common, ...changes }
    const { signature } = client.signStakeDelegation(payload, privateKey)
    return { kind, body: { publicKey, signature, payload }, shownMemo }
  }
  const payload = { ...common, amount: '1500000000', ...changes }
  const { signature } = client.signPayment(payload, privateKey)
  return { kind, body: { publicKey, signature, payload }, shownMemo }
}

function submit(chain: Chain, { kind, body: { payload, signature } }: SignedRequest): void {
  const { nonce, validUntil, fee, amount = 0, ...texts } = payload
  const numbers = { nonce: Number(nonce), validUntil: Number(validUntil), fee: BigInt(fee), amount: BigInt(amount) }
  const input = { ...texts, ...numbers }
  const taken = kind === 'PAYMENT' ? chain.sendPayment(input, signature) : chain.sendDelegation(input, signature)
  if ('refused' in taken) throw new Error(taken.refused)
}

/** @param seed keys, hashes and history follow from it */
export async function twinChains(seed: string) {
  const [holding, twin] = [chainOf(seed), chainOf(seed)]
  const earlier = ['0', '1'].map((nonce) => signed(holding, 'PAYMENT', 'alice', { nonce }))
  const { publicKey: from } = keysOf(holding, 'alice')
  for (const chain of [holding, twin]) {
    for (const command of earlier) submit(chain, command)
    chain.queueZkapp(createZkappCommand({ from, fee: 10_000_000n, nonce: 5 }))
  }
  const payment = signed(holding, 'PAYMENT', 'alice', { nonce: '2' })
  const delegation = signed(holding, 'STAKE_DELEGATION', 'carol', {})
  for (const command of [payment, delegation]) submit(holding, command)

  const [root, , inFrontier] = holding.frontier()
  const hasZkapps = ({ zkappCommands }: ChainBlock) => zkappCommands.length > 0
  const ofZkapps = holding.frontier().slice(1, -1).find(hasZkapps)
  const oldOfZkapps = holding.bestChain().find((block) => hasZkapps(block) && block.height < (root?.height ?? 0))
  const below = holding.bestChain().filter(({ height }) => height > 2 && height < (root?.height ?? 0))
  const old = below.find(({ epoch, userCommands }) => epoch > 0 && userCommands.length > 1)
  const gross = below.find(
    ({ coinbaseReceiver, feeTransfers: [first, second] }) => first && second?.recipient === coinbaseReceiver,
  )
  const fork = holding.allBlocks().find(({ stateHash }) => !holding.isCanonical(stateHash))
  if (!root || !inFrontier || !ofZkapps || !old || !oldOfZkapps || !gross || !fork)
    throw new Error('The chain is too short')

  const holder = [...holding.ledger().values()].find(({ tokens }) => tokens.size > 0)
  if (!holder) throw new Error('Nobody holds a token')
  const genesis = holding.genesisBlock()
  const beforeBerkeley = { ...holding, genesisBlock: () => ({ ...genesis, stateHash: genesisBeforeBerkeley }) }
  const stranger = createChain({
    seed: `${seed}, a stranger`,
    now: () => now,
    historyBlocks: 2,
    signsOwnCommands: false,
  })
  const ofLength = holding.bestChain().length
  const states: Readonly<Record<IndexerCondition, IndexerState>> = {
    'has the staking ledger of epoch 0 only': {
      ledger: (hash) => (hash === genesis.stagedLedgerHash ? {} : undefined),
    },
    'has read another chain': { genesisStateHash: stranger.genesisBlock().stateHash },
    'has not connected its latest blocks': { dangling: ofLength - old.height + 1 },
    'has come to the first blocks only': { behind: ofLength - 2 },
  }
  /** The server of each setting, started when it is first asked. */
  const servers = new Map<string, ReturnType<typeof listen>>()
  const listenerOf = (upstream: Upstream, { isHeld, isBeforeBerkeley, condition }: Setting): RequestListener => {
    if (upstream === 'node') return nodeServer(isBeforeBerkeley ? beforeBerkeley : isHeld ? holding : twin)
    return indexerServer(isBeforeBerkeley ? beforeBerkeley : holding, condition && states[condition])
  }
  const serverOf = (upstream: Upstream, setting: Setting) => {
    const key = JSON.stringify([upstream, setting])
    const server = servers.get(key) ?? listen(listenerOf(upstream, setting), 0, '127.0.0.1')
    servers.set(key, server)
    return server
  }
  const ask = async (upstream: Upstream, setting: Setting, body: string) => {
    const { port } = await serverOf(upstream, setting)
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body })).text()
  }
  const known = new Map<string, Promise<string>>()
  return {
    /** Has the commands that are broadcast; `twin` does not. */
    holding,
    twin,
    payment,
    delegation,
    /** More than its sender has. */
    unaffordable: signed(holding, 'PAYMENT', 'ivan', { amount: '900000000000000' }),
    /** Its account has delegators, stakes with itself, and waits for its commands to be included. */
    richKey: keysOf(holding, 'alice').publicKey,
    timedKey: keysOf(holding, 'grace').publicKey,
    /** Of an account with a state. */
    zkappKey: keysOf(holding, 'judy').publicKey,
    /** Has an account in MINA, and one in another token. */
    tokenKey: holder.publicKey,
    /** Gets the commands that wait. */
    receiverKey: keysOf(holding, 'dave').publicKey,
    /** A key without an account. */
    strangeKey: keysOf(stranger, 'alice').publicKey,
    frontierHash: inFrontier.stateHash,
    zkappHash: ofZkapps.stateHash,
    oldZkappHash: oldOfZkapps.stateHash,
    frontierHeight: inFrontier.height,
    /** Of the frontier, where a node finds no block by its height. */
    rootHeight: root.height,
    tipHeight: ofLength,
    tipHash: holding.tip().stateHash,
    /** Start of the tip's slot, milliseconds since 1970. */
    tipAtMs: holding.tip().date,
    slotMs: holding.slotDurationMs,
    forkHash: fork.stateHash,
    /** Below the frontier. */
    oldHash: old.stateHash,
    oldHeight: old.height,
    /** Below the frontier, of a block whose fee transfers are not those of the node on a chain before Berkeley. */
    grossHash: gross.stateHash,
    genesisHash: genesis.stateHash,
    /** Of a block on no chain that anybody knows. */
    strangeHash: stranger.tip().stateHash,
    histories: historiesIn(twin, fork, keysOf(stranger, 'alice').publicKey, stranger.tip().stateHash),
    fates: fatesIn(twin, keysOf(stranger, 'alice').publicKey),
    /** The answer of an upstream to a request's body. */
    answer(upstream: Upstream, setting: Setting, body: string): Promise<string> {
      const key = JSON.stringify([upstream, setting, body])
      const answer = known.get(key) ?? ask(upstream, setting, body)
      known.set(key, answer)
      return answer
    },
    async close() {
      await Promise.all([...servers.values()].map(async (server) => (await server).close()))
    },
  }
}
