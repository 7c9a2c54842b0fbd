import { describe, expect, test } from '@jest/globals'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { getBlockAtHeight } from '../../../shared/endpoints/get-block-at-height.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { blockFromIndexer, indexerBlock } from '../../../shared/mapping/indexer-block.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { indexerBlockWire, mainnetGenesis } from '../indexer/indexer-wire.ts'
import { blockWire, networkReply, nodeTipAt, parentHash, stateHash, tipReplyAt } from '../mapping/node-wire.ts'
import { contextOf, recordingQuestions, scripted } from './asking.ts'
import { troubles } from './indexer-troubles.ts'
import { nodeBlockAt, proven } from './node-chain.ts'

type Scripts = Parameters<typeof scripted>[0]

const height = 2
const caching = getBlockAtHeight.caching[200]
const mapped = (received?: number) => ({
  block: blockFromNode(nodeBlock.read(blockWire, 'block'), true, received).block,
})
const notFound = {
  status: 404,
  body: { message: 'No block found at that height.' },
  caching: getBlockAtHeight.caching[404]?.missing,
}
const failure = (fault: string) => expect.objectContaining({ name: WireError.name, fault })
const [busy, mismatched, unreadable] = [failure('busy'), failure('mismatched'), failure('unreadable')]

/** The block one higher than it is. */
const raised = <Block extends { readonly protocolState: { readonly consensusState: object } }>(block: Block) => {
  const { protocolState } = block
  const consensusState = { ...protocolState.consensusState, blockHeight: '3' }
  return { ...block, protocolState: { ...protocolState, consensusState } }
}

const none = { data: null, errors: [`Could not find block in transition frontier with height ${height}`] }
const shownUnder = (tipHeight: number, block: object = blockWire) => ({
  data: { ...tipReplyAt(tipHeight, parentHash).data, block },
})
/** The node's list of these heights, each with the same hash. */
const listing = (heights: readonly number[], hash: string) => ({
  data: { bestChain: heights.flatMap((each) => tipReplyAt(each, hash).data.bestChain) },
})

/** Of the tips of these replies. */
const tipAtMs = 1_615_939_380_000

/** The answer, or the fault, and the questions. */
async function run(scripts: Scripts, indexer = false, asked = height, tipAgeMs = 60_000) {
  const now = () => tipAtMs + tipAgeMs
  // With an indexer, no pause ends before an answer comes.
  const clock = { ...hurriedClock, now, ...(indexer && { after: () => () => undefined }) }
  const recorded = recordingQuestions(contextOf(scripted(scripts), { indexer, clock }))
  const given = await getBlockAtHeight.run({ height: asked }, recorded.context).catch((error: unknown) => error)
  return { given, asked: recorded.asked.map(({ operation }) => operation) }
}

