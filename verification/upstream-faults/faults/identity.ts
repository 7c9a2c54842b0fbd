// Answers to another question, and answers without what was asked for.
import { changed, number } from '../exact-json.ts'
import type { Fault } from '../fault.ts'
import { change } from './changes.ts'
import { otherKey, otherStateHash } from './wrong-values.ts'

export const identityFaults: readonly Fault[] = [
  ...[otherStateHash, otherStateHash.toLowerCase(), ''].map((hash) =>
    change({
      name: `sends the block of ${hash.slice(0, 8) || 'no hash'}`,
      kind: 'identity',
      upstream: 'node',
      path: ['block', 'stateHash'],
      change: () => hash,
    }),
  ),
  change({
    name: 'sends the block of another hash',
    kind: 'identity',
    upstream: 'indexer',
    path: ['block', 'stateHash'],
    change: () => otherStateHash,
  }),
  change({
    name: 'is on another chain',
    kind: 'identity',
    upstream: 'indexer',
    path: ['tip', 'genesisStateHash'],
    change: () => otherStateHash,
  }),
  change({
    name: 'is on another chain',
    kind: 'identity',
    upstream: 'node',
    path: ['genesisBlock', 'stateHash'],
    change: () => otherStateHash,
  }),
  ...(['blockHeight', 'genesisStateHash'] as const).map((key) =>
    change({
      name: `ends the epoch before with a block of another ${key}`,
      kind: 'identity',
      upstream: 'indexer',
      path: ['blocks', 0, key],
      change: () => (key === 'blockHeight' ? number('1') : otherStateHash),
    }),
  ),
  change({
    name: 'ends the epoch before with a block of the same',
    kind: 'identity',
    upstream: 'indexer',
    path: ['blocks', 0, 'protocolState', 'consensusState', 'epoch'],
    change: () => number('4321'),
  }),
  change({
    name: 'is eleven blocks behind',
    kind: 'identity',
    upstream: 'indexer',
    path: ['tip', 'blockHeight'],
    change: (found) => number(String(Number(JSON.stringify(found)) - 11)),
  }),
  change({
    name: 'sends the account of another key',
    kind: 'identity',
    upstream: 'node',
    path: ['account', 'publicKey'],
    change: () => otherKey,
  }),
  change({
    name: 'sends the counters of another key',
    kind: 'identity',
    upstream: 'indexer',
    path: ['accounts', 0, 'publicKey'],
    change: () => otherKey,
  }),
  change({
    name: 'sends a pooled command of another sender',
    kind: 'identity',
    upstream: 'node',
    path: ['pooledUserCommands', 0],
    change: (command) =>
      ['source', 'feePayer', 'fromAccount'].reduce(
        (made, key) => changed(made, [key, 'publicKey'], () => otherKey),
        changed(command, ['from'], () => otherKey),
      ),
  }),
  change({
    name: 'forgets the key block',
    kind: 'identity',
    upstream: 'indexer',
    path: ['block'],
    change: () => undefined,
  }),
  change({
    name: 'forgets the key tip',
    kind: 'identity',
    upstream: 'indexer',
    path: ['tip'],
    change: () => undefined,
  }),
  change({
    name: 'forgets the key account',
    kind: 'identity',
    upstream: 'node',
    path: ['account'],
    change: () => undefined,
  }),
  change({ name: 'has no tip', kind: 'identity', upstream: 'indexer', path: ['tip'], change: () => null }),
  change({ name: 'has no such block', kind: 'identity', upstream: 'indexer', path: ['block'], change: () => null }),
  change({ name: 'has no such account', kind: 'identity', upstream: 'node', path: ['account'], change: () => null }),
  change({ name: 'has no counters', kind: 'identity', upstream: 'indexer', path: ['accounts'], change: () => [] }),
  ...['short', '', 'A'.repeat(44), '='.repeat(44)].map((output) =>
    change({
      name: `sends the VRF output "${output.slice(0, 5)}"`,
      kind: 'identity',
      upstream: 'indexer',
      path: ['block', 'protocolState', 'consensusState', 'lastVrfOutput'],
      change: () => output,
    }),
  ),
]
