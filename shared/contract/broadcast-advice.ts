// What each code means, and what to do about it: the table of docs/broadcasting.md, and the client's advice. The
// advice to sign again keeps the nonce, unless no node can take the first command, or the nonce belongs to another
// payment of the same owner: of two commands with one nonce, only one is paid.
import type { BroadcastCode } from './broadcast-codes.ts'

interface Advice {
  readonly meaning: string
  /** Shown beside the node's own words, in one line. */
  readonly do: string
}

export const broadcastAdvice: Readonly<Record<BroadcastCode, Advice>> = {
  'bad-nonce': {
    meaning: 'too high: a predecessor is missing; too low: used, which is final',
    do: 'too high: send its predecessor, or if never sent sign with the expected nonce; used: ask for its state',
  },
  'insufficient-funds': {
    meaning: 'the balance, less locked and queued amounts, does not cover amount and fee',
    do: 'wait for funds, or sign less with the same nonce',
  },
  'invalid-signature': {
    meaning: 'also one for another network, which `error` names, or for another kind of command',
    do: 'sign for this network, change nothing after it, and send it as its kind',
  },
  'fee-too-low': { meaning: 'under the network’s minimum', do: 'sign with the same nonce and a higher fee' },
  'replace-fee-too-low': {
    meaning: 'another command with this nonce and at least this fee waits',
    do: 'if the pool has another payment of yours with it, sign with nextNonce; otherwise with the same nonce and a higher fee, or wait',
  },
  expired: {
    meaning: '`validUntil` is past',
    do: 'sign again with the same nonce, once its state is expired with 15 blocks on top',
  },
  duplicate: { meaning: 'a node says that it has the command, but none shows it', do: 'send it again' },
  'memo-damaged': {
    meaning:
      'the signature does not fit, and the memo holds U+FFFD: it was probably not sent in UTF-8; if you signed that character, the signature is invalid',
    do: 'send the same signed command in UTF-8',
  },
  'memo-too-long': { meaning: 'over 32 bytes', do: 'sign it again with a shorter memo' },
  'sender-unknown': { meaning: 'the sender has no account yet', do: 'fund the account' },
  'sender-not-permitted': {
    meaning: 'the account’s permissions forbid paying',
    do: 'pay from another account',
  },
  overflow: {
    meaning: 'amount and fee, with those of commands that wait, exceed 64 bits',
    do: 'sign less with the same nonce',
  },
  'bad-token': {
    meaning: 'a node takes it for one that does not pay in MINA',
    do: 'read the error',
  },
  'unwanted-fee-token': {
    meaning: 'a node takes no fee in this token',
    do: 'read the error',
  },
  'pool-overloaded': {
    meaning: 'the node’s pool is full',
    do: 'send it again, or sign with the same nonce and a higher fee',
  },
  'network-paused': {
    meaning: 'the network takes no commands for some hours before a hard fork',
    do: 'send the same bytes again every minute',
  },
  'invalid-request': {
    meaning: 'the body was refused before submission; every fault is named',
    do: 'mend the request',
  },
  'node-unreachable': { meaning: 'no connection, or no readable answer', do: 'ask for its state' },
  timeout: { meaning: 'no answer in time', do: 'ask for its state' },
  other: { meaning: 'words that nobody foresaw', do: 'read the error' },
}
