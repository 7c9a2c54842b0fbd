// The right values of the fields that one staking ledger feeds: what the answers to a request prove, or proved before.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { delegatedTotal, delegatorCount, isDoubtful, isWhole, records, rowsOfLedger } from '../bodies/staking.ts'
import { isReadable, type Sent, sentIn } from '../sent/sent.ts'
import { integer, list, mina, text } from '../sent/values.ts'
import { answerTo, showsNetwork } from './right.ts'

/** One way in which fields may come, and be missing. */
export interface Way {
  readonly fields: object
  readonly missing: readonly string[]
  /** Missing in later answers too. */
  readonly lasting?: readonly string[]
}

/** The evidence about a request for an account. */
export interface Asked {
  readonly exchanges: readonly Exchange[]
  /** Of earlier requests to the same instance: what was read well may be kept, and nothing else. */
  readonly earlier: readonly Exchange[]
  readonly publicKey: string
  /** True if the service may have thought that the indexer was busy. */
  readonly wasSlow: boolean
}

const doubts = (sent: Sent | undefined): boolean => sent?.state === 'data' && sent.findings.doubtful.length > 0

/** The tip and the accounts of an indexer that follows the node's chain; undefined for any other answer. */
export function indexerTip(exchanges: readonly Exchange[], publicKey: string) {
  const [sent, node] = [answerTo(exchanges, 'indexedAccount'), answerTo(exchanges, 'accountByPublicKey')]
  if (!isReadable(sent)) return undefined
  const tip = at(sent.data, 'tip')
  const isOurs = tip !== null && at(tip, 'genesisStateHash') === at(node?.data, 'genesisBlock', 'stateHash')
  if (!isOurs) return undefined
  const accounts = list(sent.data, 'accounts')
  const isOther = accounts.length > 1 || accounts.some((account) => at(account, 'publicKey') !== publicKey)
  return { tip, accounts, isDoubtful: isOther || doubts(sent) }
}

/** The answers to the questions about one ledger; undefined where one was not put. */
function answersAbout(exchanges: readonly Exchange[], ledgerHash: unknown) {
  const about = exchanges.filter(({ variables }) => variables.ledgerHash === ledgerHash)
  return {
    ledger: answerTo(about, 'stakingLedger'),
    own: answerTo(about, 'stakeOfKey'),
    delegators: answerTo(about, 'delegatorsOfKey'),
  }
}

type Answers = ReturnType<typeof answersAbout>

/** @returns null if the ledger shows no row of the key, undefined if the answers prove neither */
function ownRow({ own }: Answers, ledgerHash: unknown, publicKey: string): unknown {
  const rows = isReadable(own) ? rowsOfLedger(own.data, 'own', ledgerHash) : undefined
  const isOther = rows?.some((row) => at(row, 'public_key') !== publicKey)
  return rows === undefined || rows.length > 1 || isOther ? undefined : (rows[0] ?? null)
}

/** The rows that delegate to the key, or why they are not known. */
function delegatorRows({ delegators }: Answers, own: unknown, ledgerHash: unknown) {
  if (delegatorCount(own) === 0n) return isWhole(own, []) ? [] : 'contradictory'
  if (!isReadable(delegators) || list(delegators.data, 'known').length === 0) return 'unread'
  const rows = rowsOfLedger(delegators.data, 'delegators', ledgerHash)
  if (rows === undefined || rows.some((row) => at(row, 'delegate') !== at(own, 'public_key'))) return 'doubtful'
  if (isWhole(own, rows)) return rows
  return doubts(delegators) ? 'doubtful' : 'contradictory'
}

/** The rows that an instance may keep of an earlier request; `rows` undefined where only the own row was read. */
function keptOf({ earlier, publicKey }: Asked, ledgerHash: unknown) {
  const answers = answersAbout(earlier, ledgerHash)
  const own = indexerTip(earlier, publicKey) && ownRow(answers, ledgerHash, publicKey)
  if (own === undefined || own === null) return undefined
  const rows = delegatorRows(answers, own, ledgerHash)
  return rows === 'contradictory' ? undefined : { own, rows: typeof rows === 'string' ? undefined : rows }
}

