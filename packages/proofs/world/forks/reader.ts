// Reads blocks at random moments of the day of a hard fork, and judges every answer: by the chain that it must rest on, by
// what that chain keeps of the one before, and by how long it may be kept.

import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import { getBlock } from '../../../../shared/endpoints/get-block.ts'
import { getBlockAtHeight } from '../../../../shared/endpoints/get-block-at-height.ts'
import { getBlocks } from '../../../../shared/endpoints/get-blocks.ts'
import { memberOf } from '../../../../shared/mapping/exact-json.ts'
import { createRandom, integerBetween, pick } from '../../../testnet/random.ts'
import type { Block, Chain } from '../chain/block.ts'
import { indexerOf } from '../chain/indexer.ts'
import type { Network } from '../chain/network.ts'
import type { Answered } from '../service/fleet.ts'
import type { VirtualTime } from '../time.ts'
import type { Caller } from '../wire/place.ts'
import type { World } from '../world.ts'
import type { ForkJudge } from './judge.ts'
import { dayMsOf, type ForkPlan } from './plan.ts'
import type { WrongInFork } from './wrongs.ts'

/** So long a block may be kept that a hard fork can still discard. */
const maxKeptSeconds = 60
/** Five slots of a public network, and time enough to learn that ours are shorter. */
const haltedAfterMs = 460_000

/** An indexer that answers each question, at the end of its chain. */
const healthyIndexer = {
  ...{ blocksBehind: 0, isAtOrphan: false, hasWrongHashes: false, isOnDeadBranch: false, refusedShare: 0 },
}

export function useReader(
  seed: string,
  time: VirtualTime,
  { home, next, fleetOf }: World,
  fork: ForkPlan,
  judge: ForkJudge,
  { frontierBlocks, queryFaults }: { readonly frontierBlocks: number; readonly queryFaults: number },
  trace: (line: () => string) => void,
) {
  const random = createRandom(seed)
  const followed = () => {
    const isOnNext = fork.hasReplicas ? random() < 0.5 : fork.indexerFollows
    return (isOnNext && judge.hasBegun() && next()) || home
  }
  const fleet = fleetOf(random, indexerOf(home, followed, healthyIndexer, random))
  const told: string[] = []
  const wrongs: WrongInFork[] = []

  /** Blocks of either chain: kept, discarded, or new. */
  const anyBlock = (): Block | undefined => {
    const chain = pick(random, [home.bestChain(), (next() ?? home).bestChain()])
    return chain.at(-1 - integerBetween(random, 0, Math.min(40, chain.length - 1)))
  }

  function question() {
    const ask = (endpoint: unknown, path: Readonly<Record<string, string>>, block?: Block) => ({
      endpoint: endpoint as Endpoint,
      request: { path, query: {}, body: undefined },
      block,
    })
    const block = anyBlock()
    if (block === undefined || random() < 0.25) return ask(getBlocks, {})
    return random() < 0.4
      ? ask(getBlockAtHeight, { height: String(block.height) }, block)
      : ask(getBlock, { state_hash: block.stateHash }, block)
  }

  const isShown = (chains: readonly Chain[], stateHash: string, height: number, canonical: boolean): boolean =>
    chains.some((chain) => {
      const there = chain[height - 1]
      return there === undefined ? !canonical : (there.stateHash === stateHash) === canonical
    })

  function wrongIn(
    asked: Block | undefined,
    { answer, networks: rested }: Answered,
    network: Network,
    chains: readonly Chain[],
    wasHalted: boolean,
  ): WrongInFork | undefined {
    const { status, body, caching } = answer
    const upgraded = next()
    const isNext = network === upgraded
    if (status >= 500) {
      // Every node is on the new chain, and the indexer holds the whole old one.
      const isKept = asked !== undefined && isNext && asked.height < network.genesis.height
      const mustKnow = judge.isOver() && queryFaults === 0
      if (mustKnow && asked === undefined) return 'read failed'
      return mustKnow && isKept && !fork.indexerFollows && !fork.hasReplicas ? 'history lost' : undefined
    }
    const block = memberOf(body, 'block')
    if (status !== 200 || typeof block !== 'object' || rested.size === 0) return undefined
    const stateHash = String(memberOf(block, 'stateHash'))
    const height = Number(memberOf(block, 'blockHeight') ?? asked?.height)
    const canonical = memberOf(block, 'canonical') === true
    if (!isShown(chains, stateHash, height, canonical)) return 'false canonical'
    const isOpen = chains.every(
      (chain) => chain.length - height < frontierBlocks - 1 && height >= network.genesis.height,
    )
    const seconds = caching?.maxAgeSeconds ?? 0
    return wasHalted && isOpen && seconds > maxKeptSeconds ? 'kept too long' : undefined
  }

  async function ask(): Promise<void> {
    const { endpoint, request, block } = question()
    const before = judge.look()
    const askedAt = time.now()
    let sawNext = false
    const caller: Caller = {
      sent: () => undefined,
      troubled: () => undefined,
      executed:
        (_call, { network }) =>
        () => {
          sawNext ||= network === next()
        },
    }
    const isOld = () => time.now() - (home.bestChain().at(-1)?.date ?? 0) > haltedAfterMs
    const wasOld = isOld()
    const answered = await fleet(endpoint, request, caller)
    if (sawNext) judge.shown(answered.by)
    const networks = [home, ...[next() ?? []].flat()]
    const rested = new Set(networks.filter(({ genesisStateHash }) => answered.networks.has(genesisStateHash)))
    const { network, isUnsure, isOfDeadChain, isCounted } = judge.standingOf('read', before, answered, rested)
    const chains = network.shownSince(askedAt)
    const isJudged = !isUnsure && !isCounted
    const wrong =
      isOfDeadChain && answered.answer.status < 500
        ? 'of a dead chain'
        : isJudged
          ? wrongIn(block, answered, network, chains, wasOld && network === home)
          : undefined
    if (wrong !== undefined) wrongs.push(wrong)
    const { status } = answered.answer
    told.push(`${endpoint.name} ${status}`)
    const which = block && `${block.stateHash.slice(0, 8)} at ${block.height}`
    trace(
      () => `${endpoint.name} ${which ?? ''}: ${status} of ${network.daemons[0]?.name} ${wrong?.toUpperCase() ?? ''}`,
    )
  }

  return {
    /** Reads so many times within the day. */
    async read(times: number): Promise<void> {
      const asking: Promise<void>[] = []
      for (let count = 0; count < times; count++) {
        await time.wait((random() * 2 * dayMsOf(fork)) / times)
        asking.push(ask())
      }
      await Promise.all(asking)
    },
    told: (): readonly string[] => told,
    wrongs: (): readonly WrongInFork[] => wrongs,
  }
}
