// The right values of fields that an answer calls otherwise than a node does, or works out, from the chain alone. A field
// that has the node's name and value needs no line here.

import type { EndpointName } from '../../../../shared/endpoints/all.ts'
import { decodeBase58Check, encodeBase58Check } from '../../../../shared/mapping/base58check.ts'
import type { EpochData } from '../../../testnet/block.ts'
import { usernamesOf } from '../../../testnet/indexer/usernames.ts'
import { type IncludedZkappCommand, minaToken, type QueuedCommand } from '../../../testnet/zkapp-command.ts'
import { at, type JsonObject, textOf } from '../exact-json.ts'
import type { Scenario } from '../setting/scenarios.ts'
import {
  ascending,
  blockOf,
  commandOf,
  depthOf,
  isOld,
  isPlaced,
  listedBlocks,
  type Place,
  sumOf,
  tipOf,
  waiting,
  waitingFor,
} from './place.ts'

const mina = (nanomina: bigint): string => {
  const digits = String(nanomina).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}

/** Why a command failed; undefined for one that was applied. */
function failureOf(place: Place): string | undefined {
  const [block, hash] = [blockOf(place), commandOf(place)?.hash]
  const user = block.userCommands.find(({ command }) => command.hash === hash)
  const zkapp = block.zkappCommands.find((command) => command.hash === hash)
  // An indexer names the first failure of the first account update that has one.
  const reasons = zkapp?.failures?.flatMap(({ failures }) => failures)
  const told = isOld(place, block) ? zkapp?.failures?.at(-1)?.failures.slice(0, 1) : reasons && [...new Set(reasons)]
  return user?.failureReason ?? told?.join(', ')
}

/** The sums of what a zkApp command declares, one for each account, without those that change nothing. */
function changesOf(place: Place, given: unknown, isMina: boolean): readonly object[] | undefined {
  const command: QueuedCommand | IncludedZkappCommand | undefined = commandOf(place)
  if (command?.kind !== 'ZKAPP') return undefined
  if ('failures' in command && command.failures !== null) return []
  const byAccount = Map.groupBy(
    command.updates.filter(({ tokenId }) => (tokenId === minaToken) === isMina),
    ({ publicKey, tokenId }) => `${publicKey} ${tokenId}`,
  )
  // A history may have what an indexer says of a block that the node holds too.
  const isByIndexer = place.scenario.history !== undefined && JSON.stringify(given)?.includes('implicit') !== true
  const isIndexed = 'failures' in command && (isByIndexer || isOld(place, blockOf(place)))
  return [...byAccount.values()].flatMap((updates) => {
    const { publicKey = '', tokenId = '' } = updates[0] ?? {}
    const amount = sumOf(updates.map(({ balanceChange }) => balanceChange))
    const pays = !isIndexed && updates.some(({ implicitAccountCreationFee }) => implicitAccountCreationFee)
    if (amount === 0n && !pays) return []
    const shown = isMina ? amount : String(amount)
    return [{ publicKey, tokenId, amount: shown, ...(pays && { implicitAccountCreationFee: true }) }]
  })
}

/** k of the network. A deep command has k confirmations once it is final. */
const k = ({ things }: Place): number =>
  Number(JSON.stringify(at(things.node, 'daemonStatus', 'consensusConfiguration', 'k')))

/** A key's rows of the staking ledger of an epoch. */
function stakesOf({ things: { chain }, around, path }: Place) {
  const publicKey = around.find((one) => at(one, 'balance') !== undefined)?.publicKey
  const { epoch, nextEpoch, stakingEpoch } = chain.tip()
  const isNext = path.includes('.nextEpoch')
  const of: EpochData = isNext ? nextEpoch : stakingEpoch
  const rows = [...(chain.stakingLedgerByHash(of.ledgerHash)?.values() ?? [])]
  const record = (row: (typeof rows)[number]): JsonObject => ({
    pk: row.publicKey,
    balance: mina(row.balance),
    delegate: row.delegate,
    token: 1,
    receipt_chain_hash: row.receiptChainHash,
    voting_for: row.votingFor,
    nonce: row.nonce,
    epoch: isNext ? epoch + 1 : epoch,
    chainId: chain.chainId,
    public_key: row.publicKey,
  })
  const delegators = rows
    .filter(({ delegate }) => delegate === publicKey)
    .toSorted((left, right) => ascending(right.balance, left.balance) || (left.publicKey < right.publicKey ? -1 : 1))
  return {
    own: rows.filter((row) => row.publicKey === publicKey).map(record),
    delegators: delegators.map(record),
    total: mina(sumOf(delegators.map(({ balance }) => balance))),
  }
}

