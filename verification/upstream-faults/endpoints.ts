// The requests to each endpoint while an upstream misbehaves, and the right answers.
import type { EndpointName } from '../../shared/endpoints/all.ts'
import type { FixedAnswers } from './judge/answer-form.ts'
import type { Evidence } from './judge/evidence.ts'
import { rightFate } from './judge/fate/right-fate.ts'
import { rightHistory } from './judge/history/right-history.ts'
import type { Right } from './judge/rights/right.ts'
import { rightAccount } from './judge/rights/right-account.ts'
import { rightBlock } from './judge/rights/right-block.ts'
import { rightBlockAtHeight } from './judge/rights/right-block-at-height.ts'
import { rightLatestBlocks, rightSummary } from './judge/rights/right-blocks.ts'
import { rightBroadcast } from './judge/rights/right-broadcast.ts'
import { rightFees } from './judge/rights/right-fees.ts'
import { rightHealth } from './judge/rights/right-health.ts'
import { rightNetwork } from './judge/rights/right-network.ts'
import { rightPool, tooLongPool } from './judge/rights/right-pool.ts'
import { rightTokens } from './judge/rights/right-tokens.ts'
import type { Scenario } from './setting/scenarios.ts'
import type { SignedRequest, TwinChains } from './setting/twin-chains.ts'

interface JudgedEndpoint extends FixedAnswers {
  /** One or more, so that each of its questions is put. */
  scenarios(chains: TwinChains): readonly Omit<Scenario, 'endpoint'>[]
  /** The answers that are right, from what the upstreams really sent. */
  rights(evidence: Evidence): readonly Right[]
}

const broadcast = (name: string, signed: SignedRequest): readonly Omit<Scenario, 'endpoint'>[] => [
  { name, signed },
  { name: `${name}, looked for`, signed, isMutationSilent: true },
]

const rightsOfBroadcast = ({ scenario: { signed }, exchanges, isHeld }: Evidence): readonly Right[] =>
  signed === undefined ? [] : rightBroadcast(exchanges, signed, isHeld)

