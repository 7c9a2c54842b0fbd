// Reads the entry of a key in a staking ledger: one walk at a time, and none while the indexer is busy with another.
import type { Indexer } from '../chain/port.ts'
import { maxDelegators } from '../contract/limits.ts'
import { indexerBusy, WireError } from '../upstream/errors.ts'
import type { KeptRows, LedgerScans, OwnRow, StakesRow } from '../upstream/ledger-scans.ts'
import { type Attempted, attempt, type Missing } from './indexed.ts'
import type { IndexerOfChain } from './responsible-indexers.ts'
import {
  checkLedger,
  delegatorsOfKey,
  type FiledLedger,
  genesisOfUnlisted,
  stakeOfKey,
  stakingLedger,
} from './staking-questions.ts'

/** The rows that a ledger shows of a key; `own` is undefined if the ledger does not show its row. */
export interface LedgerAnswer {
  readonly own: Attempted<OwnRow | undefined>
  readonly delegators: Attempted<readonly StakesRow[]>
}

/** The rows that this instance keeps, and the current request. */
export interface Instance extends IndexerOfChain {
  readonly scans: LedgerScans
}

const nobody: Attempted<readonly StakesRow[]> = { state: 'known', value: [] }

const noTime: Missing = { state: 'missing', fault: 'busy', reason: 'no time left to walk a staking ledger' }

const answerFrom = ({ own, delegators = [] }: KeptRows): LedgerAnswer => ({
  own: { state: 'known', value: own },
  delegators: { state: 'known', value: delegators },
})

const disagreement = (ledgerHash: string) =>
  new WireError('mismatched', `ledger ${ledgerHash}: own row, delegators and total disagree`)

const sumOf = (rows: readonly StakesRow[]): bigint => rows.reduce((sum, row) => sum + row.balanceNanomina, 0n)

/**
 * True if the listed delegators are all that the key's own row counts. The indexer writes that row with the totals of the
 * whole ledger, perhaps before the other rows.
 */
function isWhole(own: OwnRow, delegators: readonly StakesRow[]): boolean {
  const { countDelegates, totalDelegatedNanomina } = own.delegationTotals
  if (delegators.length !== Math.min(countDelegates, maxDelegators)) return false
  const isCut = countDelegates > maxDelegators
  const sum = sumOf(delegators)
  if (isCut ? totalDelegatedNanomina < sum : totalDelegatedNanomina !== sum) return false
  const listed = delegators.find(({ public_key }) => public_key === own.public_key)
  if (listed === undefined) return isCut || own.delegate !== own.public_key
  return listed.balanceNanomina === own.balanceNanomina && own.delegate === own.public_key
}

/** Asks whether the indexer has a ledger, and whether it shows a row in one of its places. */
async function hasRows(filed: FiledLedger, { scans, indexer }: Instance): Promise<boolean> {
  const { data, answerMs = 0 } = await indexer.ask(stakingLedger, filed).catch((error: unknown) => {
    if (error instanceof WireError && error.fault === 'timeout') scans.rest(0)
    throw error
  })
  const { known, first } = data
  checkLedger(filed.ledgerHash, known, first)
  if (answerMs > scans.maxLightMs) {
    scans.rest(answerMs)
    throw indexerBusy(`the indexer took ${Math.round(answerMs)} ms for a light question: it walks a ledger`)
  }
  return first.length > 0
}

/**
 * Where a ledger's rows are filed, before a walk.
 *
 * @throws WireError if the indexer does not have the ledger or a row of it, or is walking one for somebody else
 */
async function filedLedger(ledgerHash: string, instance: Instance): Promise<FiledLedger> {
  if (instance.scans.isResting()) throw indexerBusy('the indexer has just been seen to walk a ledger for somebody else')
  const ownChain = { ledgerHash }
  if (await hasRows(ownChain, instance)) return ownChain
  const unlisted = { ledgerHash, genesis: genesisOfUnlisted }
  if (await hasRows(unlisted, instance)) return unlisted
  throw new WireError('unreadable', `the indexer shows no row of ledger ${ledgerHash}`)
}

