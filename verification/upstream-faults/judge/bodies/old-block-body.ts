// An old block as an indexer sends it, in the contract's shape.
import { createHash } from 'node:crypto'
import type { Block } from '../../../../shared/contract/block.ts'
import type { UserCommand } from '../../../../shared/contract/user-command.ts'
import type { Exact } from '../../../../shared/mapping/json.ts'
import { at } from '../../exact-json.ts'
import { flag, integer, isoTime, list, text } from '../sent/values.ts'
import { enclosingOf, protocolState } from './block-bodies.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

function base58check(payload: Uint8Array): string {
  const checksum = sha256(sha256(payload)).subarray(0, 4)
  let rest = BigInt(`0x${Buffer.concat([payload, checksum]).toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = `${alphabet[Number(rest % 58n)]}${text}`
  return text
}

/** The decimal field element of a state hash: the 32 bytes behind its two of version, least significant first. */
function fieldOf(stateHash: string): string {
  let number = 0n
  for (const letter of stateHash) number = number * 58n + BigInt(alphabet.indexOf(letter))
  const bytes = Buffer.from(number.toString(16).padStart(76, '0'), 'hex')
  return String(BigInt(`0x${bytes.subarray(2, 34).reverse().toString('hex')}`))
}

/** @throws TypeError for anything but 32 bytes in base64 */
function vrfOutput(base64: string): string {
  if (!/^[\w+/-]{43}=*$/.test(base64)) throw new TypeError('no VRF output')
  return base58check(Uint8Array.from([0x15, 32, ...Buffer.from(base64, 'base64')]))
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

/** @throws RangeError or TypeError for what the contract cannot show */
export function indexerBlockBody(block: unknown): Exact<Block> {
  const [state, transactions] = [at(block, 'protocolState'), at(block, 'transactions')]
  const consensus = at(state, 'consensusState')
  const enclosing = enclosingOf(block)
  const stateHash = text(block, 'stateHash')
  const [zkapps, others] = [true, false].map((isZkapp) =>
    list(transactions, 'userCommands').filter((sent) => (at(sent, 'kind') === 'ZKAPP') === isZkapp),
  )
  return {
    blockHeight: enclosing.blockHeight,
    canonical: flag(block, 'canonical'),
    creator: text(block, 'creator'),
    creatorAccount: { publicKey: text(block, 'creator') },
    dateTime: isoTime(integer(state, 'blockchainState', 'date')),
    protocolState: protocolState(state, {
      epochCount: integer(consensus, 'epoch'),
      lastVrfOutput: vrfOutput(text(consensus, 'lastVrfOutput')),
    }),
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
      feeTransfer: list(transactions, 'feeTransfer').map((transfer) => ({
        fee: integer(transfer, 'fee'),
        recipient: text(transfer, 'recipient'),
      })),
      userCommands: (others ?? []).map((sent) => command(sent, enclosing)),
      zkappCommandCount: zkapps?.length ?? 0,
    },
    winnerAccount: { publicKey: text(block, 'winner') },
  }
}
