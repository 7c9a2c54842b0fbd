// An indexer's answer about a command counts only as far as the nodes support it.
import { describe, expect, test } from '@jest/globals'
import type { ChainView, Indexer } from '../../../shared/chain/port.ts'
import { memoFromText } from '../../../shared/mapping/command.ts'
import { indexedTransaction, indexedTransactionOperations } from '../../../shared/transactions/indexed-transaction.ts'
import type { Content } from '../../../shared/transactions/terms.ts'
import type { Network } from '../../../shared/upstream/network.ts'
import type { Tip } from '../../../shared/upstream/query.ts'

const tipAt = (height: number): Tip => ({
  height,
  stateHash: `block ${height}`,
  atMs: 0,
  syncStatus: 'SYNCED',
  genesisStateHash: 'genesis',
})

interface Hit {
  readonly hash: string
  readonly sender: string
  readonly nonce: number
  readonly failureReason: null
  readonly blockHeight: number
  readonly canonical: boolean
  readonly block: { readonly stateHash: string; readonly dateTime: number }
  readonly command: object
}

const hit: Hit = {
  hash: 'asked',
  sender: 'alice',
  nonce: 7,
  failureReason: null,
  blockHeight: 75,
  canonical: true,
  block: { stateHash: 'block 75', dateTime: 0 },
  command: { kind: 'ZKAPP' },
}

/** Another command with the same nonce. */
const rival: Hit = { ...hit, hash: 'another' }

const content: Content = { to: 'bob', fee: 2n, memo: memoFromText('rent'), amount: 5n }

/** A payment with the same nonce as the indexer lists it, changed as named. */
const paying = (changes: object = {}): Hit => ({
  ...rival,
  command: { kind: 'PAYMENT', fee: 2n, amount: 5n, memo: 'rent', receiver_account: null, to: 'bob', ...changes },
})
const dearer = paying({ fee: 3n })

/** The depth at which a block is final, as the node tells it. */
const k = 20

interface Upstreams {
  /** Height of the indexer's tip. */
  readonly indexer?: number
  readonly genesis?: string
  readonly hits?: readonly Hit[]
  /** The commands that used the nonce, where the question is about it. */
  readonly rivals?: readonly Hit[]
  /** Height of the tip of the node that is asked for a block. */
  readonly node?: number
  /** The node's block at the height of the command; undefined below its frontier. */
  readonly nodeBlock?: string | undefined
  /** Height of the tip under which the nodes were searched. */
  readonly searched?: number
  /** As the question names it. */
  readonly from?: string
  /** The command's content, as the question gives it. */
  readonly content?: Content | undefined
  /** Of which the indexer calls a block canonical at the height of the oldest one that was searched at the nodes; null: of none. */
  readonly branch?: string | null
  /** Further indexers, each with its own answers. */
  readonly others?: readonly Upstreams[]
  /** Height of the first block that the nodes were searched for. */
  readonly fromHeight?: number
  /** The last block that a hard fork kept of the indexer's chain; undefined where the node's chain began without one. */
  readonly parent?: { readonly height: number; readonly k?: undefined }
}

function indexerOver(upstreams: Upstreams): Indexer {
  const { indexer = 100, genesis = 'genesis', hits = [], rivals = [], branch = 'block', parent } = upstreams
  const tip = { blockHeight: indexer, genesisStateHash: genesis }
  const blocks = [...Array(31).keys()].map((back) => ({
    blockHeight: (parent?.height ?? 30) - back,
    protocolState: { previousStateHash: `block ${(parent?.height ?? 30) - back - 1}` },
    stateHash: `block ${(parent?.height ?? 30) - back}`,
  }))
  const answers: Readonly<Record<string, object>> = {
    indexedTransaction: { byHash: hits, tip },
    indexedNonce: { byHash: hits, byNonce: rivals, tip },
    keptBranch: { blocks, tip },
  }
  const proofAt = (height: unknown) => (branch === null ? [] : [{ stateHash: `${branch} ${height}` }])
  return {
    ask: async ({ name }, { proofHeight }) => ({ data: { ...answers[name], proof: proofAt(proofHeight) } as never }),
  }
}