/** A key to look up in a staking ledger. */
interface Staker {
  readonly publicKey: string
  /** A walk from the largest stake down finds a pool early; one from the smallest up finds nearly every other key early. */
  readonly isProducer: boolean
}

/** @throws WireError if the key also has a row of another ledger in that place, or if rows may still be missing */
async function readOwnRow(filed: FiledLedger, { publicKey, isProducer }: Staker, { scans, indexer }: Instance) {
  const { ledgerHash } = filed
  const isIngested = scans.isIngested(ledgerHash)
  const order = isProducer ? 'STAKE_DESC' : 'STAKE_ASC'
  // The indexer scans the whole ledger for a second row. Its own chain's ledgers have one row a key, so they need no scan.
  const rows = filed.genesis === undefined ? 1 : 2
  const { known, own } = (await indexer.ask(stakeOfKey, { ...filed, publicKey, order, rows })).data
  checkLedger(ledgerHash, known, own)
  if (own.length > 1) throw new WireError('mismatched', `ledger ${ledgerHash}: another one is filed in the same place`)
  if (own.length === 0 && !isIngested) {
    throw indexerBusy(`ledger ${ledgerHash}: first seen less than a minute ago, rows may still be missing`)
  }
  return own[0]
}

async function readDelegators(filed: FiledLedger, own: OwnRow, indexer: Indexer) {
  const publicKey = own.public_key
  const limit = Math.min(own.delegationTotals.countDelegates, maxDelegators)
  const { known, delegators } = (await indexer.ask(delegatorsOfKey, { ...filed, publicKey, limit })).data
  checkLedger(filed.ledgerHash, known, delegators)
  return delegators
}

/** Asks for what is not kept yet, one walk after the other. */
async function scan(ledgerHash: string, staker: Staker, instance: Instance): Promise<LedgerAnswer> {
  const { scans, indexer } = instance
  const { publicKey } = staker
  const kept = scans.kept(ledgerHash, publicKey)
  if (kept?.delegators !== undefined) return answerFrom(kept)
  const own = await attempt(async () => {
    if (kept !== undefined) return kept.own
    return readOwnRow(await filedLedger(ledgerHash, instance), staker, instance)
  })
  const row = own.state === 'known' ? own.value : undefined
  if (row === undefined) return { own, delegators: own.state === 'missing' ? own : nobody }
  const delegators = await attempt(async () => {
    const hasAny = row.delegationTotals.countDelegates > 0
    const rows = hasAny ? await readDelegators(await filedLedger(ledgerHash, instance), row, indexer) : []
    if (!isWhole(row, rows)) throw disagreement(ledgerHash)
    return rows
  })
  if (delegators.state === 'missing' && delegators.fault === 'mismatched') return { own: delegators, delegators }
  scans.keep(ledgerHash, publicKey, { own: row, ...(delegators.state === 'known' && { delegators: delegators.value }) })
  return { own, delegators }
}

/**
 * The entry of a key in a staking ledger, from the kept rows if they are complete. An instance makes one walk at a time,
 * and starts none while the indexer seems to be busy with another instance's.
 *
 * @param doubt why the indexer may be on another chain; undefined if it is on the node's
 * @param startUntilMs no walk starts when less time than this is left
 */
export async function readStakingLedger(
  ledgerHash: string,
  staker: Staker,
  doubt: Missing | undefined,
  startUntilMs: number,
  instance: Instance,
): Promise<LedgerAnswer> {
  const { scans, chain } = instance
  const kept = scans.kept(ledgerHash, staker.publicKey)
  if (kept?.delegators !== undefined) return answerFrom(kept)
  const answerWithout = (why: Missing): LedgerAnswer =>
    kept === undefined ? { own: why, delegators: why } : { ...answerFrom(kept), delegators: why }
  if (doubt !== undefined) return answerWithout(doubt)
  const leftMs = chain.timeLeftMs() - startUntilMs
  const wait = (signal: AbortSignal) => chain.pause(leftMs, signal)
  if (leftMs < 0 || !(await scans.takeTurn(wait))) return answerWithout(noTime)
  try {
    return await scan(ledgerHash, staker, instance)
  } finally {
    scans.endTurn()
  }
}
