// The requests to each endpoint while an upstream misbehaves, and the right answers.
import type { EndpointName } from '../../../shared/endpoints/all.ts'
import type { FixedAnswers } from './judge/answer-form.ts'
import type { Evidence } from './judge/evidence.ts'
import { broadcastFaults } from './judge/truth/broadcasts.ts'
import { fateFaults } from './judge/truth/fates.ts'
import { healthFaults } from './judge/truth/health.ts'
import { historyFaults } from './judge/truth/histories.ts'
import type { Scenario } from './setting/scenarios.ts'
import type { Received } from './setting/service.ts'
import type { SignedRequest, TwinChains } from './setting/twin-chains.ts'

interface JudgedEndpoint extends FixedAnswers {
  /** One or more, so that each of its questions is put. */
  scenarios(chains: TwinChains): readonly Omit<Scenario, 'endpoint'>[]
  /** The faults of an answer that differs from the usual one, by the chain's truth; undefined where it says nothing of it. */
  truth?(evidence: Evidence, given: Received): readonly string[] | undefined
}

/** What others make longer than any answer that is read has its own words. */
const tooManyBlocks = 'These blocks hold more than one answer can. Ask for fewer of them.'
const tooFullBlocks = 'The latest blocks hold more commands than can be read at once.'
const tooLongPool = 'More commands wait than can be read now.'

/** An indexer has it wrong in every block since Berkeley. */
const snarkedLedger = 'protocolState.blockchainState.snarkedLedgerHash'
/** An indexer does not show what pays the fee for a new account. */
const creationFees = 'transactions.command.balanceChanges.implicitAccountCreationFee'

/** The next block or command may change most fates; a final one stays. */
function keptFate(name: string, fate: string): number {
  if (/^(?:old$|old by its terms|old, replaced|an old zkApp)/.test(name)) return 86_400
  return fate === 'included' ? 15 : 2
}

const broadcast = (name: string, signed: SignedRequest): readonly Omit<Scenario, 'endpoint'>[] => [
  { name, signed },
  { name: `${name}, looked for`, signed, isMutationSilent: true },
]