const accountKey = ({ around }: Place): string => String(around[0]?.publicKey)

/** The times that a key is in blocks, as an indexer counts: in every command that it sends, gets or is changed by. */
function countsOf({ things: { chain }, around }: Place) {
  const key = around[0]?.publicKey
  const blocks = chain.allBlocks()
  const users = blocks.flatMap(({ userCommands }) => userCommands.map(({ command }) => [command.from, command.to]))
  const zkapps = blocks.flatMap(({ zkappCommands }) =>
    zkappCommands.map(({ from, updates }) => [from, ...updates.map(({ publicKey }) => publicKey)]),
  )
  return {
    commands: [...users, ...zkapps].filter((keys) => keys.some((one) => one === key)).length,
    blocks: blocks.filter(({ creator }) => creator === key).length,
    snarks: blocks.flatMap(({ snarkJobs }) => snarkJobs).filter(({ prover }) => prover === key).length,
  }
}

/** The fee that this part of the latest commands pays at most. */
function feesOf({ things: { chain } }: Place) {
  const blocks = chain.bestChain().slice(-20)
  const fees = blocks
    .flatMap(({ userCommands, zkappCommands }) => [...userCommands.map(({ command }) => command), ...zkappCommands])
    .map(({ fee }) => fee)
    .toSorted(ascending)
  const part = (quarters: number): bigint => fees[Math.ceil((quarters * fees.length) / 4) - 1] ?? 0n
  const text = (fee = 0n): string => String(fee)
  return {
    blocks: blocks.length,
    included: { count: fees.length, min: text(fees[0]), median: text(part(2)), p75: text(part(3)) },
    pool: { count: chain.pool().length + chain.zkappPool().length },
    suggested: { economy: text(part(1)), normal: text(part(2)), fast: text(part(3)) },
  }
}

/** The tip's age in milliseconds. */
const ageMsOf = ({ things: { chain }, scenario: { nowMs = chain.tip().date } }: Place): number =>
  nowMs - chain.tip().date

/** The tip's age in whole slots. */
const ageOf = (place: Place): number => Math.floor(ageMsOf(place) / place.things.chain.slotDurationMs)

const sent = ({ around: [body] }: Place, what: 'Transaction' | 'Delegation'): string =>
  body?.result === undefined ? `Error in sending ${what.toLowerCase()}` : `${what} broadcast sucessfully`

type Asked = Scenario['transaction']

/** Fates that are states; every other one is the prospect of an absent command. */
const isState = (asked: Asked): boolean => /^(?:included|pending|replaced|expired)$/.test(asked?.fate ?? '')
const isAlive = (asked: Asked): boolean => /^(?:included|pending)$/.test(asked?.fate ?? '')

const ifAny = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined)

interface Derived {
  readonly of: RegExp
  /** @param given what the answer has, for what another rule proves */
  from(place: Place, given: unknown): unknown
}

/** Proved elsewhere: fixed texts by their form, and where a page ends by the histories' own truth. */
const elsewhere = /^\.(?:message|error|next)$/

const rule = (of: RegExp, from: Derived['from']): Derived => ({ of, from })

const amountIn = (holder: unknown, key: string): bigint => BigInt(JSON.stringify(at(holder, key)) ?? 0)

/** What a zkApp command declares to change of a key's MINA. */
function ownChanges(item: unknown, publicKey: string | undefined): bigint {
  const changes = [at(item, 'command', 'balanceChanges') ?? []].flat()
  return sumOf(changes.filter((each) => at(each, 'publicKey') === publicKey).map((each) => amountIn(each, 'amount')))
}

