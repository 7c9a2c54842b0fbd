// A chain, and a daemon that stopped some blocks ago and goes on answering as it stood then.
import type { ChainBlock } from '../../testnet/block.ts'
import { type Chain, createChain, type Wallet } from '../../testnet/chain.ts'
import type { Command, CommandPayload } from '../../testnet/command.ts'
import { neverExpires } from '../../testnet/command.ts'
import { createSigner } from '../../testnet/signer.ts'

/** How long ago the daemon stopped; `orphan`: on blocks that a reorganisation then took off. */
export interface Stop {
  readonly name: string
  readonly blocksAgo: number
  readonly orphaned: number
}

export const stops: readonly Stop[] = [
  { name: '1 block ago', blocksAgo: 1, orphaned: 0 },
  { name: '5 blocks ago', blocksAgo: 5, orphaned: 0 },
  { name: '30 blocks ago', blocksAgo: 30, orphaned: 0 },
  { name: '20 blocks ago on an orphan', blocksAgo: 20, orphaned: 4 },
]

export const network = 'testnet'
export const blockMs = 10_000
const fee = 10_000_000n
/** An account costs one MINA. */
const amount = 2_000_000_000n

export type Stage = ReturnType<typeof createStage>

/** A chain with wallets that pay. Each payment goes to a key of its own, so that a key tells whether it was credited rightly. */
export function createStage(historyBlocks: number, frontierBlocks = historyBlocks) {
  let now = Date.UTC(2026, 0, 1)
  const seed = 'stopped daemon'
  const chain = createChain({
    ...{ seed, now: () => now, network, signsOwnCommands: false, slotsPerEpoch: 2000 },
    ...{ historyBlocks, frontierBlocks, blockSeconds: blockMs / 1000 },
  })
  const signer = createSigner(network)
  const walletOf = (name: string): Wallet => {
    const found = chain.wallets.find((each) => each.name === name)
    if (found === undefined) throw new Error(`no wallet ${name}`)
    return found
  }
  const keys: string[] = []
  const sent: Command[] = []
  const newKey = () => {
    const { publicKey } = signer.keyPair(seed, `deposit ${keys.length}`)
    keys.push(publicKey)
    return publicKey
  }
  return {
    chain,
    now: () => now,
    /** The receivers of all payments, in their order. */
    keys: keys as readonly string[],
    sent: sent as readonly Command[],
    walletOf,
    /** @param rivalOf takes its place, for a higher fee */
    pay(name: string, rivalOf?: Command): Command {
      const { publicKey: from, privateKey } = walletOf(name)
      const account = chain.account(from)
      const payload: CommandPayload = {
        ...{ kind: 'PAYMENT', from, to: newKey(), amount, memo: `deposit ${keys.length}`, validUntil: neverExpires },
        fee: rivalOf ? rivalOf.fee * 2n : fee,
        nonce: rivalOf?.nonce ?? (account ? chain.inferredNonce(account) : 0),
      }
      const submission = chain.sendPayment(payload, signer.sign(payload, privateKey))
      if ('refused' in submission) throw new Error(submission.refused)
      sent.push(submission.command)
      return submission.command
    },
    produceBlock() {
      now += blockMs
      return chain.produceBlock()
    },
  }
}

/** The chain of a daemon that hears of nothing any more. */
export function stoppedCopy(chain: Chain): Chain {
  const [tip, ledger, blocks, frontier] = [chain.tip(), chain.ledger(), chain.bestChain(), chain.frontier()]
  const [pool, zkapps] = [chain.pool(), chain.zkappPool()]
  const of = <One extends { readonly from: string }>(all: readonly One[], key?: string) =>
    key === undefined ? all : all.filter(({ from }) => from === key)
  return {
    ...chain,
    tip: () => tip,
    ledger: () => ledger,
    bestChain: () => blocks,
    allBlocks: () => blocks,
    frontier: () => frontier,
    frontierBlock: (stateHash) => frontier.find((block) => block.stateHash === stateHash),
    isCanonical: (stateHash) => blocks.some((block) => block.stateHash === stateHash),
    account: (publicKey) => ledger.get(publicKey),
    pool: (publicKey) => of(pool, publicKey),
    zkappPool: (publicKey) => of(zkapps, publicKey),
    inferredNonce: ({ publicKey, nonce }) =>
      [...of(pool, publicKey), ...of(zkapps, publicKey)].reduce((next, each) => Math.max(next, each.nonce + 1), nonce),
  }
}

/**
 * Takes the last blocks off the chain for good: payments of theirs go to other keys now, under a dearer rival.
 *
 * @param payer of those that get a rival
 */
export function orphanBlocks(stage: Stage, count: number, payer: string): readonly ChainBlock[] {
  const lost = stage.chain.bestChain().slice(-count)
  const { publicKey } = stage.walletOf(payer)
  stage.chain.reorganise(count)
  for (const command of stage.chain.pool(publicKey)) stage.pay(payer, command)
  return lost
}

/** A stage on which nothing moves any more, its stopped daemon, and the blocks that were lost. */
export function standingStage({ blocksAgo, orphaned }: Stop, historyBlocks: number) {
  const stage = createStage(historyBlocks)
  const { chain } = stage
  const payAndProduce = () => {
    stage.pay('alice')
    stage.produceBlock()
  }
  for (let made = 0; made < 6; made++) payAndProduce()
  // What waits in both pools when the one daemon stops: bob's goes into the next block, carol's waits on.
  for (let count = 0; count < 5; count++) stage.pay('bob')
  chain.withhold(stage.pay('carol'))
  const stopped = orphaned === 0 ? stoppedCopy(chain) : undefined
  for (let made = 0; made < orphaned; made++) payAndProduce()
  const onOrphan = stopped ?? stoppedCopy(chain)
  const lost = orphaned === 0 ? [] : orphanBlocks(stage, orphaned, 'alice')
  for (let made = 0; made < blocksAgo; made++) payAndProduce()
  for (let count = 0; count < 2; count++) chain.withhold(stage.pay('dave'))
  return { stage, stopped: onOrphan, lost }
}
