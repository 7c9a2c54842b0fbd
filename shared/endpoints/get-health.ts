import { askEach } from '../chain/actions/ask-each.ts'
import { latestBlocks } from '../chain/actions/latest-blocks.ts'
import { type Branch, branchOf, compareBranches, nodeBranchQuery } from '../chain/actions/node-branch.ts'
import { refusedQuestions } from '../chain/actions/refused-questions.ts'
import { portAt } from '../chain/address.ts'
import { assumedSlotMs, minSlotMs } from '../chain/network-state.ts'
import type { ChainView } from '../chain/port.ts'
import { within } from '../chain/within.ts'
import type { getHealthContract } from '../contract/endpoints/get-health.ts'
import type { Health } from '../contract/health.ts'
import { blocksLeftBehind, maxEmptySlots, unremarkableEmptySlots } from '../contract/tip-age.ts'
import type { UpstreamLags } from '../http/answer.ts'
import { failureCaching, retryAfter } from '../http/answer-headers.ts'
import { maxBlocksBehind, queryIndexer } from '../indexer/indexed.ts'
import { indexerTip } from '../indexer/indexer-tip.ts'
import { askEvery, isOfNetwork, onNetwork } from '../indexer/responsible-indexers.ts'
import { chainSummary } from '../mapping/summary.ts'
import { isoTime } from '../mapping/times.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import { networkQuery } from '../upstream/network.ts'
import { nodeTipQuery } from '../upstream/node-query.ts'
import type { Tip } from '../upstream/query.ts'
import { shape } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'

const indexerTipQuery = indexerQuery('indexerTip', '', shape({ tip: indexerTip }))

/** A caller who asks if the service is up should not wait for a node that hangs. */
const patienceMs = 2000

/** A node's clock may be a slot ahead. */
const minAgeSlots = -1

const current = failureCaching

/** The questions of /summary and /blocks, which run in separate Lambda functions. */
const ofOthers = [
  [chainSummary, {}],
  [networkQuery, {}],
  [latestBlocks, { maxLength: 1 }],
] as const

/** Length of a slot of the tips' network in milliseconds; undefined if no node says it in time. */
async function slotMs([tip]: readonly Tip[], chain: ChainView): Promise<number | undefined> {
  const network = tip && (await chain.networks.of(tip.genesisStateHash))
  return network?.constants?.slotMs || undefined
}

/** Height of the indexer on this genesis block's network, or on any without one; undefined if none answers in time. */
async function indexerHeight(
  asked: ReturnType<typeof askTips>,
  genesisStateHash: string | undefined,
): Promise<number | undefined> {
  const answer = await (await onNetwork(asked, genesisStateHash))?.answer
  return answer && isOfNetwork(answer, genesisStateHash) ? answer.value.tip?.blockHeight : undefined
}

const askTips = (chain: ChainView) => askEvery(chain, (each) => queryIndexer(each, indexerTipQuery, {}))

const highest = (tips: readonly NodeTip[]) => tips.toSorted((left, right) => right.height - left.height)[0]

/** A tip with the name of the node that shows it, and the branch below it; the tip alone of a single node. */
type NodeTip = Tip & { readonly node: string; readonly branch: Branch }

/** Age of a tip in whole slots. */
type AgeOf = (tip: Tip) => number

interface Seen {
  /** Wall clock in milliseconds since 1970. */
  readonly now: number
  readonly listed: number
  readonly answering: number
  /** Of the nodes of the network that show one. */
  readonly tips: readonly NodeTip[]
  readonly ages: {
    readonly isKnown: boolean
    /** By the network's slots; if unknown, by the longest ones, so that nothing is down by mistake. */
    readonly least: AgeOf
    /** The same; if unknown, by the shortest ones, so that an old tip does not pass for a fresh one. */
    readonly most: AgeOf
  }
  /** The indexer's height, if known; undefined without an indexer that can be judged. */
  readonly indexer: { readonly height: number | undefined } | undefined
  /** Names of the questions that a node rejects as unknown. */
  readonly refused: readonly string[]
}

/**
 * Of several nodes the one that lacks the most blocks of the best one's branch, because it is behind or on another branch. One
 * without an answer counts as out of use.
 */
function lagOf(tips: readonly NodeTip[], best: NodeTip | undefined): Omit<UpstreamLags, 'indexerLag'> {
  if (best === undefined) return {}
  const others = tips.map(({ node, branch }) => ({ node, ...compareBranches(best.branch, branch) }))
  const [last] = others.toSorted((left, right) => right.lacks - left.lacks)
  if (last === undefined) return {}
  const { node, lacks, rivals } = last
  return { nodeLag: lacks, ...(lacks > 0 && { nodeBehind: node }), ...(rivals && { isForked: true }) }
}

const shownOf = ({ height, atMs }: Tip, now: number): NonNullable<Health['tip']> => ({
  height,
  dateTime: isoTime(atMs),
  timeMs: atMs,
  ageSeconds: Math.floor((now - atMs) / 1000),
})