/** The request over the nodes and every indexer. */
function chainOver(upstreams: Upstreams): ChainView {
  const { rivals, node = 100, parent } = upstreams
  const { nodeBlock } = { nodeBlock: hit.block.stateHash, ...upstreams }
  const feePayer = { body: { nonce: hit.nonce, publicKey: hit.sender } }
  const zkapp = { hash: hit.hash, failureReason: null, zkappCommand: { feePayer } }
  const block = {
    stateHash: nodeBlock,
    protocolState: { blockchainState: { date: 0 }, consensusState: { blockHeight: hit.blockHeight } },
    transactions: { userCommands: [], zkappCommands: [zkapp] },
  }
  const network: Network = {
    chainId: 'chain',
    constants: parent !== undefined && 'k' in parent ? undefined : { k, slotMs: 180_000, slotsPerEpoch: 7140 },
    genesis: {
      ...{ stateHash: 'genesis', height: (parent?.height ?? 0) + 1, slot: 0 },
      parent: parent && { stateHash: `block ${parent.height}`, height: parent.height },
    },
  }
  // Only a command that is asked for by its hash is in a block that the node holds.
  const data = rivals === undefined && nodeBlock !== undefined ? { block } : undefined
  return {
    indexers: [upstreams, ...(upstreams.others ?? [])].map(indexerOver),
    kept: { branches: new Map() },
    request: async () => ({ node: 0, data, tip: tipAt(node) }),
    networks: { of: async () => network },
  } as unknown as ChainView
}

/** Asks about a command that a node does not show in its blocks 81 to 100. */
function ask(upstreams: Upstreams) {
  const { rivals, searched = 100, from, fromHeight = 81 } = upstreams
  const sender = from ?? (rivals && hit.sender)
  const terms =
    sender === undefined ? undefined : { from: sender, nonce: hit.nonce, validUntil: 1000, content: upstreams.content }
  const oldest = { stateHash: `block ${fromHeight}`, height: fromHeight }
  const isNonceOpen = rivals !== undefined
  const question = { hash: hit.hash, terms, isNonceOpen, fromHeight, oldest, tip: tipAt(searched) }
  return indexedTransaction(question, chainOver(upstreams))
}

test('a question by a nonce, which scans all commands of the sender, has the time of a walk and its own connection', () => {
  const scans = indexedTransactionOperations.filter(({ name }) => /nonce/i.test(name))
  expect(scans.map(({ name, isPatient, hasOwnConnection }) => ({ name, isPatient, hasOwnConnection }))).toEqual(
    ['indexedNonce'].map((name) => ({ name, isPatient: true, hasOwnConnection: true })),
  )
})

describe('an absence at the indexer', () => {
  test('counts while its tip is well above the earliest block searched at the nodes', async () => {
    expect(await ask({ indexer: 91 })).toEqual({ state: 'none' })
  })

  test.each([
    ['', undefined],
    [', though it shows another command with the nonce', [rival]],
  ])(
    'does not count where it may be at abandoned blocks above those that nodes were searched for%s',
    async (_, rivals) => {
      const error = expect.objectContaining({ fault: 'busy' })
      expect(await ask({ indexer: 90, ...(rivals && { rivals }) })).toEqual({ state: 'unknown', error })
    },
  )
})

describe('an inclusion that the indexer shows', () => {
  test('is confirmed by the block of a node at the tip', async () => {
    expect(await ask({ hits: [hit] })).toMatchObject({ state: 'held', depth: 25 })
  })

  const below = { hits: [hit], nodeBlock: undefined }
  test.each([
    ['both tips are k above it', {}, { depth: 25, finalDepth: k }],
    ["only the indexer's tip is", { searched: 94 }, { depth: 19, finalDepth: undefined }],
  ])('is believed below the frontier; as final where %s', async (_where, more, expected) => {
    expect(await ask({ ...below, ...more })).toMatchObject({ state: 'deep', ...expected })
  })

  test.each([
    ['the block comes from a node that lies behind, so it may be abandoned', { hits: [hit], searched: 94, node: 93 }],
    ['the node has another block at its height', { hits: [hit], nodeBlock: 'a sibling' }],
    ['it lies above the tip of the node', { hits: [hit], searched: 74 }],
    ['it is less than k below the tip of the indexer', { ...below, indexer: 94 }],
  ])('is not believed where %s', async (_where, upstreams) => {
    await expect(ask(upstreams)).rejects.toMatchObject({ fault: 'busy' })
  })

  test('is believed by its depth if only a node that is behind still holds its block', async () => {
    expect(await ask({ hits: [hit], node: 99 })).toMatchObject({ state: 'deep', depth: 25, finalDepth: k })
  })

  test('is believed by its hash, whatever sender the terms name', async () => {
    expect(await ask({ ...below, from: 'bob' })).toMatchObject({ state: 'deep', match: 'same' })
  })

  test('is not believed of an indexer on another chain that no hard fork joins to the node’s', async () => {
    const error = expect.objectContaining({ fault: 'busy' })
    expect(await ask({ hits: [hit], genesis: 'of another chain' })).toEqual({ state: 'unknown', error })
  })
})

