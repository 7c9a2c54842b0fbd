// Answers to another question, and answers without what was asked for.
import { at, changed, isObject, number, type Path } from '../exact-json.ts'
import { change, type Fault, type Replacement, replacements } from '../fault.ts'
import { otherKey, otherStateHash } from './wrong-values.ts'

const vrfOutput = 'block.protocolState.consensusState.lastVrfOutput'

const ofAnotherSender = (command: unknown): unknown =>
  ['source', 'feePayer', 'fromAccount'].reduce(
    (made, key) => changed(made, [key, 'publicKey'], () => otherKey),
    changed(command, ['from'], () => otherKey),
  )

/** Something else under another name: who calls it by the right name shows that. */
const otherBlock =
  (stateHash: string) =>
  (block: unknown): unknown =>
    isObject(block) ? { ...block, stateHash, creator: otherKey } : block
const otherAccount = (account: unknown): unknown =>
  isObject(account) ? { ...account, publicKey: otherKey, nonce: '77', pk_total_num_blocks: number('77') } : account

/** Its blocks and counters are those of that chain. */
const otherIndexer = change('identity', 'indexer', 'is on another chain', (data) => {
  if (at(data, 'tip', 'genesisStateHash') === undefined) return undefined
  const there = changed(data, ['tip', 'genesisStateHash'], () => otherStateHash)
  const counted = at(there, 'accounts', 0, 'pk_total_num_blocks') !== undefined
  return counted ? changed(there, ['accounts', 0, 'pk_total_num_blocks'], () => number('77')) : there
})

/** Then nothing is final. */
const withoutK: Fault = {
  ...change('identity', 'node', 'does not say k', (data) =>
    isObject(at(data, 'daemonStatus', 'consensusConfiguration'))
      ? changed(data, ['daemonStatus', 'consensusConfiguration'], () => null)
      : undefined,
  ),
  maxSeconds: 1800,
  mayLeaveOut: true,
}

/** The answer to the question which network it is stands alone. */
const otherChain = change('identity', 'node', 'is on another chain', (data) =>
  at(data, 'networkID') === undefined && at(data, 'genesisBlock', 'stateHash') !== undefined
    ? changed(data, ['genesisBlock', 'stateHash'], () => otherStateHash)
    : undefined,
)

/** Hits the answers to a question for one thing by its name. */
const named = (name: string, variable: string, path: Path, make: (found: unknown) => unknown): Fault =>
  change('identity', 'node', name, (data, { variables }) =>
    variables[variable] !== undefined && isObject(at(data, ...path)) ? changed(data, path, make) : undefined,
  )

const namedFaults: readonly Fault[] = [
  named(`sends the block of ${otherStateHash.slice(0, 8)}`, 'stateHash', ['block'], otherBlock(otherStateHash)),
  named('sends the block of no hash', 'stateHash', ['block'], otherBlock('')),
  named('sends the account of another key', 'publicKey', ['account'], otherAccount),
  named('sends a pooled command of another sender', 'publicKey', ['pooledUserCommands', 0], ofAnotherSender),
  named('sends a pooled zkApp command of another fee payer', 'publicKey', ['pooledZkappCommands', 0], (command) =>
    changed(command, ['zkappCommand', 'feePayer', 'body', 'publicKey'], () => otherKey),
  ),
]

const rows: readonly Replacement[] = [
  ['indexer', 'sends the block of another hash', 'block', otherBlock(otherStateHash)],
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
  ['indexer', 'sends the counters of another key', 'accounts.0', otherAccount],
  ['indexer', 'forgets the key block', 'block', undefined],
  ['indexer', 'forgets the key tip', 'tip', undefined],
  ['node', 'forgets the key account', 'account', undefined],
  ['indexer', 'has no tip', 'tip', null],
  ['indexer', 'has no counters', 'accounts', []],
  ...['short', '', 'A'.repeat(44), '='.repeat(44)].map(
    (output): Replacement => ['indexer', `sends the VRF output "${output.slice(0, 5)}"`, vrfOutput, output],
  ),
]

export const identityFaults: readonly Fault[] = [
  ...namedFaults,
  otherChain,
  otherIndexer,
  withoutK,
  ...replacements('identity', rows),
]