export const derived: readonly Derived[] = [
  rule(elsewhere, (_place, given) => given),
  // Of its block.
  rule(/^\.dateTime$/, (place) => new Date(tipOf(place).date).toUTCString()),
  rule(/\.dateTime$/, (place) => new Date(blockOf(place).date).toISOString()),
  rule(/\.blockStateHash$/, (place) => blockOf(place).stateHash),
  rule(/\.balance\.blockHeight$|\.toHeight$|\.tip\.height$/, (place) =>
    place.scenario.history?.before === undefined ? tipOf(place).height : place.scenario.history.before.height - 1,
  ),
  rule(/\.(?:block|blocks|headers|snarkJobs|command|\w+Commands)\.blockHeight$/, (place) => blockOf(place).height),
  rule(/\.canonical$/, (place) => place.things.chain.isCanonical(blockOf(place).stateHash)),
  rule(/\.receivedTime$/, (place) => new Date(blockOf(place).receivedAt).toISOString()),
  rule(/\.coinbaseReceiverAccount$/, (place) => ({ publicKey: blockOf(place).coinbaseReceiver })),
  rule(/\.workId$/, ({ told: [workId] }) => workId),
  rule(/\.zkappCommandCount$/, (place) => blockOf(place).zkappCommands.length),
  rule(/\.lastVrfOutput$/, ({ told: [state], scenario }) => {
    const output = String(at(state, 'lastVrfOutput'))
    const [version = 0, ...bytes] = decodeBase58Check(output) ?? []
    return scenario.isBeforeBerkeley ? encodeBase58Check(Uint8Array.from([version, 1, ...bytes])) : output
  }),
  // Of its command.
  rule(/^\.(?:pending|commands)\..*(?:status|failureReason)$/, () => undefined),
  rule(/\.(?:transaction|command|\w+Commands)\.status$/, (place) => {
    if ((place.scenario.transaction?.fate ?? 'included') !== 'included') return undefined
    return failureOf(place) === undefined ? 'applied' : 'failed'
  }),
  rule(/\.failureReason$/, (place) => (isPlaced(place) ? failureOf(place) : undefined)),
  rule(/\.balanceChanges$/, (place, given) => changesOf(place, given, true)),
  rule(/\.tokenChanges$/, (place, given) => changesOf(place, given, false)),
  rule(/\.kind$/, (place) => commandOf(place)?.kind),
  rule(/\.confirmations$/, (place) => {
    const { fate, terms } = place.scenario.transaction ?? {}
    if (!isPlaced(place) && fate !== 'expired') return undefined
    if (fate !== 'expired') return Math.min(depthOf(place), k(place))
    // The blocks from the first one past the last slot.
    return place.things.chain.bestChain().filter(({ slot }) => slot > Number(terms?.valid_until)).length - 1
  }),
  rule(/\.final$/, (place) => (isPlaced(place) && depthOf(place) >= k(place) ? true : undefined)),
  // Of an account.
  rule(/\.lockedBalance$/, (place) => {
    const [balance, account] = [place.told[0], place.things.chain.account(String(place.around[1]?.publicKey))]
    return account?.timing === null ? null : mina(BigInt(textOf(at(balance, 'locked'))))
  }),
  rule(/^\.account\.zkapp$/, ({ told: [account] }) => {
    const [state, provedState, uri] = ['zkappState', 'provedState', 'zkappUri'].map((key) => at(account, key))
    const verificationKeyHash = at(account, 'verificationKey', 'hash')
    return state === null ? undefined : { state, provedState, verificationKeyHash, uri }
  }),
  rule(/\.countPendingTransactions$/, (place) => place.things.chain.pool(accountKey(place)).length),
  rule(/\.account\.nextNonce$/, (place) => {
    const { missing, end } = waiting(place.things.chain, accountKey(place))
    return missing[0] ?? end
  }),
  rule(/\.account\.missingNonces$/, (place) => ifAny(waiting(place.things.chain, accountKey(place)).missing)),
  rule(/\.username$/, (place) => usernamesOf(place.things.chain).get(accountKey(place)) ?? 'Unknown'),
  rule(/\.totalTx$/, (place) => countsOf(place).commands),
  rule(/\.totalBlocks$/, (place) => countsOf(place).blocks),
  rule(/\.totalSnarks$/, (place) => countsOf(place).snarks),
  rule(/poch(?:Staking)Account$/, (place) => stakesOf(place).own),
  rule(/pochDelegators$/, (place) => stakesOf(place).delegators),
  rule(/pochDelegatorCount$/, (place) => stakesOf(place).delegators.length),
  rule(/pochTotalStakingBalance$/, (place) => stakesOf(place).total),
  // Of a fate.
  rule(/^\.transaction\.hash$/, ({ scenario }) => scenario.transaction?.hash),
  rule(/^\.transaction\.chainHash$/, ({ scenario: { transaction } }) =>
    isAlive(transaction) && transaction?.shows !== transaction?.hash ? transaction?.shows : undefined,
  ),
  rule(/^\.transaction\.by$/, ({ scenario: { transaction } }) =>
    isAlive(transaction) ? undefined : transaction?.shows,
  ),
  // Where the answer names a hash that the caller did not, and no node holds its block.
  rule(/^\.transaction\.hashFromIndexer$/, ({ things: { chain }, scenario: { transaction } }) => {
    const { shows, hash } = transaction ?? {}
    const shownIn = (blocks: ReturnType<typeof chain.bestChain>) =>
      blocks.some(({ userCommands }) => userCommands.some(({ command }) => command.hash === shows))
    const isOfIndexer = shownIn(chain.bestChain()) && !shownIn(chain.frontier())
    return shows !== hash && isOfIndexer ? true : undefined
  }),
  rule(/^\.transaction\.state$/, ({ scenario: { transaction } }) =>
    isState(transaction) ? transaction?.fate : 'absent',
  ),
  rule(/^\.transaction\.sending$/, ({ scenario: { transaction } }) =>
    isState(transaction) ? undefined : transaction?.fate,
  ),
  rule(/^(?:\.transaction)?\.hint$/, ({ scenario: { transaction } }, given) => {
    const isHelpful = !isState(transaction) && transaction?.terms?.to === undefined
    return isHelpful ? (given ?? 'a hint') : undefined
  }),
  rule(/^\.transaction\.missingNonces$/, ({ things, scenario: { transaction } }) => {
    if (transaction?.fate !== 'waits-for-nonce') return undefined
    return waiting(things.chain, transaction.terms?.from ?? '', Number(transaction.terms?.nonce)).missing.slice(0, 20)
  }),
  rule(/^\.transaction\.terms$/, ({ scenario }) => {
    if (scenario.transaction?.terms === undefined) return undefined
    const { from, nonce, valid_until, to, memo, fee, amount } = scenario.transaction.terms
    const first = { from, nonce: BigInt(nonce), validUntil: BigInt(valid_until) }
    if (to === undefined || memo === undefined || fee === undefined) return first
    const paid = amount === undefined ? {} : { amount: BigInt(amount) }
    return { ...first, to, fee: BigInt(fee), memo, ...paid }
  }),
  // The service asks an indexer for what the node does not show.
  rule(/\.searched\.nodes$/, () => 1),
  rule(
    /\.searched\.pool$/,
    ({ scenario: { name, history } }) => history?.before === undefined && !name.endsWith('Berkeley'),
  ),
  rule(/\.searched\.indexer$/, (place) => {
    const { transaction } = place.scenario
    const isShown = isAlive(transaction) && (transaction?.fate === 'pending' || depthOf(place) < listedBlocks)
    return !isShown
  }),
  rule(/\.searched\.fromHeight$/, (place, given) =>
    place.scenario.history === undefined ? tipOf(place).height - listedBlocks + 1 : given,
  ),
  // Of a history.
  rule(/^\.transactions\.(?:direction|role)$/, ({ scenario, around: [item], path }) => {
    const isOfZkapp = at(item, 'command', 'kind') === 'ZKAPP'
    if (isOfZkapp !== path.endsWith('role')) return undefined
    return scenario.history?.truth.find(({ hash }) => hash === at(item, 'command', 'hash'))?.relation
  }),
  rule(/^\.(?:transactions|pending)\.hash$/, ({ around: [item] }) => at(item, 'command', 'hash')),
  rule(/^\.pending\.change$/, () => 0n),
  rule(/^\.transactions\.amount$/, ({ scenario, around: [item] }) =>
    at(item, 'command', 'kind') === 'ZKAPP' ? ownChanges(item, scenario.history?.publicKey) : undefined,
  ),
  rule(/^\.transactions\.change$/, ({ scenario: { history }, around: [item] }) => {
    const command = at(item, 'command')
    const own = history?.truth.find(({ hash }) => hash === at(command, 'hash'))?.relation
    const fee = ['sent', 'self', 'payer', 'both'].includes(own ?? '') ? amountIn(command, 'fee') : 0n
    if (at(command, 'kind') === 'ZKAPP') return ownChanges(item, history?.publicKey) - fee
    const paid = at(command, 'status') === 'failed' ? 0n : amountIn(command, 'amount')
    return (own === 'received' ? paid : own === 'sent' ? -paid : 0n) - fee
  }),
  // Of the chain as a whole.
  rule(/^\.stateHash$/, (place) => tipOf(place).stateHash),
  rule(
    /^\.block\.stateHash$/,
    ({ scenario: { stateHash, height }, things }) =>
      stateHash ?? things.chain.bestChain().find((block) => block.height === height)?.stateHash,
  ),
  rule(/^\.circulatingSupply$/, (place) => mina(tipOf(place).totalCurrency)),
  rule(/^\.lockedSupply$/, () => mina(0n)),
  rule(/^\.globalSlot$/, (place) => tipOf(place).slot),
  rule(/^\.nextEpochLedgerHash$/, (place) => tipOf(place).nextEpoch.ledgerHash),
  rule(/^\.stakingEpochLedgerHash$/, (place) => tipOf(place).stakingEpoch.ledgerHash),
  rule(/^\.networkName$/, ({ things }) => things.chain.network),
  rule(/^\.genesisStateHash$/, ({ things }) => things.chain.genesisBlock().stateHash),
  rule(/^\.slotDurationMs$/, ({ things }) => things.chain.slotDurationMs),
  rule(/^\.minimumFee$/, () => '1000000'),
]

