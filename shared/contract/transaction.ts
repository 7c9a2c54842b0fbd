// The fate of a command: an addition to the contract.
import type { Static } from 'typebox'
import { type AnyCommand, anyCommand } from './any-command.ts'
import { enclosingBlock } from './enclosing-block.ts'
import { message } from './error.ts'
import { maxMissingNonces } from './limits.ts'
import { commandStatus, flag, height, nanominaNumber, number, publicKey, text } from './scalars.ts'

const transactionHash = { ...text, description: 'transaction hash: base58check, 5J…, before June 2024 Ckp…' } as const

const hint = {
  ...text,
  description:
    'where nothing was found by the hash, and not all terms were given: how to find a command whose wallet computes another hash than the node',
} as const

const searched = {
  type: 'object',
  title: 'Searched',
  description: 'the places that were searched',
  properties: {
    pool: { ...flag, description: 'true if the pool of each of these nodes was asked' },
    fromHeight: { ...height, description: 'height of the earliest block that was read' },
    toHeight: { ...height, description: 'height of the latest block that was read: the tip' },
    nodes: { ...number, description: 'number of node addresses that answered' },
    indexer: { ...flag, description: 'true if an indexer was asked for older blocks, and answered' },
  },
  required: ['pool', 'fromHeight', 'toHeight', 'nodes', 'indexer'],
} as const

export type Searched = Static<typeof searched>

const transactionBlock = {
  type: 'object',
  title: 'TransactionBlock',
  description:
    'with `included` and `replaced`: the block of the best chain that holds the command which used the nonce',
  ...enclosingBlock,
} as const

const terms = {
  type: 'object',
  title: 'TransactionTerms',
  description: 'the terms of the question, where it named them: without the hash in sight, the answer is true of these',
  properties: {
    from: { ...publicKey, description: 'public key of the sender' },
    nonce: { ...number, description: 'nonce of the command' },
    validUntil: { ...number, description: 'last slot in which it may be included' },
    to: { ...publicKey, description: 'public key of the receiver, or of the new delegate' },
    fee: nanominaNumber,
    memo: { ...text, description: 'memo in base58check' },
    amount: { ...nanominaNumber, description: 'nanomina; absent for a delegation, or where the question left it out' },
  },
  required: ['from', 'nonce', 'validUntil'],
} as const

export const transactionStates = ['included', 'replaced', 'expired', 'pending', 'absent'] as const

export const sendings = ['possible', 'rival-pending', 'waits-for-nonce', 'no-account', 'nonce-used', 'unknown'] as const

const transaction = {
  type: 'object',
  title: 'TransactionFate',
  description: 'a command and its fate',
  properties: {
    hash: { ...transactionHash, description: 'hash of the question: base58check, 5J…, or Ckp…' },
    chainHash: {
      ...transactionHash,
      description:
        'hash of the command on the chain and in pools, where it is another than the one of the question: all terms are equal, so it is the same command',
    },
    state: {
      type: 'string',
      enum: transactionStates,
      description:
        '`included`: in a block of the best chain. `replaced`: another command with its nonce is, which differs in a term. `expired`: the chain is past `valid_until` without it. `pending`: in the pool of a node. `absent`: in none of the searched places. There will be no other value.',
    },
    block: transactionBlock,
    confirmations: {
      ...number,
      description:
        'with `included` and `replaced` the number of blocks on top of that block, 0 at the tip; with `expired` on top of the first searched block past `valid_until`. Where `final` is true it is exactly the network’s k, a lower bound: a bound that was reached once stays reached.',
    },
    final: {
      ...flag,
      description:
        'true, or absent: the block is so deep, by the network’s own k, that no reorganisation can reach it. With `replaced` the answer is final for the terms that it repeats.',
    },
    failureReason: {
      ...text,
      description:
        'why an included command failed on the chain: only its fee was charged; absent from one that was applied',
    },
    status: { ...commandStatus, description: `with \`included\`: ${commandStatus.description}` },
    command: anyCommand,
    by: {
      ...transactionHash,
      description:
        'with `replaced` and `rival-pending`: hash of the other command. With `nonce-used` and `unknown`: hash of a command with its sender and nonce, which may be the command itself under another hash. `command` is the command of this hash, to compare with yours.',
    },
    hashFromIndexer: {
      ...flag,
      description:
        'true, or absent: an indexer alone shows the command in `by`, or the one with `chainHash`. An indexer can have a wrong hash, so compare `command` rather than this hash.',
    },
    sending: {
      type: 'string',
      enum: sendings,
      description:
        'with `absent`: `possible`: nothing seen stands against it. `rival-pending`: another command with its nonce waits. `waits-for-nonce`: a predecessor is missing. `no-account`: the sender has none yet. `nonce-used`: the ledger is past its nonce, and nothing proves by which command: it may be itself (`by`). It can be in no later block. All terms, and an indexer that has the block, settle it; until then never sign a second one. `unknown`: the nodes lag or disagree, a command with its nonce that waits may be itself (`by`), or the indexer does not say whether it knows the hash. Other values may come: read one as `unknown`.',
    },
    missingNonces: {
      type: 'array',
      items: number,
      maxItems: maxMissingNonces,
      description: `with \`waits-for-nonce\`: the least nonces below its own that no command uses, at most ${maxMissingNonces}`,
    },
    hint,
    terms,
    searched,
  },
  required: ['hash', 'state', 'searched'],
} as const

/** The answer of GET /transactions/{hash}. */
export const transactionResponse = {
  type: 'object',
  title: 'TransactionFateResponse',
  properties: { transaction },
  required: ['transaction'],
} as const

export type Transaction = Omit<Static<typeof transaction>, 'command'> & { command?: AnyCommand }

/** Its answer if nothing was found; without `searched` if the text cannot be a hash. */
export const transactionNotFound = {
  ...message,
  title: 'TransactionNotFound',
  description: 'no command with the hash in any of the searched places',
  properties: { ...message.properties, hint, searched },
} as const

export type TransactionNotFound = Static<typeof transactionNotFound>