export const judgedEndpoints: Readonly<Record<EndpointName, JudgedEndpoint>> = {
  getBlocks: {
    maxAgeSeconds: 5,
    scenarios: () => [{ name: 'latest blocks', limit: 3 }],
    tooLong: tooManyBlocks,
  },
  getBlock: {
    maxAgeSeconds: 86_400,
    scenarios: (chains) => [
      { name: 'block', stateHash: chains.frontierHash, keptSeconds: 60 },
      { name: 'fork block', stateHash: chains.forkHash, keptSeconds: 15 },
      { name: 'old block', stateHash: chains.oldHash, needsIndexer: true, lacks: snarkedLedger },
      { name: 'block of a zkApp', stateHash: chains.zkappHash, keptSeconds: 60 },
      {
        name: 'old block of a zkApp',
        stateHash: chains.oldZkappHash,
        needsIndexer: true,
        lacks: `${snarkedLedger},${creationFees.replace('command', 'zkappCommands')}`,
      },
      { name: 'genesis block', stateHash: chains.genesisHash, needsIndexer: true, lacks: snarkedLedger },
      { name: 'block before Berkeley', stateHash: chains.grossHash, isBeforeBerkeley: true, needsIndexer: true },
      { name: 'unknown block', stateHash: chains.strangeHash, needsIndexer: true, status: 404 },
    ],
    notFound: { text: 'No blocks found for that state hash.', maxAgeSeconds: 5 },
  },
  getBlockAtHeight: {
    maxAgeSeconds: 86_400,
    scenarios: (chains) => [
      { name: 'block by its height', height: chains.frontierHeight, keptSeconds: 60 },
      { name: 'root by its height', height: chains.rootHeight, keptSeconds: 60 },
      { name: 'old block by its height', height: chains.oldHeight, needsIndexer: true, lacks: snarkedLedger },
      { name: 'height above the tip', height: chains.tipHeight + 1, status: 404 },
    ],
    notFound: { text: 'No block found at that height.', maxAgeSeconds: 5 },
  },
  getBlocksBefore: {
    maxAgeSeconds: 86_400,
    scenarios({ tipHeight: height, tipHash, oldHeight, oldHash }) {
      const belowTip = { height, stateHash: tipHash, limit: 3, keptSeconds: 15 }
      const belowOld = { height: oldHeight, stateHash: oldHash, limit: 3, needsIndexer: true }
      return [
        { name: 'blocks below the tip', ...belowTip },
        { name: 'headers below the tip', ...belowTip, view: 'header' },
        { name: 'blocks below an old block', ...belowOld, lacks: snarkedLedger },
        { name: 'headers below an old block', ...belowOld, view: 'header' },
      ]
    },
    replaced: 'The block of this cursor is not canonical any more.',
    tooLong: tooManyBlocks,
  },
  getAccount: {
    maxAgeSeconds: 2,
    scenarios: (chains) => [
      { name: 'account', publicKey: chains.richKey },
      { name: 'timed account', publicKey: chains.timedKey },
      { name: 'account of a zkApp', publicKey: chains.zkappKey },
      { name: 'unknown account', publicKey: chains.strangeKey, status: 404 },
    ],
    notFound: { text: 'No account found for that public key.', maxAgeSeconds: 2 },
  },
  getSummary: {
    maxAgeSeconds: 5,
    scenarios: () => [{ name: 'summary' }],
  },
  getHealth: {
    maxAgeSeconds: 1,
    staleness: ', stale-if-error=0',
    scenarios: ({ tipAtMs, slotMs }) => [
      { name: 'health', nowMs: tipAtMs },
      { name: 'health, its tip eleven slots old', nowMs: tipAtMs + 11 * slotMs },
      { name: 'health, its tip 31 slots old', nowMs: tipAtMs + 31 * slotMs, status: 503 },
    ],
    truth: healthFaults,
    tellsDown: true,
  },
  getNetwork: {
    maxAgeSeconds: 60,
    staleness: ', stale-while-revalidate=10, stale-if-error=60',
    scenarios: ({ tipAtMs, slotMs }) => [
      { name: 'network', nowMs: tipAtMs },
      { name: 'network over an old tip', nowMs: tipAtMs + 5 * slotMs + 1, keptSeconds: 1 },
    ],
  },
  getTransaction: {
    maxAgeSeconds: 86_400,
    scenarios: ({ fates }) =>
      Object.entries(fates).map(([name, transaction]) => ({
        name: `fate: ${name}`,
        transaction,
        status: transaction.fate === 'not found' ? 404 : 200,
        keptSeconds: keptFate(name, transaction.fate),
        needsIndexer: /^(?:nowhere|before Berkeley|older)$/.test(name),
      })),
    truth: fateFaults,
    tooLong: tooFullBlocks,
    notFound: { text: 'No transaction found for that hash.', maxAgeSeconds: 2, hasMore: true },
  },
  getAccountTransactions: {
    maxAgeSeconds: 86_400,
    scenarios: ({ histories }) =>
      Object.entries(histories).map(([name, history]) => ({
        name: `history: ${name}`,
        history,
        status: history.status,
        keptSeconds: name === 'below a final block' ? 86_400 : 5,
        ...(history.status === 200 && /all|updated|below/.test(name) && { lacks: creationFees }),
        // The node's own blocks hold the others.
        needsIndexer: !/first page|pending|replaced|above/.test(name),
      })),
    truth: historyFaults,
    tooLong: tooFullBlocks,
    replaced: 'The block of this cursor is not canonical any more.',
  },
  getAccountTokens: {
    maxAgeSeconds: 2,
    scenarios: (chains) => [
      { name: 'tokens', publicKey: chains.tokenKey },
      { name: 'tokens of an unknown account', publicKey: chains.strangeKey },
    ],
    notFound: { text: 'No account found for that public key.', maxAgeSeconds: 2 },
  },
  getFees: {
    maxAgeSeconds: 15,
    scenarios: () => [{ name: 'fees' }],
  },
  getPool: {
    maxAgeSeconds: 2,
    tooLong: tooLongPool,
    scenarios: (chains) => [{ name: 'pool' }, { name: 'pool of a receiver', account: chains.receiverKey }],
  },
  broadcastTransaction: {
    scenarios: (chains) => [
      ...broadcast('payment', chains.payment),
      { name: 'unaffordable payment', signed: chains.unaffordable, status: 400 },
    ],
    truth: broadcastFaults,
    failedBroadcast: 'Error in sending transaction',
  },
  broadcastDelegation: {
    scenarios: (chains) => broadcast('delegation', chains.delegation),
    truth: broadcastFaults,
    failedBroadcast: 'Error in sending delegation',
  },
}

const names = Object.keys(judgedEndpoints) as readonly EndpointName[]

export const scenariosOf = (chains: TwinChains): readonly Scenario[] =>
  names.flatMap((endpoint) =>
    judgedEndpoints[endpoint].scenarios(chains).map((scenario) => ({ ...scenario, endpoint })),
  )