describe('another command with the nonce, that the indexer alone shows,', () => {
  /** Both tips are more than k above it, and the indexer is on the node's chain. */
  const settled = { content, rivals: [dearer] }

  test('replaces the one that was asked for, finally', async () => {
    expect(await ask(settled)).toMatchObject({ state: 'deep', match: 'another', hit: dearer, finalDepth: k })
  })

  test.each<[string, Upstreams]>([
    ['of another receiver', { rivals: [paying({ to: 'carol' })] }],
    ['of another amount', { rivals: [paying({ amount: 6n })] }],
    ['of a zkApp command whose fee payer uses the nonce', { rivals: [rival] }],
  ])('proves it where it is that %s', async (_what, upstreams) => {
    expect(await ask({ ...settled, ...upstreams })).toMatchObject({ match: 'another', finalDepth: k })
  })

  test.each<[string, Upstreams]>([
    ['the terms do not say what the command does', { content: undefined }],
    [
      'the terms leave out the amount, and nothing else differs',
      { content: { ...content, amount: undefined }, rivals: [paying()] },
    ],
    ['its memo alone differs', { rivals: [paying({ memo: 'ren' })] }],
    ["it is less than k below the node's tip", { searched: 94 }],
  ])('is unproven where %s', async (_where, upstreams) => {
    expect(await ask({ ...settled, ...upstreams })).toMatchObject({ state: 'deep', match: 'unproven' })
  })

  test('is not shown if the indexer is too near to the node’s blocks to prove that it is on their chain', async () => {
    const near = { ...settled, nodeBlock: undefined, indexer: 90, rivals: [{ ...dearer, blockHeight: 60 }] }
    expect(await ask(near)).toEqual({ state: 'unknown', error: expect.objectContaining({ fault: 'busy' }) })
  })

  test.each<[string, Upstreams]>([
    ['has found it', { hits: [{ ...hit, blockHeight: 70 }] }],
    ['is of no chain of the node', { genesis: 'of another chain' }],
    ['lags', { indexer: 80 }],
  ])('proves nothing where another indexer that was asked for the hash %s', async (_what, other) => {
    const looked = await ask({ ...settled, others: [{ rivals: [], ...other }] })
    expect(looked).not.toMatchObject({ match: 'another' })
  })

  test('proves it if every other indexer was asked for the hash and has nothing', async () => {
    expect(await ask({ ...settled, others: [{ rivals: [] }] })).toMatchObject({ match: 'another', hit: dearer })
    expect(await ask({ content, rivals: [], others: [{ rivals: [dearer] }] })).toMatchObject({ hit: dearer })
  })

  test('leaves it open if another indexer shows one that may be the command itself', async () => {
    const looked = await ask({ ...settled, others: [{ rivals: [paying({ memo: 'ren' })] }] })
    expect(looked).toMatchObject({ match: 'unproven' })
  })
})

describe('rows of an indexer with the sender and the nonce of one command', () => {
  const elsewhere = { ...dearer, blockHeight: 60, block: { ...hit.block, stateHash: 'block 60' } }
  const second = { ...dearer, hash: 'a second hash' }
  const old = { genesis: 'of the old chain', indexer: 90, parent: { height: 80 } }

  test('are one command if they are of one block and differ in the hash alone', async () => {
    for (const chain of [{}, old]) {
      const looked = await ask({ ...chain, content, rivals: [dearer, second] })
      expect(looked).toMatchObject({ match: 'another', hit: dearer })
      expect(await ask({ ...chain, content, hits: [{ ...dearer, hash: hit.hash }], rivals: [second] })).toMatchObject({
        match: 'same',
        hit: { hash: hit.hash },
      })
    }
  })

  test.each<[string, Upstreams]>([
    ['they are of two blocks', { rivals: [dearer, elsewhere] }],
    [
      'one with the hash that was asked for is in another block',
      { hits: [{ ...elsewhere, hash: hit.hash }], rivals: [dearer] },
    ],
    ['they differ in a term', { rivals: [dearer, paying({ fee: 4n })] }],
    ['one command is in two blocks', { hits: [hit, { ...hit, blockHeight: 60, block: elsewhere.block }] }],
  ])('prove nothing where %s', async (_where, upstreams) => {
    await expect(ask({ content, ...upstreams })).rejects.toMatchObject({ fault: 'busy' })
    expect(await ask({ content, ...old, ...upstreams })).toMatchObject({ state: 'unknown', error: { fault: 'busy' } })
  })

  test('do not contradict each other if a hard fork discarded one of them', async () => {
    const discarded = { ...dearer, blockHeight: 85, block: { ...hit.block, stateHash: 'block 85' } }
    expect(await ask({ ...old, content, rivals: [discarded, dearer] })).toMatchObject({ match: 'another', hit: dearer })
  })
})

