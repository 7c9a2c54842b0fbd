// Answers to another question, and answers without what was asked for.
import { changed, number } from '../exact-json.ts'
import { type Fault, type Replacement, replacements } from '../fault.ts'
import { otherKey, otherStateHash } from './wrong-values.ts'

const vrfOutput = 'block.protocolState.consensusState.lastVrfOutput'

const ofAnotherSender = (command: unknown): unknown =>
  ['source', 'feePayer', 'fromAccount'].reduce(
    (made, key) => changed(made, [key, 'publicKey'], () => otherKey),
    changed(command, ['from'], () => otherKey),
  )

export const identityFaults: readonly Fault[] = replacements('identity', [
  ['node', `sends the block of ${otherStateHash.slice(0, 8)}`, 'block.stateHash', otherStateHash],
  [
    'node',
    `sends the block of ${otherStateHash.slice(0, 8).toLowerCase()}`,
    'block.stateHash',
    otherStateHash.toLowerCase(),
  ],
  ['node', 'sends the block of no hash', 'block.stateHash', ''],
  ['indexer', 'sends the block of another hash', 'block.stateHash', otherStateHash],
  ['indexer', 'is on another chain', 'tip.genesisStateHash', otherStateHash],
  ['node', 'is on another chain', 'genesisBlock.stateHash', otherStateHash],
  ['indexer', 'ends the epoch before with a block of another blockHeight', 'blocks.0.blockHeight', number('1')],
  [
    'indexer',
    'ends the epoch before with a block of another genesisStateHash',
    'blocks.0.genesisStateHash',
    otherStateHash,
  ],
  [
    'indexer',
    'ends the epoch before with a block of the same',
    'blocks.0.protocolState.consensusState.epoch',
    number('4321'),
  ],
  [
    'indexer',
    'is eleven blocks behind',
    'tip.blockHeight',
    (found: unknown) => number(String(Number(JSON.stringify(found)) - 11)),
  ],
  ['node', 'sends the account of another key', 'account.publicKey', otherKey],
  ['indexer', 'sends the counters of another key', 'accounts.0.publicKey', otherKey],
  ['node', 'sends a pooled command of another sender', 'pooledUserCommands.0', ofAnotherSender],
  [
    'node',
    'sends a pooled zkApp command of another fee payer',
    'pooledZkappCommands.0.zkappCommand.feePayer.body.publicKey',
    otherKey,
  ],
  ['indexer', 'forgets the key block', 'block', undefined],
  ['indexer', 'forgets the key tip', 'tip', undefined],
  ['node', 'forgets the key account', 'account', undefined],
  ['indexer', 'has no tip', 'tip', null],
  ['indexer', 'has no such block', 'block', null],
  ['node', 'has no such account', 'account', null],
  ['indexer', 'has no counters', 'accounts', []],
  ...['short', '', 'A'.repeat(44), '='.repeat(44)].map(
    (output): Replacement => ['indexer', `sends the VRF output "${output.slice(0, 5)}"`, vrfOutput, output],
  ),
])