describe('the block at a height, from the node', () => {
  test.each([
    [2, 'recent'],
    [11, 'recent'],
    [12, 'settled'],
    [32, 'deep'],
  ])('takes one question, and under a tip at %d is cached as a %s one', async (tipHeight, kind) => {
    expect(await run({ blockByHeight: [shownUnder(tipHeight)] })).toEqual({
      given: {
        status: 200,
        body: mapped(),
        caching: caching?.[kind],
        version: ['node', stateHash, 'true'],
        tip: expect.objectContaining({ height: tipHeight }),
      },
      asked: ['blockByHeight'],
    })
  })

  test('is kept for a minute at most while the chain has halted, since a hard fork would discard it', async () => {
    const { given } = await run({ blockByHeight: [shownUnder(291)] }, false, height, 16 * 60_000)
    expect(given).toMatchObject({ status: 200, caching: { maxAgeSeconds: 60 } })
  })

  test('has the tag of the block at GET /blocks/{state_hash}, from a light question', async () => {
    const name = { stateHash, protocolState: { consensusState: { blockHeight: '2' } } }
    const { context, asked } = recordingQuestions(contextOf(scripted({ hashAtHeight: [shownUnder(20, name)] })))
    expect(await getBlockAtHeight.currentVersion?.({ height }, context)).toEqual({
      version: ['node', stateHash, 'true'],
      tip: expect.objectContaining({ height: expect.any(Number) }),
      caching: caching?.settled,
    })
    expect(asked).toHaveLength(1)
  })

  test('that only a lower tip than before shows is cached for a second', async () => {
    const scripts = { blockByHeight: [shownUnder(9), shownUnder(4)] }
    const context = contextOf(scripted(scripts))
    await getBlockAtHeight.run({ height }, context)
    expect(await getBlockAtHeight.run({ height }, context)).toMatchObject({
      body: mapped(),
      caching: { maxAgeSeconds: 1 },
    })
  })

  const held = { data: { block: blockWire }, tip: nodeTipAt(3, parentHash) }
  test.each([
    ['is found', stateHash, expect.objectContaining({ status: 200, body: mapped() })],
    ['is a 503 where a fork has taken its place meanwhile', parentHash, busy],
  ])('at the root of the frontier %s, by the list of the best chain', async (_what, previousStateHash, expected) => {
    const child = { protocolState: { consensusState: { blockHeight: '3' }, previousStateHash } }
    const scripts = {
      blockByHeight: [none],
      nodeTip: [tipReplyAt(3)],
      chainEnd: [listing([2, 3], stateHash)],
      blockByStateHash: [held],
      blockAtHeight: [shownUnder(3, child)],
    }
    expect((await run(scripts)).given).toEqual(expected)
  })
})

/** The questions to a node that does not hold the block. */
const absent = ['blockByHeight', 'blockByHeight', 'blockByHeight', 'nodeTip']

describe('no block at a height', () => {
  test('is found above the tip, by four questions to the node', async () => {
    const { given, asked } = await run({ blockByHeight: [none], nodeTip: [tipReplyAt(1)] })
    expect({ given, asked }).toEqual({ given: notFound, asked: absent })
  })

  test('above the node’s tip is found with an indexer that has one', async () => {
    const tip = { blockHeight: 99, genesisStateHash: 'genesis' }
    const receivedTimesAt = [{ data: { blocks: [{ ...indexed, blockHeight: 2 }], tip } }]
    expect((await run({ receivedTimesAt, blockByHeight: [none], nodeTip: [tipReplyAt(1)] }, true)).given).toEqual(
      notFound,
    )
  })

  test.each([
    ['below the frontier', { nodeTip: [tipReplyAt(33)] }, absent],
    [
      'below a short frontier, by the list of the best chain',
      { nodeTip: [tipReplyAt(4)], chainEnd: [listing([3, 4], parentHash)] },
      [...absent, 'chainEnd'],
    ],
  ])('is found %s, without an indexer', async (_where, scripts, questions) => {
    expect(await run({ blockByHeight: [none], ...scripts })).toEqual({ given: notFound, asked: questions })
  })

  test.each([
    ['the list begins lower and ends below it', listing([1], parentHash)],
    ['the list is full', listing([3, 4, 5, 6, 7], parentHash)],
    ['the list is missing', { data: { bestChain: [] } }],
  ])('is a 503 below the tip where %s', async (_what, list) => {
    const { given } = await run({ blockByHeight: [none], nodeTip: [tipReplyAt(4)], chainEnd: [list] })
    expect(given).toEqual(busy)
  })

  test('is a 503 if a higher tip was seen before', async () => {
    const context = contextOf(scripted({ blockByHeight: [shownUnder(2), none], nodeTip: [tipReplyAt(1)] }))
    await getBlockAtHeight.run({ height }, context)
    await expect(getBlockAtHeight.run({ height }, context)).rejects.toEqual(busy)
  })
})