/** The commands of a block, of all kinds. */
const paidIn = (place: Place): readonly { readonly fee: bigint }[] => {
  const { userCommands, zkappCommands } = blockOf(place)
  return [...userCommands.map(({ command }) => command), ...zkappCommands]
}

/** A node gives no sums. */
const sumOfIndexer = (place: Place, paid: readonly { readonly fee: bigint }[]): bigint | undefined =>
  isOld(place, blockOf(place)) ? sumOf(paid.map(({ fee }) => fee)) : undefined

/** The rules of one endpoint alone, whose names others use for other things. */
export const derivedFor: Readonly<Partial<Record<EndpointName, readonly Derived[]>>> = {
  getFees: [rule(/^\.\w+$/, (place) => Object(feesOf(place))[place.path.slice(1)])],
  getBlocksBefore: [
    rule(/^\.next$/, ({ around: [body] }) => {
      const lowest = [at(body, 'blocks') ?? at(body, 'headers') ?? []].flat().at(-1)
      return `${textOf(at(lowest, 'blockHeight'))}-${textOf(at(lowest, 'stateHash'))}`
    }),
    // Beside the block of that hash the chain's own in the same place.
    rule(/^\.(?:blocks|headers)\.stateHash$/, ({ told: [, inPlace] }) => at(inPlace, 'stateHash')),
    rule(/^\.headers\.commandCount$/, (place) => paidIn(place).length),
    rule(/^\.headers\.proofCount$/, (place) => blockOf(place).snarkJobs.length),
    rule(/^\.headers\.feesNanomina$/, (place) => sumOfIndexer(place, paidIn(place))),
    rule(/^\.headers\.proofFeesNanomina$/, (place) => sumOfIndexer(place, blockOf(place).snarkJobs)),
  ],
  getPool: [rule(/^\.count$/, (place) => waitingFor(place).length)],
  getNetwork: [rule(/^\.coinbase$/, ({ things }) => textOf(at(things.node, 'genesisConstants', 'coinbase')))],
  getHealth: [
    rule(/^\.tip\.height$/, (place) => tipOf(place).height),
    rule(/^\.tipAgeSlots$/, (place) => ageOf(place)),
    rule(/^\.tip\.timeMs$/, ({ things: { chain } }) => chain.tip().date),
    rule(/^\.tip\.ageSeconds$/, (place) => Math.floor(ageMsOf(place) / 1000)),
    rule(/^\.status$/, (place) => (ageOf(place) > 30 ? 'down' : ageOf(place) > 10 ? 'degraded' : 'ok')),
    rule(/^\.nodes$/, () => ({ listed: 1, answering: 1, synced: 1 })),
    rule(/^\.indexer$/, () => ({ answering: true, lag: 0 })),
  ],
  getAccountTokens: [
    rule(/^\.tokens$/, ({ things: { chain }, scenario: { publicKey = '' } }) => {
      const account = chain.account(publicKey)
      const balances = account === undefined ? [] : [[minaToken, account.balance] as const, ...account.tokens]
      return balances.map(([tokenId, amount]) => ({ tokenId, balance: String(amount) }))
    }),
  ],
  broadcastTransaction: [rule(/^\.message$/, (place) => sent(place, 'Transaction'))],
  broadcastDelegation: [rule(/^\.message$/, (place) => sent(place, 'Delegation'))],
}