/** The state of nodes and indexer, and the tip that it is about. */
function healthOf({ now, listed, answering, tips, ages, indexer, refused }: Seen) {
  const isBelievable = (tip: Tip) => ages.least(tip) >= minAgeSlots
  const synced = tips.filter(({ syncStatus }) => syncStatus === 'SYNCED')
  const live = synced.filter((tip) => isBelievable(tip) && ages.least(tip) <= maxEmptySlots)
  const best = highest(live)
  const tip = best ?? highest(tips)
  const isOld = (ageOf: AgeOf) => live.every((each) => ageOf(each) > unremarkableEmptySlots)
  // Nodes that catch up are not read from, but show that the chain goes on.
  const shown = Math.max(indexer?.height ?? 0, ...tips.filter(isBelievable).map(({ height }) => height))
  const isLeftBehind = best !== undefined && isOld(ages.least) && shown >= best.height + blocksLeftBehind
  const lag = indexer?.height === undefined || tip === undefined ? undefined : Math.max(0, tip.height - indexer.height)
  const isIndexerFit = indexer === undefined || (lag !== undefined && lag <= maxBlocksBehind)
  const isAtBest = ({ height }: Tip) => best !== undefined && height >= best.height - 1
  const lags = listed > 1 ? lagOf(tips, best) : {}
  const isOneBranch = !lags.isForked || (lags.nodeLag ?? 0) < blocksLeftBehind
  const isAsGood = live.length === listed && live.every(isAtBest) && isOneBranch && refused.length === 0
  const isOk = isAsGood && !isOld(ages.most) && isIndexerFit
  const status: Health['status'] = best === undefined || isLeftBehind ? 'down' : isOk ? 'ok' : 'degraded'
  const body: Health = {
    status,
    ...(tip !== undefined && ages.isKnown && { tipAgeSlots: ages.least(tip) }),
    ...(tip !== undefined && { tip: shownOf(tip, now) }),
    nodes: { listed, answering, synced: synced.length, ...(!isOneBranch && { blocksApart: lags.nodeLag }) },
    ...(indexer !== undefined && { indexer: lag === undefined ? { answering: false } : { answering: true, lag } }),
    ...(refused.length > 0 && { refusedQuestions: [...refused] }),
  }
  const observed = {
    ...lags,
    ...(lag !== undefined && { indexerLag: lag }),
  }
  return { tip, body, observed }
}

/** GET /health: tells a load balancer whether to send requests here. */
export const getHealth: Endpoint<typeof getHealthContract, object> = {
  name: 'getHealth',
  method: 'GET',
  path: '/health',
  tag: 'blockchain',
  summary: 'State of nodes and indexer',
  isTagged: false,
  caching: { 200: { complete: current }, '5xx': { failure: failureCaching } },
  operations: [nodeTipQuery, nodeBranchQuery, networkQuery, indexerTipQuery, chainSummary, latestBlocks],

  input: () => ({}),

  async run(_input, chain) {
    const asked = askTips(chain)
    chain.networks.start()
    const startedMs = chain.lastingMs()
    const isSingle = chain.nodes.length === 1
    const { answering, answers } = await askEach(chain, isSingle ? nodeTipQuery : nodeBranchQuery, patienceMs)
    // All upstreams share two seconds, so those that hang delay no answer beyond that.
    const leftMs = () => Math.max(1, patienceMs - (chain.lastingMs() - startedMs))
    const tips = answers.map(({ tip, node, data }) => ({
      ...tip,
      node: portAt(chain, node).name,
      branch: branchOf(data.bestChain),
    }))
    const [knownSlotMs, refused] = await Promise.all([
      slotMs(tips, chain),
      refusedQuestions(chain, answering, ofOthers, leftMs()),
    ])
    const now = chain.wallMs()
    const agesBy =
      (slotLengthMs: number): AgeOf =>
      ({ atMs }) =>
        Math.floor((now - atMs) / slotLengthMs)
    const ages = {
      isKnown: knownSlotMs !== undefined,
      least: agesBy(knownSlotMs ?? assumedSlotMs),
      most: agesBy(knownSlotMs ?? minSlotMs),
    }
    const genesis = tips[0]?.genesisStateHash
    const height = await within(chain, indexerHeight(asked, genesis), leftMs())
    // While no node shows its network, an indexer that answers may be on this one or another.
    const isUnjudged = asked.length === 0 || (genesis === undefined && height !== undefined)
    const { tip, body, observed } = healthOf({
      now,
      listed: chain.nodes.length,
      answering: answering.length,
      tips,
      ages,
      indexer: isUnjudged ? undefined : { height },
      refused,
    })
    if (tip !== undefined) chain.noteTip(tip)
    if (body.status !== 'down') return { status: 200, body, caching: current, observed }
    return { status: 503, body, caching: current, observed, headers: retryAfter(chain.refusedForMs()) }
  },
}
