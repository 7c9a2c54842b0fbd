// An indexer's answer about a command counts only as far as the nodes support it.
import { describe, expect, test } from '@jest/globals'
import type { Exchange } from '../../../shared/chain/port.ts'
import { indexedTransaction, indexedTransactionOperations } from '../../../shared/transactions/indexed-transaction.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
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
  readonly command: 'zkApp'
}

const hit: Hit = {
  hash: 'asked',
  sender: 'alice',
  nonce: 7,
  failureReason: null,
  blockHeight: 75,
  canonical: true,
  block: { stateHash: 'block 75', dateTime: 0 },
  command: 'zkApp',
}

/** Another command with the same nonce. */
const rival: Hit = { ...hit, hash: 'another' }

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
  /** Height of the first block that the nodes were searched for. */
  readonly fromHeight?: number
  /** The last block that a hard fork kept of the indexer's chain; undefined where the node's chain began without one. */
  readonly parent?: { readonly height: number; readonly canonical?: boolean }
}

/** Asks about a command that a node does not show in its blocks 81 to 100. */
function ask(upstreams: Upstreams) {
  const { indexer = 100, genesis = 'genesis', hits = [], rivals, node = 100, searched = 100, from } = upstreams
  const { nodeBlock } = { nodeBlock: hit.block.stateHash, ...upstreams }
  const feePayer = { body: { nonce: hit.nonce, publicKey: hit.sender } }
  const zkapp = { hash: hit.hash, failureReason: null, zkappCommand: { feePayer } }
  const block = {
    stateHash: nodeBlock,
    protocolState: { blockchainState: { date: 0 }, consensusState: { blockHeight: hit.blockHeight } },
    transactions: { userCommands: [], zkappCommands: [zkapp] },
  }
  const tip = { blockHeight: indexer, genesisStateHash: genesis }
  const { parent, fromHeight = 81 } = upstreams
  const branch = [...Array(30).keys()].map((back) => ({
    blockHeight: (parent?.height ?? 30) - back,
    canonical: parent?.canonical ?? true,
    protocolState: { previousStateHash: `block ${(parent?.height ?? 30) - back - 1}` },
    stateHash: `block ${(parent?.height ?? 30) - back}`,
  }))
  const genesisState = {
    consensusState: { blockHeight: (parent?.height ?? 0) + 1 },
    previousStateHash: `block ${parent?.height}`,
  }
  const answers: Readonly<Record<string, object | undefined>> = {
    indexedTransaction: { byHash: hits, tip },
    indexedNonce: { byHash: hits, byNonce: rivals, tip },
    // Only a command that is asked for by its hash is in a block that the node holds.
    commandsAtHeight: rivals === undefined && nodeBlock !== undefined ? { block } : undefined,
    nodeGenesis: { daemonStatus: { consensusConfiguration: { k } } },
    forkParent: {
      daemonStatus: { consensusConfiguration: { k } },
      genesisBlock: { protocolState: genesisState, stateHash: 'genesis' },
    },
    commandBeforeFork: { byHash: hits, branch, tip },
    nonceBeforeFork: { byHash: hits, byNonce: rivals, branch, tip },
  }
  const answer = async ({ name }: Operation) => ({ node: 0, data: answers[name], tip: tipAt(node) })
  const chain = { configured: { indexer: true }, otherIndexers: [], request: answer } as unknown as Exchange
  const sender = from ?? (rivals && hit.sender)
  const terms = sender === undefined ? undefined : { from: sender, nonce: hit.nonce, validUntil: 1000 }
  const isNonceOpen = rivals !== undefined
  return indexedTransaction({ hash: hit.hash, terms, isNonceOpen, fromHeight, tip: tipAt(searched) }, chain)
}

test('a question by a nonce, which scans all commands of the sender, has the time of a walk and its own connection', () => {
  const scans = indexedTransactionOperations.filter(({ name }) => /nonce/i.test(name))
  expect(scans.map(({ name, isPatient, hasOwnConnection }) => ({ name, isPatient, hasOwnConnection }))).toEqual(
    ['indexedNonce', 'nonceBeforeFork'].map((name) => ({ name, isPatient: true, hasOwnConnection: true })),
  )
})

describe('an absence at the indexer', () => {
  test('counts while its tip lies well above the earliest block that the nodes were searched for', async () => {
    expect(await ask({ indexer: 90 })).toEqual({ state: 'none' })
  })

  test.each([
    ['', undefined],
    [', though it shows another command with the nonce', [rival]],
  ])(
    'does not count where it may be at abandoned blocks above those that nodes were searched for%s',
    async (_, rivals) => {
      const error = expect.objectContaining({ fault: 'busy' })
      expect(await ask({ indexer: 89, ...(rivals && { rivals }) })).toEqual({ state: 'unknown', error })
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
    ['the block comes from a node that lies behind, so it may be abandoned', { hits: [hit], node: 99 }],
    ['the node has another block at its height', { hits: [hit], nodeBlock: 'a sibling' }],
    ['it lies above the tip of the node', { hits: [hit], searched: 74 }],
    ['it is less than k below the tip of the indexer', { ...below, indexer: 94 }],
  ])('is not believed where %s', async (_where, upstreams) => {
    await expect(ask(upstreams)).rejects.toMatchObject({ fault: 'busy' })
  })

  test('is believed by its hash, whatever sender the terms name', async () => {
    expect(await ask({ ...below, from: 'bob' })).toMatchObject({ state: 'deep', likeness: 'same' })
  })

  test('is not believed of an indexer on another chain that no hard fork joins to the node’s', async () => {
    const error = expect.objectContaining({ fault: 'busy' })
    expect(await ask({ hits: [hit], genesis: 'of another chain' })).toEqual({ state: 'unknown', error })
  })
})

describe('a command of the chain before the hard fork, whose indexer stayed there', () => {
  const old = { genesis: 'of the old chain', indexer: 90 }
  /** The fork kept blocks up to here. */
  const parent = { height: 80 }

  test('is final in a block that the fork kept, by the distance from the node’s tip', async () => {
    const expected = { state: 'deep', likeness: 'same', depth: 25, hit, finalDepth: k }
    expect(await ask({ ...old, parent, hits: [hit] })).toMatchObject(expected)
    expect(await ask({ ...old, parent, rivals: [rival] })).toMatchObject({
      ...expected,
      likeness: 'unproven',
      hit: rival,
    })
    expect(await ask({ ...old, parent, rivals: [hit] })).toMatchObject(expected)
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

  test('is found by the parent’s ancestors where the indexer prefers a sibling of the parent', async () => {
    const orphan = { ...hit, canonical: false }
    const preferring = { ...old, parent: { height: 80, canonical: false } }
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