test.each([
  ['a block of another height', shownUnder(3, raised(blockWire)), mismatched],
  ['a block above its tip', shownUnder(1), mismatched],
  [
    'words about another height',
    { data: null, errors: ['Could not find block in transition frontier with height 3'] },
    unreadable,
  ],
  ['no tip beside the block', { data: { block: blockWire, bestChain: [] } }, busy],
])('%s from the node is upstream trouble', async (_what, reply, fault) => {
  expect((await run({ blockByHeight: [reply] })).given).toEqual(fault)
})

const receivedTime = '2021-03-17T00:03:40.591Z'
const indexed = { blockHeight: height, canonical: true, receivedTime, stateHash }
const tip = { blockHeight: 300, genesisStateHash: 'genesis' }

describe('the received time of the block at a height', () => {
  test('is that of the same block, not of its sibling', async () => {
    const sibling = { ...indexed, stateHash: parentHash, receivedTime: '2021-03-17T00:00:00.000Z' }
    const receivedTimesAt = [{ data: { blocks: [sibling, { ...indexed, canonical: false }], tip } }]
    const { given } = await run({ receivedTimesAt, blockByHeight: [shownUnder(2)] }, true)
    expect(given).toMatchObject({
      body: mapped(Date.parse(receivedTime)),
      version: ['node and indexer', stateHash, 'true'],
      tip: expect.objectContaining({ height: expect.any(Number) }),
    })
  })

  test.each([
    ...troubles,
    ['has a sibling only', { data: { blocks: [{ ...indexed, stateHash: parentHash }], tip } }] as const,
    ['names another height', { data: { blocks: [{ ...indexed, blockHeight: 3 }], tip } }] as const,
  ])('is missing when the indexer %s', async (_does, reply) => {
    const { given } = await run({ receivedTimesAt: [reply], blockByHeight: [shownUnder(2)] }, true)
    expect(given).toMatchObject({ body: mapped(), headers: { 'x-missing-fields': 'receivedTime' } })
  })
})

