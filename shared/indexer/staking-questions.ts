// The questions about a staking ledger to a mina-indexer, which walks the whole ledger for most of them and answers
// nothing else on that thread meanwhile. For a ledger that it does not have, it gives the rows of epoch 0 under the asked
// hash (Granola-Team/mina-indexer, rust/src/web/graphql/stakes/mod.rs); only a `limit` of 0 tells.
import { WireError } from '../upstream/errors.ts'
import { operation } from '../upstream/operation.ts'
import { anyText, called, count, listOf, nanomina, shape, shortText, type Variables } from '../upstream/wire.ts'

interface OfLedger {
  readonly epoch: number
  readonly ledgerHash: string
}

const isOfLedger = (rows: readonly OfLedger[], { ledgerHash }: Variables): boolean =>
  rows.every((row) => row.ledgerHash === ledgerHash)

/** One row where the indexer has the ledger, none where it does not. Answered at once. */
const known = called(
  'stakes(limit: 0, query: {ledgerHash: $ledgerHash})',
  listOf(shape({ epoch: count, ledgerHash: shortText })),
  (rows, asked) => rows.length <= 1 && isOfLedger(rows, asked),
)

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
export const stakingLedger = operation(
  'indexer',
  'query',
  'stakingLedger',
  '$ledgerHash: String!',
  shape({
    known,
    // The first row in the default order takes no walk.
    first: called(
      'stakes(limit: 1, query: {ledgerHash: $ledgerHash})',
      listOf(shape({ epoch: count, ledgerHash: shortText })),
      (rows, asked) => rows.length <= 1 && isOfLedger(rows, asked),
    ),
  }),
  { hasOwnConnection: true },
)

/** The row of a key. */
export const stakeOfKey = operation(
  'indexer',
  'query',
  'stakeOfKey',
  '$ledgerHash: String!, $publicKey: String!, $order: StakesSortByInput!',
  shape({
    known,
    own: called(
      'stakes(limit: 1, query: {ledgerHash: $ledgerHash, public_key: $publicKey}, sortBy: $order)',
      listOf(
        shape({ ...rowFields, delegationTotals: shape({ countDelegates: count, totalDelegatedNanomina: nanomina }) }),
      ),
      (rows, asked) =>
        rows.length <= 1 && isOfLedger(rows, asked) && rows.every((row) => row.public_key === asked.publicKey),
    ),
  }),
  { isPatient: true, hasOwnConnection: true },
)

/** The rows that delegate to a key, from the largest balance down. */
export const delegatorsOfKey = operation(
  'indexer',
  'query',
  'delegatorsOfKey',
  '$ledgerHash: String!, $publicKey: String!, $limit: Int!',
  shape({
    known,
    delegators: called(
      'stakes(limit: $limit, query: {ledgerHash: $ledgerHash, delegate: $publicKey}, sortBy: BALANCE_DESC)',
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
 * @throws WireError where the indexer does not have the ledger, or the rows are not of its epoch
 */
export function checkLedger(ledgerHash: string, known: readonly OfLedger[], rows: readonly OfLedger[]): void {
  const [ledger] = known
  if (ledger === undefined) throw new WireError('unreadable', `the indexer does not have ledger ${ledgerHash}`)
  if (rows.some(({ epoch }) => epoch !== ledger.epoch)) {
    throw new WireError('mismatched', `ledger ${ledgerHash}: rows of another epoch`)
  }
}
