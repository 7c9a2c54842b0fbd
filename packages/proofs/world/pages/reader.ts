// Reads pages while a daemon stands still: blocks below a block, an account's history, the pool and an account. Each answer has
// a label, the tip that it rests on, and is judged by the chain that ends with this tip.

import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import { getAccount } from '../../../../shared/endpoints/get-account.ts'
import { getAccountTransactions } from '../../../../shared/endpoints/get-account-transactions.ts'
import { getBlocksBefore } from '../../../../shared/endpoints/get-blocks-before.ts'
import { getPool } from '../../../../shared/endpoints/get-pool.ts'
import { memberOf } from '../../../../shared/mapping/exact-json.ts'
import { stateHash } from '../../../testnet/hashes.ts'
import { createRandom, integerBetween, pick } from '../../../testnet/random.ts'
import { type HistoryCommand, senders } from '../broadcasts/signed-command.ts'
import { accountAt, type Chain } from '../chain/block.ts'
import { deadHashOf, type IndexerSetting, indexerOf } from '../chain/indexer.ts'
import type { VirtualTime } from '../time.ts'
import type { Caller } from '../wire/place.ts'
import type { World, WorldSetting } from '../world.ts'

export const wrongPages = [
  /** The cursor stands on the chain of the label, or that chain does not reach its height. */
  'false 409',
  /** A page below a block that is not on the chain of the label. */
  'page below a dead block',
  /** A block, or a command of a block, that is not on the chain of the label. */
  'page of another chain',
  'command left out of a page',
  'pooled although its nonce is used',
  'counted as waiting although its nonce is used',
] as const
export type WrongPage = (typeof wrongPages)[number]

