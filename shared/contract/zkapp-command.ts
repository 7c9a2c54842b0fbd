// A zkApp command, and what it declares to move: an addition to the contract.
import type { Static } from 'typebox'
import {
  blockOfCommand,
  commandStatus,
  flag,
  nanominaNumber,
  number,
  publicKey,
  publicKeyOnly,
  reasonOfFailure,
  text,
} from './scalars.ts'

const balanceChange = {
  type: 'object',
  title: 'BalanceChange',
  description: 'the sum of the MINA that a zkApp command declares to add to one account, or to take from it',
  properties: {
    publicKey,
    tokenId: {
      ...text,
      description: 'that of MINA, base58check: wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
    },
    amount: {
      ...nanominaNumber,
      description: 'nanomina with their sign, negative where they are taken; exact beyond 2^53',
    },
    implicitAccountCreationFee: {
      ...flag,
      description:
        'true, or absent: if the account is new, the fee for it comes off this change. Without it, another update of the command pays that fee. No indexer shows it.',
    },
  },
  required: ['publicKey', 'tokenId', 'amount'],
} as const

const tokenChange = {
  type: 'object',
  title: 'TokenChange',
  description:
    'the sum of what a zkApp command declares to add to one account of another token than MINA, or to take from it',
  properties: {
    publicKey,
    tokenId: {
      ...text,
      description: 'token id, base58check. Anybody may make a token, and mint as much of it as 64 bits hold.',
    },
    amount: {
      ...text,
      description:
        "smallest units of that token, decimal digits, with a minus where they are taken. They are not MINA's, and may need 65 bits or more.",
      examples: ['-18446744073709551615'],
    },
    implicitAccountCreationFee: {
      ...flag,
      description:
        'true, or absent: as the command declares it. The fee for a new account is MINA, so it never comes off this change.',
    },
  },
  required: ['publicKey', 'tokenId', 'amount'],
} as const

const zkappKind = {
  type: 'string',
  enum: ['ZKAPP'],
  description: 'ZKAPP: a payment or delegation has another. There will be no other value.',
} as const

/** A zkApp command without the fields of its block. */
export const bareZkappCommand = {
  type: 'object',
  title: 'BareZkappCommand',
  description: 'a zkApp command, without its block',
  properties: {
    balanceChanges: {
      type: 'array',
      description:
        'What the account updates declare for accounts of MINA, and of no other token: summed for each account in the order in which they name it; empty for a failed command. The fee is not in it. A sum of 0 is left out, unless `implicitAccountCreationFee` is true. So is one beyond int64, which only a command that waits can declare: `x-missing-fields` then names the list.',
      items: balanceChange,
    },
    fee: nanominaNumber,
    feePayer: { ...publicKeyOnly, description: 'the account that pays the fee, whose nonce the command uses' },
    hash: { ...text, description: 'command hash: base58check, 5J…' },
    kind: zkappKind,
    memo: { ...text, description: 'base58check, as the node gives it' },
    nonce: { ...number, description: 'number of the command among those of its fee payer, from 0' },
    tokenChanges: {
      type: 'array',
      description:
        'The same for accounts of other tokens, every sum. Never credit one as MINA: whoever mints a token decides what it is worth.',
      items: tokenChange,
    },
  },
  required: ['balanceChanges', 'fee', 'feePayer', 'hash', 'kind', 'memo', 'nonce', 'tokenChanges'],
} as const

export type BareZkappCommand = Static<typeof bareZkappCommand>

/** A zkApp command of a block. */
export const zkappCommand = {
  type: 'object',
  title: 'ZkappCommand',
  description: 'a zkApp command in a block',
  properties: {
    ...bareZkappCommand.properties,
    ...blockOfCommand,
    failureReason: {
      ...reasonOfFailure,
      examples: ['Update_not_permitted_balance, Cancelled'],
    },
    status: commandStatus,
  },
  required: [...bareZkappCommand.required, 'blockHeight', 'blockStateHash', 'dateTime', 'status'],
} as const

export type ZkappCommand = Static<typeof zkappCommand>