describe('the block at a height below the frontier', () => {
  const wire = { ...indexerBlockWire, stateHash }
  const old = (where: object = {}, block: object = {}) => ({
    blockByHeight: [none],
    nodeTip: [tipReplyAt(300)],
    nodeNetwork: [networkReply()],
    receivedTimesAt: [{ data: { blocks: [indexed], tip: { ...tip, ...where } } }],
    indexedBlockAt: [proven({ blocks: [{ ...wire, ...block }], tip: { ...tip, ...where } })],
    blockAtHeight: [nodeBlockAt()],
  })

  const replying = (data: object) => ({ receivedTimesAt: [{ data }] })
  const lacking = (where: object) => replying({ blocks: [{ ...indexed, canonical: false }], tip: { ...tip, ...where } })

  test('comes from the indexer, with the tag of the block at GET /blocks/{state_hash}', async () => {
    const missing = [
      'protocolState.blockchainState.snarkedLedgerHash',
      'transactions.zkappCommands.balanceChanges.implicitAccountCreationFee',
    ]
    const { given, asked } = await run(old(), true)
    expect(given).toEqual({
      status: 200,
      body: { block: blockFromIndexer(indexerBlock.read(wire, 'block'), 1).block },
      tip: expect.objectContaining({ height: 300 }),
      caching: caching?.final,
      version: ['indexer', stateHash, 'true', ...missing],
      headers: { 'x-missing-fields': missing.join(',') },
    })
    expect(asked).toEqual([...['receivedTimesAt', ...absent, 'nodeNetwork'], ...['blockAtHeight', 'indexedBlockAt']])
  })

  test.each<[string, Scripts, unknown]>([
    ['is a 503 where the indexer has none, since the chain has one', lacking({ blockHeight: 298 }), busy],
    ['is a 503 where the indexer begins above it', replying({ blocks: [], tip }), busy],
    ['is a 503 where the indexer is too far behind to know it', lacking({ blockHeight: 9 }), busy],
    [
      'is a 503 where an indexer of another chain does not have it',
      lacking({ genesisStateHash: mainnetGenesis }),
      busy,
    ],
    ['is a 503 where the indexer is of another chain', old({ genesisStateHash: mainnetGenesis }), busy],
    ['is a 503 where the indexer may prefer a sibling, so near to its tip', old({ blockHeight: 11 }), busy],
    ['is a 503 where the indexer has no block', replying({ blocks: [], tip: null }), busy],
    [
      'is a 503 where the indexer is on a branch that the network has left',
      { indexedBlockAt: [proven({ blocks: [wire], tip }, () => parentHash)] },
      busy,
    ],
    ['is a 502 where the indexer gives an orphan', old({}, { canonical: false }), mismatched],
    ['is a 502 where the indexer gives another height', old({}, raised(wire)), mismatched],
  ])('%s', async (_what, scripts, expected) => {
    expect((await run({ ...old(), ...scripts }, true)).given).toEqual(expected)
  })

  test('is a 503 with the reason if the indexer’s chain begins at a hard fork above it', async () => {
    const forkParentAtIndexer = [{ data: { block: null, tip } }]
    const fork = { ...lacking({}), nodeNetwork: [networkReply({}, { height: 4 })], forkParentAtIndexer }
    expect((await run({ ...old(), ...fork }, true)).given).toMatchObject({
      fault: 'busy',
      message: "the indexer's chain does not reach below the hard fork at 3",
    })
  })

  test('is the hard fork’s parent if the indexer holds it, though it does not call it canonical', async () => {
    const scripts = {
      ...old(),
      ...lacking({}),
      nodeNetwork: [networkReply({}, { height: 3, parent: stateHash })],
      receivedTimeOf: [{ data: { block: { receivedTime, stateHash }, tip } }],
      indexedBlock: [proven({ block: { ...wire, canonical: false }, tip })],
    }
    expect((await run(scripts, true)).given).toMatchObject({
      status: 200,
      body: { block: { stateHash, canonical: true } },
    })
  })

  test.each(troubles)('is a 503, never a 404, when the indexer %s', async (_does, reply) => {
    const both = { ...old(), receivedTimesAt: [reply], indexedBlockAt: [reply] }
    expect((await run(both, true)).given).toEqual(busy)
    expect((await run({ ...old(), indexedBlockAt: [reply] }, true)).given).toEqual(busy)
  })

  test('comes, after a hard fork, from an indexer of the old chain: the kept one, though it prefers another', async () => {
    const kept = { ...wire, canonical: false }
    const nodeNetwork = [networkReply({}, { height: 4, parent: '3Nparent' })]
    const oldTip = { blockHeight: 5, genesisStateHash: mainnetGenesis }
    const blocks = [
      { blockHeight: 3, protocolState: { previousStateHash: stateHash }, stateHash: '3Nparent' },
      { blockHeight: 2, protocolState: { previousStateHash: parentHash }, stateHash },
      { blockHeight: 1, protocolState: { previousStateHash: '3N' }, stateHash: parentHash },
    ]
    const keptBranch = [{ data: { blocks, tip: oldTip } }]
    const { given, asked } = await run(
      {
        ...old(oldTip),
        nodeNetwork,
        keptBranch,
        indexedBlock: [{ data: { block: kept, proof: [], tip: oldTip } }],
      },
      true,
    )
    expect(given).toMatchObject({
      status: 200,
      body: { block: { stateHash, canonical: true } },
      caching: caching?.final,
    })
    const questions = ['receivedTimesAt', ...absent, 'nodeNetwork', 'keptBranch', 'indexedBlock']
    expect(asked).toEqual(questions)
    const hole = { ...old(oldTip), nodeNetwork }
    const indexedBlock = [{ data: { block: null, proof: [], tip: oldTip } }]
    expect((await run({ ...hole, keptBranch, indexedBlock }, true)).given).toEqual(busy)
  })
})