interface Named {
  readonly height: number
  readonly stateHash: string
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const namedBlock = (block: unknown): Named => ({
  height: Number(memberOf(block, 'blockHeight')),
  stateHash: String(memberOf(block, 'stateHash')),
})

const isOn = (chain: Chain, { height, stateHash }: Named): boolean => chain[height - 1]?.stateHash === stateHash

export function usePageReader(
  seed: string,
  time: VirtualTime,
  { home, places, fleetOf }: World,
  { blockLagMs }: Pick<WorldSetting, 'blockLagMs'>,
  trace: (line: () => string) => void,
) {
  const random = createRandom(`pages of ${seed}`)
  const isShared = places.some(({ sharedAddress }) => sharedAddress)
  const deadAbove = random() < 0.4 ? integerBetween(random, 4, 40) : undefined
  const setting: IndexerSetting = {
    blocksBehind: pick(random, [0, 0, 1, 3]),
    isAtOrphan: deadAbove === undefined && random() < 0.2,
    hasWrongHashes: false,
    isOnDeadBranch: false,
    deadAbove,
    refusedShare: 0,
  }
  const indexer = random() < 0.7 ? setting : undefined
  const fleet = fleetOf(random, indexer && indexerOf(home, () => home, indexer, random))
  const wrongs: WrongPage[] = []
  const told: string[] = []
  trace(() => `the indexer of the pages: ${JSON.stringify(indexer)}`)
  const caller: Caller = {
    sent: () => undefined,
    troubled: () => undefined,
    executed({ operation, place }, { daemon }) {
      trace(() => `  ${operation.name} at ${place.name}, ${daemon.name}: height ${daemon.chain().length}`)
      return () => undefined
    },
  }

  function anyBlock(): Named {
    const chains = [home.bestChain(), home.bestChain(), ...home.daemons.map((daemon) => daemon.chain())]
    const chain = pick(random, [...chains, home.abandonedChain() ?? home.bestChain()])
    const depth = integerBetween(random, 0, Math.min(chain.length - 2, pick(random, [3, 20, 60])))
    const { height, stateHash: own } = chain.at(-1 - depth) ?? home.genesis
    // What an indexer on a dead branch has there, or nobody.
    const isDead = deadAbove !== undefined && height > deadAbove && random() < 0.3
    if (isDead) return { height, stateHash: deadHashOf(own) }
    return random() < 0.05 ? { height, stateHash: stateHash(`unknown ${random()}`) } : { height, stateHash: own }
  }

  function wrongBelow(
    cursor: Named,
    status: number,
    blocks: readonly Named[],
    chain: Chain,
    chains: readonly Chain[],
    askedAt: number,
  ): WrongPage | undefined {
    const isReached = cursor.height <= chain.length
    // At an address of its own a node may get another tip between two questions: then it is its later chain that counts.
    const labelled = isShared ? [chain] : [chain, ...chains.filter((each) => each.length >= chain.length)]
    const isGone = (each: Chain) => cursor.height <= each.length && !isOn(each, cursor)
    if (status === 409) return labelled.some(isGone) ? undefined : 'false 409'
    if (status !== 200) return undefined
    // A label that is too low is allowed, and proves nothing: then some daemon's chain must hold both. The same holds when
    // a node with its own address reorganises between answering for the blocks and for its tip.
    const isLostMeanwhile = !isShared && home.reorganised.some(({ atMs }) => atMs >= askedAt - blockLagMs)
    if (isReached && !isOn(chain, cursor) && !isLostMeanwhile) return 'page below a dead block'
    const judging = isReached && isOn(chain, cursor) ? [chain] : chains.filter((each) => isOn(each, cursor))
    return judging.some((each) => blocks.every((block) => isOn(each, block))) ? undefined : 'page of another chain'
  }

  function wrongInHistory(body: unknown, publicKey: string, chain: Chain): WrongPage | undefined {
    const given = listOf(memberOf(body, 'transactions'))
    const hashes = new Set(given.map((each) => memberOf(memberOf(each, 'command'), 'hash')))
    if (!given.every((each) => isOn(chain, namedBlock(memberOf(each, 'block'))))) return 'page of another chain'
    const searched = memberOf(body, 'searched')
    const [from, to] = ['fromHeight', 'toHeight'].map((name) => Number(memberOf(searched, name)))
    const held = chain.slice(Number(from) - 1, to).flatMap(({ commands }) => commands)
    const isOwn = (command: HistoryCommand) => command.from === publicKey && !command.isZkapp
    if (held.some((command) => isOwn(command) && !hashes.has(command.hash))) return 'command left out of a page'
    const pending = listOf(memberOf(body, 'pending')).map((each) => memberOf(memberOf(each, 'command'), 'hash'))
    return wrongInPool(pending, chain)
  }

  /** @param unchecked so many may be over: the answer says that nothing showed the nonces of their fee payers */
  function wrongInPool(hashes: readonly unknown[], chain: Chain, unchecked = 0): WrongPage | undefined {
    const held = chain.flatMap(({ commands }) => commands)
    const queued = home.daemons.flatMap((daemon) => daemon.allQueued())
    const isUsed = ({ from, nonce }: HistoryCommand) => nonce < (accountAt(chain, from)?.nonce ?? 0)
    const used = new Set<unknown>([...held, ...queued].filter(isUsed).map(({ hash }) => hash))
    return hashes.filter((hash) => used.has(hash)).length > unchecked ? 'pooled although its nonce is used' : undefined
  }

  /** Every command of the key that waits in some pool, or came into a block meanwhile, and that the chain can still take. */
  function waiting(publicKey: string, chain: Chain): number {
    const { nonce = 0 } = accountAt(chain, publicKey) ?? {}
    const queued = home.daemons.flatMap((daemon) => daemon.queued(publicKey))
    const isOwn = ({ from }: HistoryCommand) => from === publicKey
    const held = home.bestChain().flatMap(({ commands }) => commands.filter(isOwn))
    return new Set([...queued, ...held].filter((command) => command.nonce >= nonce)).size
  }

  async function ask(): Promise<void> {
    const publicKey = pick(random, senders)
    const cursor = anyBlock()
    const before = `${cursor.height}-${cursor.stateHash}`
    const dice = random()
    const [endpoint, path, query]: readonly [
      unknown,
      Readonly<Record<string, string>>,
      Readonly<Record<string, string>>,
    ] =
      dice < 0.4
        ? [getBlocksBefore, { cursor: before }, {}]
        : dice < 0.6
          ? [getAccountTransactions, { public_key: publicKey }, { before }]
          : dice < 0.7
            ? [getAccountTransactions, { public_key: publicKey }, {}]
            : dice < 0.85
              ? [getPool, {}, random() < 0.5 ? { account: publicKey } : {}]
              : [getAccount, { public_key: publicKey }, {}]
    const askedAt = time.now()
    const couldWait = [waiting(publicKey, home.bestChain())]
    const request = { path, query, body: undefined }
    const { answer, tip } = await fleet(endpoint as Endpoint, request, caller)
    const { status, body } = answer
    const { name } = endpoint as Endpoint
    told.push(`${name} ${status}`)
    const chain = tip && home.chainTo(tip.stateHash)
    if (chain === undefined) return
    couldWait.push(waiting(publicKey, chain))
    const chains = home.shownSince(askedAt)
    const judge = (): WrongPage | undefined => {
      if (endpoint === getBlocksBefore)
        return wrongBelow(cursor, status, listOf(memberOf(body, 'blocks')).map(namedBlock), chain, chains, askedAt)
      if (endpoint === getAccountTransactions) {
        const below = query.before === undefined ? undefined : wrongBelow(cursor, status, [], chain, chains, askedAt)
        const isAbove = query.before !== undefined && chain.length < cursor.height
        const judging = isAbove ? (chains.find((each) => isOn(each, cursor)) ?? chain) : chain
        return below ?? (status === 200 ? wrongInHistory(body, publicKey, judging) : undefined)
      }
      if (status !== 200) return undefined
      if (endpoint === getPool) {
        const pooled = listOf(memberOf(body, 'commands')).map((each) => memberOf(each, 'hash'))
        return wrongInPool(pooled, chain, Number(memberOf(body, 'unchecked') ?? 0))
      }
      const counted = Number(memberOf(memberOf(body, 'account'), 'countPendingTransactions') ?? 0)
      return counted > Math.max(...couldWait) ? 'counted as waiting although its nonce is used' : undefined
    }
    const wrong = judge()
    if (wrong !== undefined) wrongs.push(wrong)
    trace(
      () =>
        `${name} ${Object.values(path)} ${JSON.stringify(query)}: ${status} at ${tip?.height} ${wrong?.toUpperCase() ?? ''}`,
    )
  }

  return {
    /** Asks so many times within a span. */
    async read(times: number, spanMs: number): Promise<void> {
      const asking: Promise<void>[] = []
      for (let count = 0; count < times; count++) {
        await time.wait((random() * 2 * spanMs) / times)
        asking.push(ask())
      }
      await Promise.all(asking)
    },
    told: (): readonly string[] => told,
    wrongs: (): readonly WrongPage[] => wrongs,
  }
}