describe('an indexer on a long dead branch of the same genesis', () => {
  const below = { ...hit, blockHeight: 60 }
  const dead: readonly Upstreams[] = [{ branch: null }, { branch: 'orphan' }]
  const error = expect.objectContaining({ fault: 'busy' })

  test.each(dead)('shows no absence and no other command with the nonce: %j', async (branch) => {
    expect(await ask(branch)).toEqual({ state: 'unknown', error })
    expect(await ask({ ...branch, nodeBlock: undefined, content, rivals: [dearer] })).toEqual({
      state: 'unknown',
      error,
    })
  })

  test.each(dead)('shows no inclusion that the node does not hold: %j', async (branch) => {
    await expect(ask({ ...branch, nodeBlock: undefined, hits: [below] })).rejects.toMatchObject({ fault: 'busy' })
    expect(await ask({ ...branch, hits: [hit] })).toMatchObject({ state: 'held', match: 'same' })
  })
})

describe('a command of the chain before the hard fork, whose indexer stayed there', () => {
  const old = { genesis: 'of the old chain', indexer: 90 }
  /** The fork kept blocks up to here. */
  const parent = { height: 80 }

  test('is final in a block that the fork kept, by the distance from the node’s tip', async () => {
    const expected = { state: 'deep', match: 'same', depth: 25, hit, finalDepth: k }
    expect(await ask({ ...old, parent, hits: [hit] })).toMatchObject(expected)
    expect(await ask({ ...old, parent, rivals: [rival] })).toMatchObject({
      ...expected,
      match: 'unproven',
      hit: rival,
    })
    expect(await ask({ ...old, parent, rivals: [hit] })).toMatchObject(expected)
  })

  test('is replaced by another one with its nonce that the fork kept, whatever came after the fork', async () => {
    const kept = { ...old, parent, content, rivals: [dearer] }
    const replaced = { state: 'deep', match: 'another', hit: dearer, finalDepth: k }
    expect(await ask(kept)).toMatchObject(replaced)
    expect(await ask({ ...kept, fromHeight: 90 })).toMatchObject(replaced)
    expect(await ask({ ...kept, rivals: [paying()] })).toMatchObject({ match: 'same' })
    expect(await ask({ ...kept, parent: { ...parent, k: undefined } })).toMatchObject({ match: 'unproven' })
    expect(await ask({ ...kept, parent: { height: 74 }, fromHeight: 75 })).toEqual({ state: 'none' })
  })

  test('is as if not found in a block that the fork discarded', async () => {
    const discarding = { ...old, parent: { height: 74 }, fromHeight: 75 }
    expect(await ask({ ...discarding, hits: [hit] })).toEqual({ state: 'none' })
    expect(await ask({ ...discarding, rivals: [rival] })).toEqual({ state: 'none' })
  })

  test('is found in the kept one of its blocks', async () => {
    const discarded = { ...hit, blockHeight: 85, block: { ...hit.block, stateHash: 'block 85' } }
    expect(await ask({ ...old, parent, hits: [discarded, hit] })).toMatchObject({ state: 'deep', hit })
  })

  test('is found by the parent’s ancestors if the indexer prefers a sibling of the parent', async () => {
    const orphan = { ...hit, canonical: false }
    const preferring = { ...old, parent }
    expect(await ask({ ...preferring, hits: [orphan] })).toMatchObject({ state: 'deep', finalDepth: k })
    const sibling = { ...hit, block: { ...hit.block, stateHash: 'a sibling' } }
    expect(await ask({ ...preferring, fromHeight: 81, hits: [sibling] })).toEqual({ state: 'none' })
  })

  test.each([
    ['the indexer is behind the fork’s parent', { indexer: 79 }],
    ['blocks of the new chain lie between the parent and those that nodes were searched for', { fromHeight: 82 }],
  ])('is not known to be absent where %s', async (_where, upstreams) => {
    const error = expect.objectContaining({ fault: 'busy' })
    expect(await ask({ ...old, parent, ...upstreams })).toEqual({ state: 'unknown', error })
  })
})
