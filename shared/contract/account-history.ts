// The commands of one account, newest first: an addition to the contract.
import type { Static } from 'typebox'
import { type AnyCommand, type AnyIncludedCommand, anyCommand, anyIncludedCommand } from './any-command.ts'
import { enclosingBlock } from './enclosing-block.ts'
import { defaultHistory, maxPending } from './limits.ts'
import { flag, height, nanominaNumber, number, text } from './scalars.ts'

const block = {
  type: 'object',
  title: 'BlockOfCommand',
  description: 'the block of the best chain that holds the command',
  ...enclosingBlock,
} as const

export const directions = ['sent', 'received', 'self'] as const

export const roles = ['payer', 'updated', 'both'] as const

const accountTransaction = {
  type: 'object',
  title: 'AccountTransaction',
  description: 'a command in a block of the best chain, and what the account has to do with it',
  properties: {
    command: anyIncludedCommand,
    direction: {
      type: 'string',
      enum: directions,
      description:
        'of a payment or delegation: the account is its sender, its receiver (or new delegate), or both. There will be no other value.',
    },
    role: {
      type: 'string',
      enum: roles,
      description:
        'of a zkApp command: the account pays its fee, is named by its account updates, or both. There will be no other value.',
    },
    amount: {
      ...nanominaNumber,
      description:
        "of a zkApp command: the sum of what it declares to add to the key's MINA account (negative: to take), nanomina, without the fee; 0 where it failed, and for other tokens; absent where `balanceChanges` leaves a sum out",
    },
    change: {
      ...nanominaNumber,
      description:
        'the change in the key’s MINA balance, in nanomina, including the fee, for failed commands as well; negative if the balance fell. Absent where a zkApp command has no `amount`. Not included, because no command records them: the account creation fee, block and proof rewards, and a genesis balance.',
    },
    hash: { ...text, description: 'the command’s hash, repeated here for tools that cannot read nested keys' },
    block,
    confirmations: {
      ...number,
      description:
        'number of blocks on top; 0 at the tip. At most the network’s k, where it is a lower bound: `confirmations >= 15` never turns false for a final command.',
    },
    final: { ...flag, description: 'true, or absent: its block is so deep that no reorganisation can reach it' },
  },
  required: ['command', 'hash', 'block', 'confirmations'],
} as const

export type AccountTransaction = Omit<Static<typeof accountTransaction>, 'command'> & { command: AnyIncludedCommand }

const pendingTransaction = {
  type: 'object',
  title: 'PendingAccountTransaction',
  description: 'a command of the account that waits in the pool',
  properties: {
    command: anyCommand,
    change: {
      ...nanominaNumber,
      description: 'nanomina: always 0, because a waiting command has not changed the balance',
    },
    hash: { ...text, description: 'of the command' },
  },
  required: ['command', 'change', 'hash'],
} as const

const searched = {
  type: 'object',
  title: 'AccountSearched',
  description:
    'the places that were searched: the page holds every command of the account in the blocks of these heights',
  properties: {
    pool: { ...flag, description: 'true if the pool of these nodes was asked: on the first page' },
    fromHeight: {
      ...height,
      description: 'height of the lowest block that the page reaches; without `next`, of the earliest block searched',
    },
    toHeight: { ...height, description: 'height of the highest block: the tip, or the one below the cursor' },
    nodes: { ...number, description: 'number of node addresses that answered' },
    indexer: { ...flag, description: 'true if an indexer answered, which has the older blocks' },
  },
  required: ['pool', 'fromHeight', 'toHeight', 'nodes', 'indexer'],
} as const

/** The answer of GET /accounts/{public_key}/transactions. */
export const accountTransactionsResponse = {
  type: 'object',
  title: 'AccountTransactionsResponse',
  properties: {
    transactions: {
      type: 'array',
      description: `Newest first: by height, in a block by nonce and then by sender. A page ends between blocks: with the one in which it reaches \`limit\` (${defaultHistory}) commands, and has all of that block’s, so it may have many more.`,
      items: accountTransaction,
    },
    pending: {
      type: 'array',
      description: `On the first page: what the account has sent and no block holds yet, the highest nonce first and then by hash, at most ${maxPending}. All of it, and payments on their way to the account, are in \`GET /pool?account=\`.`,
      items: pendingTransaction,
      maxItems: maxPending,
    },
    pendingCount: {
      ...number,
      description: `how many wait, where that is more than the ${maxPending} in \`pending\`; absent otherwise`,
    },
    searched,
    next: {
      ...text,
      description:
        'Cursor of the next page, HEIGHT-STATEHASH of the last block given: ask again with it as `before`. Absent: nothing older in what was searched.',
      examples: ['359606-3NLRTfY4kZyJtvaP4dFenDcxfoMfT3uEpkWS913KkeXLtziyVd15'],
    },
    endOfKnown: {
      ...flag,
      description:
        'true where the history ends because nothing that the service asks has the blocks below `fromHeight`: the account may have older commands',
    },
  },
  required: ['transactions', 'searched'],
} as const

export interface AccountTransactions {
  transactions: AccountTransaction[]
  pending?: { command: AnyCommand; change: number; hash: string }[]
  pendingCount?: number
  searched: Static<typeof searched>
  next?: string
  endOfKnown?: boolean
}
