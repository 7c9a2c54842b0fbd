// The questions about a staking ledger to a mina-indexer, which walks the whole ledger for most of them and answers
// nothing else on that thread meanwhile. For a ledger that it does not have, it gives the rows of epoch 0 under the
// asked hash (Granola-Team/mina-indexer, rust/src/web/graphql/stakes/mod.rs); only a `limit` of 0 shows that.
import { berkeleyGenesis } from '../contract/genesis-blocks.ts'
import { WireError } from '../upstream/errors.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import { anyText, called, count, listOf, nanomina, shape, shortText, type Variables } from '../upstream/wire.ts'

interface OfLedger {
  readonly epoch: number
  readonly ledgerHash: string
}

const isOfLedger = (rows: readonly OfLedger[], { ledgerHash }: Variables): boolean =>
  rows.every((row) => row.ledgerHash === ledgerHash)

/** One row if the indexer has the ledger, none if not. Answered at once. */
const known = called(
  'stakes(limit: 0, query: {ledgerHash: $ledgerHash})',
  listOf(shape({ epoch: count, ledgerHash: shortText })),
  (rows, asked) => rows.length <= 1 && isOfLedger(rows, asked),
)

/**
 * The genesis block under which a mina-indexer files every ledger that is not in its built-in list, whatever its chain:
 * mainnet's since Berkeley (rust/src/ledger/staking/mod.rs). There the rows of two chains' ledgers are mixed.
 */
export const genesisOfUnlisted = berkeleyGenesis

/** A ledger by where its rows are filed: under the genesis block of the indexer's best chain, or under another one. */
export type FiledLedger = Readonly<{ ledgerHash: string; genesis?: string }>

const rowFields = {
  balanceNanomina: nanomina,
  delegate: shortText,
  epoch: count,
  ledgerHash: shortText,
  nonce: count,
  public_key: shortText,
  receipt_chain_hash: anyText,
  token: count,
  voting_for: anyText,
}

/** True if the indexer has a ledger and shows a row of it. Takes no walk. */
export const stakingLedger = indexerQuery(
  'stakingLedger',
  '$ledgerHash: String!, $genesis: String',
  shape({
    known,
    // The first row in the default order takes no walk.
    first: called(
      'stakes(limit: 1, query: {ledgerHash: $ledgerHash, genesisStateHash: $genesis})',
      listOf(shape({ epoch: count, ledgerHash: shortText })),
      (rows, asked) => rows.length <= 1 && isOfLedger(rows, asked),
    ),
  }),
  { hasOwnConnection: true },
)

/** The rows of a key: one at most, unless another ledger is filed in the same place. */
export const stakeOfKey = indexerQuery(
  'stakeOfKey',
  '$ledgerHash: String!, $genesis: String, $publicKey: String!, $order: StakesSortByInput!, $rows: Int!',
  shape({
    known,
    own: called(
      'stakes(limit: $rows, query: {ledgerHash: $ledgerHash, genesisStateHash: $genesis, public_key: $publicKey}, sortBy: $order)',
      listOf(
        shape({ ...rowFields, delegationTotals: shape({ countDelegates: count, totalDelegatedNanomina: nanomina }) }),
      ),
      (rows, asked) =>
        rows.length <= Number(asked.rows) &&
        isOfLedger(rows, asked) &&
        rows.every((row) => row.public_key === asked.publicKey),
    ),
  }),
  { isPatient: true, hasOwnConnection: true },
)

/** The rows that delegate to a key, from the largest balance down. */
export const delegatorsOfKey = indexerQuery(
  'delegatorsOfKey',
  '$ledgerHash: String!, $genesis: String, $publicKey: String!, $limit: Int!',
  shape({
    known,
    delegators: called(
      'stakes(limit: $limit, query: {ledgerHash: $ledgerHash, genesisStateHash: $genesis, delegate: $publicKey}, sortBy: BALANCE_DESC)',
      listOf(shape(rowFields)),
      (rows, asked) =>
        rows.length <= Number(asked.limit) &&
        isOfLedger(rows, asked) &&
        rows.every(({ delegate }) => delegate === asked.publicKey),
    ),
  }),
  { isPatient: true, hasOwnConnection: true },
)

export const stakingOperations = [stakingLedger, stakeOfKey, delegatorsOfKey]

/**
 * Rows of another epoch than the ledger's belong to another ledger.
 *
 * @throws WireError if the indexer does not have the ledger, or the rows are not of its epoch
 */
export function checkLedger(ledgerHash: string, known: readonly OfLedger[], rows: readonly OfLedger[]): void {
  const [ledger] = known
  if (ledger === undefined) throw new WireError('unreadable', `the indexer does not have ledger ${ledgerHash}`)
  if (rows.some(({ epoch }) => epoch !== ledger.epoch)) {
    throw new WireError('mismatched', `ledger ${ledgerHash}: rows of another epoch`)
  }
}
