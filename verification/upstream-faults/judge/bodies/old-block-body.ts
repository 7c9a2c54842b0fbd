// An old block as an indexer sends it, in the contract's shape.
import { createHash } from 'node:crypto'
import type { Block } from '../../../../shared/contract/block.ts'
import type { UserCommand } from '../../../../shared/contract/user-command.ts'
import type { Exact } from '../../../../shared/mapping/json.ts'
import { at } from '../../exact-json.ts'
import { genesisBeforeBerkeley } from '../../setting/twin-chains.ts'
import { flag, integer, isoTime, list, text } from '../sent/values.ts'
import { enclosingOf, protocolState } from './block-bodies.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

function base58(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = `${alphabet[Number(rest % 58n)]}${text}`
  return text
}

const base58check = (payload: Uint8Array): string =>
  base58(Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]))

/** The decimal field element of a state hash: the 32 bytes behind its two of version, least significant first. */
function fieldOf(stateHash: string): string {
  let number = 0n
  for (const letter of stateHash) number = number * 58n + BigInt(alphabet.indexOf(letter))
  const bytes = Buffer.from(number.toString(16).padStart(76, '0'), 'hex')
  return String(BigInt(`0x${bytes.subarray(2, 34).reverse().toString('hex')}`))
}

/** Whether the indexer reads the block by the rules of the chain before the Berkeley fork. */
export const isBeforeBerkeley = (block: unknown): boolean => at(block, 'genesisStateHash') === genesisBeforeBerkeley

/**
 * @param base64 32 bytes, or all that the base58check text of today's nodes holds
 * @throws TypeError for anything else
 */
function vrfOutput(base64: string, header: readonly number[]): string {
  const bytes = Buffer.from(base64, 'base64')
  const output = bytes.length === 38 ? bytes.subarray(2, 34) : bytes
  const isFramed = bytes.length !== 38 || base58check(Uint8Array.from([0x15, 32, ...output])) === base58(bytes)
  if (!/^[\w+/-]{43,51}=*$/.test(base64) || output.length !== 32 || !isFramed) throw new TypeError('no VRF output')
  return base58check(Uint8Array.from([...header, 32, ...output]))
}

/** @throws RangeError for more than 32 bytes */
function memo(readable: string): string {
  const bytes = Buffer.from(readable)
  if (bytes.length > 32) throw new RangeError('no memo')
  return base58check(Uint8Array.from([0x14, 1, bytes.length, ...bytes, ...Buffer.alloc(32 - bytes.length)]))
}

function command(sent: unknown, enclosing: ReturnType<typeof enclosingOf>): Exact<UserCommand> {
  const [from, to] = [text(sent, 'sender'), text(at(sent, 'receiver_account', 'publicKey') ?? at(sent, 'to'))]
  const [sender, receiver] = [{ publicKey: from }, { publicKey: to }]
  return {
    ...enclosing,
    amount: integer(sent, 'amount'),
    fee: integer(sent, 'fee'),
    feePayer: { ...sender, token: 1 },
    feeToken: 1,
    from,
    fromAccount: { ...sender, token: 1 },
    hash: text(sent, 'hash'),
    isDelegation: at(sent, 'kind') === 'STAKE_DELEGATION',
    kind: text(sent, 'kind'),
    memo: memo(text(sent, 'memo')),
    nonce: integer(sent, 'nonce'),
    receiver,
    source: sender,
    to,
    toAccount: { ...receiver, token: 1 },
    token: 1,
    ...(typeof at(sent, 'failureReason') === 'string' && { failureReason: text(sent, 'failureReason') }),
  }
}

/**
 * Before Berkeley what all others get is still in the coinbase receiver's row.
 *
 * @throws RangeError where it is less than they get
 */
function feeTransfers(block: unknown) {
  const isReceiver = (row: unknown) =>
    isBeforeBerkeley(block) &&
    at(row, 'type') === 'Fee_transfer' &&
    at(row, 'recipient') === at(block, 'coinbaseReceiver')
  const rows = list(block, 'transactions', 'feeTransfer')
  const others = rows.filter((row) => at(row, 'type') === 'Fee_transfer' && !isReceiver(row))
  const paidOut = others.reduce((sum: bigint, row) => sum + integer(row, 'fee'), 0n)
  return rows.flatMap((row) => {
    const fee = integer(row, 'fee') - (isReceiver(row) ? paidOut : 0n)
    if (fee < 0n) throw new RangeError('more is paid out than came in')
    return isReceiver(row) && fee === 0n ? [] : [{ fee, recipient: text(row, 'recipient') }]
  })
}

/**
 * @param epochLength of the staking epoch; the indexer's own is another's. Undefined where nothing shows it
 * @throws RangeError or TypeError for what the contract cannot show
 */
export function indexerBlockBody(block: unknown, epochLength: bigint | undefined): Exact<Block> {
  const [state, transactions] = [at(block, 'protocolState'), at(block, 'transactions')]
  const consensus = at(state, 'consensusState')
  const enclosing = enclosingOf(block)
  const stateHash = text(block, 'stateHash')
  const [zkapps, others] = [true, false].map((isZkapp) =>
    list(transactions, 'userCommands').filter((sent) => (at(sent, 'kind') === 'ZKAPP') === isZkapp),
  )
  const isOld = isBeforeBerkeley(block)
  const { blockchainState, consensusState, ...rest } = protocolState(state, {
    epochCount: integer(consensus, 'epoch'),
    lastVrfOutput: vrfOutput(text(consensus, 'lastVrfOutput'), isOld ? [0x15, 1] : [0x15]),
  })
  const { snarkedLedgerHash, ...otherLedgers } = blockchainState
  const { epochLength: _ofNextEpoch, ...stakingEpochData } = consensusState.stakingEpochData
  return {
    blockHeight: enclosing.blockHeight,
    canonical: flag(block, 'canonical'),
    creator: text(block, 'creator'),
    creatorAccount: { publicKey: text(block, 'creator') },
    dateTime: isoTime(integer(state, 'blockchainState', 'date')),
    protocolState: {
      ...rest,
      blockchainState: { ...otherLedgers, ...(isOld && snarkedLedgerHash !== undefined && { snarkedLedgerHash }) },
      consensusState: {
        ...consensusState,
        stakingEpochData: { ...stakingEpochData, ...(epochLength !== undefined && { epochLength }) },
      },
    },
    receivedTime: new Date(text(block, 'receivedTime')).toISOString(),
    snarkJobs: list(block, 'snarkJobs').map((job) => ({
      ...enclosing,
      fee: integer(job, 'fee'),
      prover: text(job, 'prover'),
    })),
    stateHash,
    stateHashField: fieldOf(stateHash),
    transactions: {
      coinbase: integer(transactions, 'coinbase'),
      coinbaseReceiverAccount: { publicKey: text(block, 'coinbaseReceiver') },
      feeTransfer: feeTransfers(block),
      userCommands: (others ?? []).map((sent) => command(sent, enclosing)),
      zkappCommandCount: zkapps?.length ?? 0,
    },
    winnerAccount: { publicKey: text(block, 'winner') },
  }
}