/** True if no answer showed that the ledger can be asked, so that leaving a walk out was right. */
function mayBeLeftOut({ ledger }: Answers, ledgerHash: unknown, wasSlow: boolean): boolean {
  if (ledger === undefined || wasSlow) return wasSlow
  const rows = isReadable(ledger) ? rowsOfLedger(ledger.data, 'first', ledgerHash) : undefined
  return rows?.length !== 1 || doubts(ledger)
}

/** @returns no way at all where a question should have been put and was not */
export function stakingWays(asked: Asked, consensus: unknown, epoch: 'epoch' | 'nextEpoch'): readonly Way[] {
  const { exchanges, earlier, publicKey, wasSlow } = asked
  const isNext = epoch === 'nextEpoch'
  const ledgerHash = at(consensus, isNext ? 'nextEpochData' : 'stakingEpochData', 'ledger', 'hash')
  const names = [
    `${epoch}StakingAccount`,
    `${epoch}Delegators`,
    `${epoch}DelegatorCount`,
    `${epoch}TotalStakingBalance`,
  ] as const
  const nothing: Way = { fields: {}, missing: names }
  // An instance keeps the chain id for as long as the genesis stays.
  const chain = [...earlier, ...exchanges]
    .filter(({ name }) => name === 'nodeNetwork')
    .map(sentIn)
    .findLast(showsNetwork)
  if (chain === undefined) return [nothing]
  const place = {
    epoch: integer(consensus, 'epoch') + (isNext ? 1n : 0n),
    chainId: text(chain.data, 'daemonStatus', 'chainId'),
  }

  const [answers, tip, kept] = [
    answersAbout(exchanges, ledgerHash),
    indexerTip(exchanges, publicKey),
    keptOf(asked, ledgerHash),
  ]
  const mayStop = tip?.isDoubtful || mayBeLeftOut(answers, ledgerHash, wasSlow)
  const isOwnKept = answers.own === undefined || tip === undefined
  const own = isOwnKept ? kept?.own : ownRow(answers, ledgerHash, publicKey)
  if (own === undefined) return tip === undefined || answers.own !== undefined || mayStop ? [nothing] : []

  const [ownName, delegatorsName, countName, totalName] = names
  const isDoubted = tip?.isDoubtful || [answers.ledger, answers.own, answers.delegators, chain].some(doubts)
  if (own === null) {
    // In the first minute of a ledger its rows may still be on their way: a minute passes between two requests.
    if (answersAbout(earlier, ledgerHash).own === undefined) return [nothing]
    const noRow: Way = { fields: { [ownName]: [] }, missing: [delegatorsName, countName, totalName] }
    return isDoubted ? [noRow, nothing] : [noRow]
  }
  const partly: Way = {
    fields: {
      [ownName]: records([own], place),
      [countName]: delegatorCount(own),
      [totalName]: mina(delegatedTotal(own)),
    },
    missing: [delegatorsName],
  }
  const mayUseKept = isOwnKept && (answers.delegators === undefined || tip === undefined)
  const rows = (mayUseKept ? kept?.rows : undefined) ?? delegatorRows(answers, own, ledgerHash)
  if (rows === 'contradictory') return [nothing]
  if (rows === 'doubtful') return [partly, nothing]
  const isExcused = answers.delegators !== undefined || tip === undefined || mayStop
  if (rows === 'unread') return [...(isExcused ? [partly] : []), ...(isDoubted ? [nothing] : [])]
  // A list that is cut is named for as long as it is.
  const isCut = delegatorCount(own) > BigInt(rows.length)
  const listed = { ...partly.fields, [delegatorsName]: records(rows, place) }
  const whole: Way = { fields: listed, missing: [], lasting: isCut ? [delegatorsName] : [] }
  return isDoubted || isDoubtful(own, rows) ? [whole, partly, nothing] : [whole]
}
