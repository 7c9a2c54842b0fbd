// An old block as an indexer sends it, in the contract's shape.
import { createHash } from 'node:crypto'
import type { Block } from '../../../../shared/contract/block.ts'
import type { Exact } from '../../../../shared/mapping/exact-json.ts'
import { at } from '../../exact-json.ts'
import { genesisBeforeBerkeley } from '../../setting/twin-chains.ts'
import { flag, integer, list, text } from '../sent/values.ts'
import { nodeBlockBody } from './block-bodies.ts'
import { zkappOf } from './zkapp-commands.ts'

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

/**
 * The decimal field element of a state hash: the 32 bytes behind its two of version, least significant first.
 *
 * @throws TypeError for any other text
 */
function fieldOf(stateHash: string): string {
  let number = 0n
  for (const letter of stateHash) number = number * 58n + BigInt(alphabet.indexOf(letter))
  const bytes = Buffer.from(number.toString(16).padStart(76, '0'), 'hex')
  if (base58check(bytes.subarray(0, 34)) !== stateHash) throw new TypeError('not a state hash')
  return String(BigInt(`0x${bytes.subarray(2, 34).reverse().toString('hex')}`))
}

/** True if the indexer reads the block by the rules of the chain before the Berkeley fork. */
export const isBeforeBerkeley = (block: unknown): boolean => at(block, 'genesisStateHash') === genesisBeforeBerkeley

/**
 * @param base64 32 bytes, or all that the base58check text of today's nodes holds
 * @throws TypeError for anything else
 */
function vrfOutput(base64: string, header: readonly number[]): string {
  const bytes = Buffer.from(base64, 'base64')
  const output = bytes.length === 38 ? bytes.subarray(2, 34) : bytes
  const isFramed = bytes.length !== 38 || base58check(Uint8Array.from([0x15, 32, ...output])) === base58(bytes)
  if (!/^[\w+/-]{43,51}=*$/.test(base64) || output.length !== 32 || !isFramed) throw new TypeError('not a VRF output')
  return base58check(Uint8Array.from([...header, 32, ...output]))
}

/** @throws RangeError for more than 32 bytes */
function memo(readable: string): string {
  const bytes = Buffer.from(readable)
  if (bytes.length > 32) throw new RangeError('not a memo')
  return base58check(Uint8Array.from([0x14, 1, bytes.length, ...bytes, ...Buffer.alloc(32 - bytes.length)]))
}

/** A zkApp command of the indexer as a node would send it, but for what pays for a new account. */
export const zkappCommandOf = (sent: unknown): object => zkappOf(sent, memo(text(sent, 'memo')))

export const isZkapp = (sent: unknown): boolean => at(sent, 'kind') === 'ZKAPP'

/** True if the indexer lists as many zkApp commands as it counts. */
export const listsZkapps = (block: unknown): boolean =>
  BigInt(list(block, 'transactions', 'userCommands').filter(isZkapp).length) ===
  integer(block, 'block_num_zkapp_commands')

/** A command of the indexer as a node would send it, but for its id. */
export function commandOf(sent: unknown): object {
  const [from, to] = [text(sent, 'sender'), text(at(sent, 'receiver_account', 'publicKey') ?? at(sent, 'to'))]
  const [sender, receiver] = [{ publicKey: from }, { publicKey: to }]
  return {
    ...Object(sent),
    ...{ from, source: sender, feePayer: sender, fromAccount: sender },
    ...{ to, receiver, toAccount: receiver },
    id: '',
    isDelegation: at(sent, 'kind') === 'STAKE_DELEGATION',
    memo: memo(text(sent, 'memo')),
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

/** A block of the indexer as a node would send it, but for its fee transfers. */
function blockOf(block: unknown): object {
  const [state, transactions] = [at(block, 'protocolState'), at(block, 'transactions')]
  const consensus = at(state, 'consensusState')
  const sent = list(transactions, 'userCommands')
  const lastVrfOutput = vrfOutput(text(consensus, 'lastVrfOutput'), isBeforeBerkeley(block) ? [0x15, 1] : [0x15])
  return {
    ...Object(block),
    stateHashField: fieldOf(text(block, 'stateHash')),
    creatorAccount: { publicKey: at(block, 'creator') },
    winnerAccount: { publicKey: at(block, 'winner') },
    protocolState: {
      ...Object(state),
      consensusState: { ...Object(consensus), epochCount: at(consensus, 'epoch'), lastVrfOutput },
    },
    transactions: {
      coinbase: at(transactions, 'coinbase'),
      coinbaseReceiverAccount: { publicKey: at(block, 'coinbaseReceiver') },
      userCommands: sent
        .filter((one) => !isZkapp(one))
        .map(commandOf)
        .toReversed(),
      zkappCommands: sent.filter(isZkapp).map(zkappCommandOf).toReversed(),
    },
  }
}

/**
 * @param epochLength of the staking epoch, if any answer shows it; the indexer's length is that of another epoch
 * @throws RangeError or TypeError for what the contract cannot show
 */
export function indexerBlockBody(block: unknown, epochLength: bigint | undefined): Exact<Block> {
  const body = nodeBlockBody(blockOf(block), flag(block, 'canonical'), text(block, 'receivedTime'))
  const { blockchainState, consensusState, previousStateHash } = body.protocolState
  const { snarkedLedgerHash, ...otherLedgers } = blockchainState
  const { epochLength: _ofNextEpoch, ...stakingEpochData } = consensusState.stakingEpochData
  const { zkappCommands, ...transactions } = body.transactions
  return {
    ...body,
    protocolState: {
      previousStateHash,
      blockchainState: isBeforeBerkeley(block) ? blockchainState : otherLedgers,
      consensusState: {
        ...consensusState,
        stakingEpochData: { ...stakingEpochData, ...(epochLength !== undefined && { epochLength }) },
      },
    },
    snarkJobs: body.snarkJobs.map(({ workIds: _, ...job }) => job),
    transactions: {
      ...transactions,
      ...(listsZkapps(block) && zkappCommands && { zkappCommands }),
      zkappCommandCount: integer(block, 'block_num_zkapp_commands'),
      feeTransfer: feeTransfers(block),
      userCommands: body.transactions.userCommands.map(({ id: _, ...command }) => command),
    },
  }
}
