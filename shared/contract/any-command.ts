// A command of any kind without its block. For generators it is one object, in which the members of one kind are
// optional; the two shapes are under `if: {}`, which always holds: validators look there, generators do not.

import { publicKey } from './scalars.ts'
import { type BareCommand, bareCommand, type UserCommand, userCommand } from './user-command.ts'
import { type BareZkappCommand, bareZkappCommand, type ZkappCommand, zkappCommand } from './zkapp-command.ts'

export const anyCommand = {
  type: 'object',
  title: 'AnyCommand',
  description: 'a command of any kind, without its block: one with `balanceChanges` is a zkApp command',
  properties: {
    ...bareZkappCommand.properties,
    ...bareCommand.properties,
    feePayer: {
      type: 'object',
      description: 'the account that pays the fee: its public key, and the number of its token but for a zkApp command',
      properties: { publicKey, token: bareCommand.properties.feeToken },
      required: ['publicKey'],
    },
    kind: {
      ...bareCommand.properties.kind,
      description: 'PAYMENT, STAKE_DELEGATION or ZKAPP',
      examples: ['PAYMENT', 'STAKE_DELEGATION', 'ZKAPP'],
    },
  },
  required: ['fee', 'feePayer', 'hash', 'kind', 'memo', 'nonce'],
  if: {},
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
  then: { oneOf: [bareCommand, bareZkappCommand] },
} as const

export type AnyCommand = BareCommand | BareZkappCommand

/** The same for a command in its block. */
export const anyIncludedCommand = {
  ...anyCommand,
  title: 'AnyIncludedCommand',
  description: 'a command of any kind as its block lists it: one with `balanceChanges` is a zkApp command',
  properties: {
    ...zkappCommand.properties,
    ...userCommand.properties,
    feePayer: anyCommand.properties.feePayer,
    kind: anyCommand.properties.kind,
  },
  required: [...anyCommand.required, 'blockHeight', 'blockStateHash', 'dateTime', 'status'],
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
  then: { oneOf: [userCommand, zkappCommand] },
} as const

export type AnyIncludedCommand = UserCommand | ZkappCommand