export const judgedEndpoints: Readonly<Record<EndpointName, JudgedEndpoint>> = {
  getBlocks: {
    maxAgeSeconds: 5,
    scenarios: () => [{ name: 'latest blocks', limit: 3 }],
    rights: ({ exchanges }) => rightLatestBlocks(exchanges),
  },
  getBlock: {
    maxAgeSeconds: 86_400,
    scenarios: (chains) => [
      { name: 'block', stateHash: chains.frontierHash },
      { name: 'fork block', stateHash: chains.forkHash },
      { name: 'old block', stateHash: chains.oldHash },
      { name: 'genesis block', stateHash: chains.genesisHash },
      { name: 'block before Berkeley', stateHash: chains.grossHash, isBeforeBerkeley: true },
      { name: 'unknown block', stateHash: chains.strangeHash },
    ],
    rights: ({ scenario: { stateHash = '' }, exchanges, earlier }) => rightBlock(exchanges, earlier, stateHash),
    notFound: { text: 'No blocks found for that state hash.', maxAgeSeconds: 5 },
  },
  getBlockAtHeight: {
    maxAgeSeconds: 86_400,
    scenarios: (chains) => [
      { name: 'block by its height', height: chains.frontierHeight },
      { name: 'root by its height', height: chains.rootHeight },
      { name: 'old block by its height', height: chains.oldHeight },
      { name: 'height above the tip', height: chains.tipHeight + 1 },
    ],
    rights: ({ scenario: { height = 0 }, exchanges, earlier }) =>
      rightBlockAtHeight(exchanges, earlier, BigInt(height)),
    notFound: { text: 'No block found at that height.', maxAgeSeconds: 5 },
  },
  getAccount: {
    maxAgeSeconds: 2,
    scenarios: (chains) => [
      { name: 'account', publicKey: chains.richKey },
      { name: 'timed account', publicKey: chains.timedKey },
      { name: 'unknown account', publicKey: chains.strangeKey },
    ],
    rights: ({ scenario: { publicKey = '' }, ...evidence }) => rightAccount({ ...evidence, publicKey }),
    notFound: { text: 'No account found for that public key.', maxAgeSeconds: 2 },
  },
  getSummary: {
    maxAgeSeconds: 5,
    scenarios: () => [{ name: 'summary' }],
    rights: ({ exchanges }) => rightSummary(exchanges),
  },
  getHealth: {
    maxAgeSeconds: 1,
    staleness: ', stale-if-error=0',
    scenarios: ({ tipAtMs, slotMs }) => [
      { name: 'health', nowMs: tipAtMs },
      { name: 'health, its tip eleven slots old', nowMs: tipAtMs + 11 * slotMs },
    ],
    rights: ({ scenario: { nowMs = 0 }, exchanges, earlier }) => rightHealth(exchanges, earlier, nowMs),
    tellsDown: true,
  },
  getNetwork: {
    maxAgeSeconds: 60,
    staleness: ', stale-while-revalidate=10, stale-if-error=60',
    scenarios: ({ tipAtMs, slotMs }) => [
      { name: 'network', nowMs: tipAtMs },
      { name: 'network over an old tip', nowMs: tipAtMs + 5 * slotMs + 1 },
    ],
    rights: ({ scenario: { nowMs = 0 }, exchanges }) => rightNetwork(exchanges, nowMs),
  },
  getTransaction: {
    maxAgeSeconds: 86_400,
    scenarios: ({ fates }) =>
      Object.entries(fates).map(([name, transaction]) => ({ name: `fate: ${name}`, transaction })),
    rights: ({ scenario: { transaction }, exchanges, earlier }) =>
      transaction === undefined ? [] : rightFate(exchanges, earlier, transaction),
    notFound: { text: 'No transaction found for that hash.', maxAgeSeconds: 2, hasMore: true },
  },
  getAccountTransactions: {
    maxAgeSeconds: 86_400,
    scenarios: ({ histories }) =>
      Object.entries(histories).map(([name, history]) => ({ name: `history: ${name}`, history })),
    rights: ({ scenario: { history }, exchanges, earlier }) =>
      history === undefined ? [] : rightHistory(exchanges, earlier, history),
    replaced: 'The block of this cursor is not canonical any more.',
  },
  getAccountTokens: {
    maxAgeSeconds: 2,
    scenarios: (chains) => [
      { name: 'tokens', publicKey: chains.tokenKey },
      { name: 'tokens of an unknown account', publicKey: chains.strangeKey },
    ],
    rights: ({ scenario: { publicKey = '' }, exchanges }) => rightTokens(exchanges, publicKey),
    notFound: { text: 'No account found for that public key.', maxAgeSeconds: 2 },
  },
  getFees: {
    maxAgeSeconds: 15,
    scenarios: () => [{ name: 'fees' }],
    rights: ({ exchanges }) => rightFees(exchanges),
  },
  getPool: {
    maxAgeSeconds: 2,
    tooLong: tooLongPool,
    scenarios: (chains) => [{ name: 'pool' }, { name: 'pool of a receiver', account: chains.receiverKey }],
    rights: ({ scenario: { account }, exchanges }) => rightPool(exchanges, account),
  },
  broadcastTransaction: {
    scenarios: (chains) => [
      ...broadcast('payment', chains.payment),
      { name: 'unaffordable payment', signed: chains.unaffordable },
    ],
    rights: rightsOfBroadcast,
    failedBroadcast: 'Error in sending transaction',
  },
  broadcastDelegation: {
    scenarios: (chains) => broadcast('delegation', chains.delegation),
    rights: rightsOfBroadcast,
    failedBroadcast: 'Error in sending delegation',
  },
}

const names = Object.keys(judgedEndpoints) as readonly EndpointName[]

export const scenariosOf = (chains: TwinChains): readonly Scenario[] =>
  names.flatMap((endpoint) =>
    judgedEndpoints[endpoint].scenarios(chains).map((scenario) => ({ ...scenario, endpoint })),
  )
