// biome-ignore-all lint/style/noExcessiveLinesPerFile: the same node and indexer answer in every test.
import { describe, expect, test } from '@jest/globals'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { blockFromIndexer, indexerBlock } from '../../../shared/mapping/indexer-block.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import type { Variables } from '../../../shared/upstream/wire.ts'
import { berkeleyGenesis, indexerBlockWire, mainnetGenesis } from '../indexer/indexer-wire.ts'
import { blockWire, networkReply, nodeTipAt, parentHash, stateHash } from '../mapping/node-wire.ts'
import { answering, contextOf, queryOf, recordingQuestions } from './asking.ts'
import { late, troubles } from './indexer-troubles.ts'
import { nodeBlockAt, proven } from './node-chain.ts'

const receivedTime = '2021-03-17T00:03:40.591Z'
const mapped = (received?: number) => blockFromNode(nodeBlock.read(blockWire, 'block'), true, received).block

const held = { data: { block: blockWire }, tip: nodeTipAt(2) }
const notHeld = {
  data: null,
  errors: [`Block with state hash ${stateHash} not found in transition frontier`],
  tip: nodeTipAt(300, parentHash),
}
const tip = { blockHeight: 300, genesisStateHash: nodeTipAt(300).genesisStateHash }
/** A node that does not hold the blocks of so low a height. */
const notAtHeight = ({ height }: Variables) => ({
  data: null,
  errors: [`Could not find block in transition frontier with height ${height}`],
  tip: nodeTipAt(300),
})
const receivedTimeOf = { data: { block: { receivedTime, stateHash }, tip } }
const indexed = { ...indexerBlockWire, stateHash }
const lacking = (where: object) => ({ receivedTimeOf: { data: { block: null, tip: { ...tip, ...where } } } })
const giving = (block: object | null, where: object = {}) => ({
  indexedBlock: proven({ block, tip: { ...tip, ...where } }),
})

type Replies = Parameters<typeof answering>[0]

/** A node that does not hold the block, and the light answer of an indexer that does. */
const usual = { blockByStateHash: notHeld, receivedTimeOf, nodeNetwork: networkReply(), blockAtHeight: nodeBlockAt() }

/** Node and indexer that answer sooner than any pause ends. */
function asking(replies: Replies) {
  const query = queryOf(answering({ ...usual, ...giving(null), ...replies }))
  // A minute after the tips of these replies.
  const clock = { now: () => 1_615_939_440_000, elapsed: () => performance.now(), after: () => () => undefined }
  return recordingQuestions(contextOf(query, { indexer: true, clock }))
}

/** The answer, or the fault. */
const run = (replies: Replies): Promise<object> =>
  getBlock.run({ stateHash }, asking(replies).context).catch((error: WireError) => error)

/** The answer where the indexer's light one never comes. */
const runHeldUp = (replies: Replies) =>
  getBlock.run({ stateHash }, answering({ ...usual, receivedTimeOf: new Promise(() => undefined), ...replies }))

const caching = getBlock.caching[200]
const busy = expect.objectContaining({ name: WireError.name, fault: 'busy' })
const notFound = expect.objectContaining({ status: 404 })

describe('a block of an indexer that lists zkApp commands apart', () => {
  const isZkapp = ({ kind }: { readonly kind: string }) => kind === 'ZKAPP'
  const { userCommands } = indexerBlockWire.transactions
  const apart = {
    ...indexed,
    transactions: { ...indexerBlockWire.transactions, userCommands: userCommands.filter((one) => !isZkapp(one)) },
  }
  const zkapps = userCommands.filter(isZkapp)
  const height = Number(indexerBlockWire.protocolState.consensusState.blockHeight)
  const row = (command: object, of = stateHash) => ({
    ...command,
    block: { dateTime: receivedTime, stateHash: of },
    blockHeight: height,
    canonical: true,
  })
  const listed = { stateHash, transactions: { zkappCommands: zkapps.map(({ hash }) => ({ hash })) } }
  /** In another order, among those of a fork. */
  const rows = [...zkapps.map((one) => row(one, parentHash)), ...zkapps.map((one) => row(one)).toReversed()]
  const answered = (data: object) =>
    run({ ...giving(apart), zkappsApart: { data: { block: listed, transactions: rows, ...data } } })
  const counted = { transactions: expect.not.objectContaining({ zkappCommands: expect.anything() }) }

  test('has them in the order of the block, with what another question says about each', async () => {
    expect(await answered({})).toEqual(await run(giving(indexed)))
  })

  test.each<[string, object]>([
    ['tells of one too few', { transactions: rows.slice(0, -1) }],
    ['has the rows of a fork only', { transactions: rows.slice(0, 2) }],
    ['tells of another height', { transactions: rows.map((one) => ({ ...one, blockHeight: 1 })) }],
    ['lists one too few', { block: { ...listed, transactions: { zkappCommands: [] } } }],
    ['does not have the block any more', { block: null }],
  ])('leaves them out for a moment where it %s', async (_name, data) => {
    expect(await answered(data)).toMatchObject({
      status: 200,
      body: { block: counted },
      caching: { maxAgeSeconds: 1 },
      headers: { 'x-missing-fields': expect.stringContaining('transactions.zkappCommands') },
    })
  })

  test.each(troubles)('leaves them out for a moment if it %s at the second question', async (_name, trouble) => {
    expect(await run({ ...giving(apart), zkappsApart: trouble })).toMatchObject({
      status: 200,
      body: { block: counted },
      caching: { maxAgeSeconds: 1 },
    })
  })
})

describe('a block of the node’s frontier, with an indexer', () => {
  test('has its received time', async () => {
    expect(await run({ blockByStateHash: held })).toEqual({
      status: 200,
      body: { block: mapped(Date.parse(receivedTime)) },
      caching: caching?.recent,
      version: ['node and indexer', stateHash, 'true'],
      tip: expect.objectContaining({ height: expect.any(Number) }),
    })
  })

  test.each([
    ...troubles,
    ['does not have the block', { data: { block: null, tip } }] as const,
    ['names another block', { data: { block: { receivedTime, stateHash: parentHash }, tip } }] as const,
  ])('has no received time when the indexer %s', async (_does, reply) => {
    expect(await run({ blockByStateHash: held, receivedTimeOf: reply })).toEqual({
      status: 200,
      body: { block: mapped() },
      caching: caching?.incomplete,
      headers: { 'x-missing-fields': 'receivedTime' },
      note: expect.any(String),
      tip: expect.objectContaining({ height: expect.any(Number) }),
    })
  })
})

describe('a block below the node’s frontier', () => {
  test('comes from the indexer, with its own canonical', async () => {
    const wire = { ...indexed, canonical: false }
    const missing = [
      'protocolState.blockchainState.snarkedLedgerHash',
      'transactions.zkappCommands.balanceChanges.implicitAccountCreationFee',
    ]
    expect(await run(giving(wire))).toEqual({
      status: 200,
      body: { block: blockFromIndexer(indexerBlock.read(wire, 'block'), 1).block },
      tip: expect.objectContaining({ height: 300 }),
      caching: caching?.final,
      version: ['indexer', stateHash, 'false', ...missing],
      headers: { 'x-missing-fields': missing.join(',') },
    })
  })

  test.each([
    ['final', 'k below both tips', { k: 298 }, 300, 300],
    ['deep', 'less than k below both tips', { k: 299 }, 300, 300],
    ['deep', 'k below the indexer’s tip alone', { k: 298 }, 299, 300],
    ['recent', 'k below the node’s tip alone', { k: 10 }, 300, 11],
    ['deep', 'of any depth, from a node that does not say k', null, 300, 300],
  ])('is cached as %s when it is %s', async (kind, _depth, constants, nodeHeight, blockHeight) => {
    const blockByStateHash = { ...notHeld, tip: nodeTipAt(nodeHeight, parentHash) }
    const replies = { blockByStateHash, nodeNetwork: networkReply(constants), ...giving(indexed, { blockHeight }) }
    expect(await run(replies)).toMatchObject({ caching: caching?.[kind] })
  })

  test('that neither holds is not found, once the indexer has shown that it follows the node, and the node that it is no fork’s parent', async () => {
    const { context, asked } = asking(lacking({ blockHeight: 290 }))
    expect(await getBlock.run({ stateHash }, context)).toEqual({
      status: 404,
      body: { message: 'No blocks found for that state hash.' },
      caching: getBlock.caching[404]?.missing,
    })
    const looks = Array(3).fill('blockByStateHash')
    const proof = ['blockAtHeight', 'indexedBlock']
    expect(asked.map(({ operation }) => operation)).toEqual(['receivedTimeOf', ...looks, 'nodeNetwork', ...proof])
  })

  test.each([
    ['undecided', 'behind by more than the network’s k', 9, { k: 290 }, busy],
    ['undecided', 'behind, of a node that does not say k', 289, null, busy],
    ['not found', 'behind by k, so that the node holds all that it lacks', 10, { k: 290 }, notFound],
    ['not found', 'ahead of the node', 400, { k: 290 }, notFound],
  ])('is %s when the indexer does not have it and is %s', async (_outcome, _where, blockHeight, constants, outcome) => {
    expect(await run({ ...lacking({ blockHeight }), nodeNetwork: networkReply(constants) })).toEqual(outcome)
  })

  test.each([
    ['above the indexer’s tip', 1],
    ['the indexer’s tip', 2],
    ['nine below it', 11],
  ])('is canonical, where it is %s at %i, by the word of the node', async (_place, blockHeight) => {
    const shown = [stateHash, parentHash].flatMap((parent) => [true, false].map((canonical) => ({ parent, canonical })))
    for (const { parent, canonical } of shown) {
      const replies = { blockAtHeight: nodeBlockAt(parent), ...giving({ ...indexed, canonical }, { blockHeight }) }
      expect(await run(replies)).toMatchObject({ status: 200, body: { block: { canonical: parent === stateHash } } })
      expect(await run({ ...replies, blockAtHeight: notAtHeight })).toEqual(busy)
    }
  })

  test.each([true, false])('ten below the indexer’s tip is canonical: %s by its word', async (canonical) => {
    expect(await run(giving({ ...indexed, canonical }, { blockHeight: 12 }))).toMatchObject({
      status: 200,
      body: { block: { canonical } },
    })
  })

  test('comes from the indexer if only the question for its received time was delayed', async () => {
    expect(await runHeldUp(giving(indexed))).toMatchObject({ status: 200 })
  })

  const { protocolState } = indexed
  const unreadable = {
    ...indexed,
    protocolState: { ...protocolState, consensusState: { ...protocolState.consensusState, lastVrfOutput: 'AAAA' } },
  }
  const first = (data: object) => ({ receivedTimeOf: { data } })
  const second = (data: object) => ({ indexedBlock: proven(data) })
  test.each<[string, Replies]>([
    ...troubles.map(([does, reply]): [string, Replies] => [does, { receivedTimeOf: reply, indexedBlock: reply }]),
    ...troubles.map(([does, reply]): [string, Replies] => [`${does} at the second question`, { indexedBlock: reply }]),
    ['has no block yet', first({ block: null, tip: null })],
    ['forgets the block between two questions', second({ block: null, tip })],
    ['hands it over without a tip', second({ block: indexed, tip: null })],
    ['forgets block and tip between two questions', second({ block: null, tip: null })],
    ['leaves the block out of its answer', first({ tip })],
    ['leaves the old block out of its answer', second({ tip })],
    ['hands it over with an unreadable VRF output', second({ block: unreadable, tip })],
  ])('is a 503, never a 404, when the indexer %s', async (_does, replies) => {
    expect(await run(replies)).toEqual(busy)
  })

  test('is a 503, never a 404, if the indexer is on another chain that no hard fork connects to the node’s', async () => {
    const elsewhere = { genesisStateHash: mainnetGenesis }
    const message = `the indexer is on another chain, of genesis ${mainnetGenesis}`
    const otherChain = expect.objectContaining({ fault: 'busy', message })
    expect(await run(giving(indexed, elsewhere))).toEqual(otherChain)
    expect(await run(lacking({ ...elsewhere, blockHeight: 100 }))).toEqual(otherChain)
    expect(await run(lacking({ ...elsewhere, blockHeight: 300 }))).toEqual(otherChain)
  })

  test('is a 502 if the indexer returns another block', async () => {
    expect(await run(giving({ ...indexed, stateHash: parentHash }))).toMatchObject({ fault: 'mismatched' })
  })
})

describe('an indexer on a branch that the network has left', () => {
  const dead = (block: object | null, where: object = {}) => ({
    indexedBlock: proven({ block, tip: { ...tip, ...where } }, () => parentHash),
  })
  const elsewhere = expect.objectContaining({
    fault: 'busy',
    message: expect.stringContaining('the indexer is on another branch, without block 3Nat'),
  })

  test.each([true, false])('is not believed in what it calls canonical: %s', async (canonical) => {
    expect(await run(dead({ ...indexed, canonical }))).toEqual(elsewhere)
  })

  test('is not believed in what it does not have: a 503, never a 404', async () => {
    expect(await run({ ...lacking({}), ...dead(null) })).toEqual(elsewhere)
  })

  test('is not believed in a block that it had not a moment before', async () => {
    expect(await run({ ...lacking({}), ...giving(indexed) })).toEqual(busy)
  })

  test('that has stopped long ago is believed in what no branch can replace, and in nothing else', async () => {
    const stopped = { ...giving(indexed, { blockHeight: 12 }), blockAtHeight: notAtHeight }
    expect(await run(stopped)).toEqual(busy)
    expect(await run({ ...stopped, nodeNetwork: networkReply(null) })).toEqual(busy)
    expect(await run({ ...stopped, nodeNetwork: networkReply({ k: 10 }) })).toMatchObject({ status: 200 })
  })

  test('is compared at a height that it has settled, even if its light answer is late', async () => {
    const heights: unknown[] = []
    const settled = proven({ block: indexed, tip: { ...tip, blockHeight: 200 } })
    const indexedBlock = (variables: Variables) => {
      heights.push(variables.proofHeight)
      return settled(variables)
    }
    expect(await runHeldUp({ indexedBlock })).toMatchObject({ status: 200 })
    expect(heights).toEqual([280, 190])
  })
})

describe('a block of the chain before the node’s hard fork, whose indexer stayed there', () => {
  const indexerTip = { blockHeight: 40, genesisStateHash: berkeleyGenesis }
  const at = (height: number, wire: object = indexed) => ({
    ...wire,
    protocolState: {
      ...indexed.protocolState,
      consensusState: { ...indexed.protocolState.consensusState, blockHeight: height },
    },
  })
  /** The fork kept block 20; the node's tip is at 300. */
  const genesis = { height: 21 }
  const hashAt = (height: number) =>
    new Map([
      [12, stateHash],
      [20, parentHash],
    ]).get(height) ?? `3N${height}`
  const blocks = Array.from({ length: 20 }, (_, index) => ({
    blockHeight: index + 1,
    protocolState: { previousStateHash: hashAt(index) },
    stateHash: hashAt(index + 1),
  }))
  const proof = [{ blockHeight: 1, canonical: true, stateHash: '3N1' }]
  const ofOldChain = (block: object | null, more: Replies = {}): Replies => ({
    nodeNetwork: networkReply({}, genesis),
    receivedTimeOf: { data: { block: block && { receivedTime, stateHash }, tip: indexerTip } },
    keptBranch: { data: { blocks, tip: indexerTip } },
    indexedBlock: { data: { block, proof, tip: indexerTip } },
    ...more,
  })

  test('is canonical and final at the parent or below, and never above it, whatever the indexer says', async () => {
    const kept = await run(ofOldChain(at(12)))
    expect(kept).toMatchObject({ status: 200, body: { block: { canonical: true } }, caching: caching?.final })
    const unsettled = await run(ofOldChain(at(12, { ...indexed, canonical: false })))
    expect(unsettled).toMatchObject({ status: 200, body: { block: { canonical: true } }, caching: caching?.final })
    const orphan = await run(ofOldChain(at(13)))
    expect(orphan).toMatchObject({ status: 200, body: { block: { canonical: false } }, caching: caching?.final })
    const discarded = await run(ofOldChain(at(21)))
    expect(discarded).toMatchObject({ status: 200, body: { block: { canonical: false } }, caching: caching?.final })
  })

  test('is absent if the node holds every block since the fork, and a 503 if it does not', async () => {
    const others = JSON.parse(JSON.stringify(blocks).replaceAll(stateHash, '3N12'))
    const unkept = { keptBranch: { data: { blocks: others, tip: indexerTip } } }
    expect(await run(ofOldChain(null, unkept))).toEqual(notFound)
    const small = { nodeNetwork: networkReply({ k: 279 }, genesis) }
    expect(await run(ofOldChain(null, { ...unkept, ...small }))).toEqual(busy)
  })

  test.each<[string, Replies]>([
    ['does not hold the fork’s parent', { keptBranch: { data: { blocks: blocks.slice(0, -1), tip: indexerTip } } }],
    ['lacks it, though the fork is known to have kept it', {}],
    ['is behind the fork’s parent', giving(at(13), { ...indexerTip, blockHeight: 19 })],
    ['has no block', { indexedBlock: { data: { block: null, proof: [], tip: null } } }],
  ])('is a 503 where the indexer %s', async (_does, replies) => {
    expect(await run(ofOldChain(null, replies))).toEqual(busy)
  })

  const nodeGenesisHash = nodeTipAt(300).genesisStateHash
  test.each<[string, object]>([
    ['the second answer is of a replica on the new chain', { tip: { ...tip, genesisStateHash: nodeGenesisHash } }],
    ['the block is of the new chain', { block: at(21, { ...indexed, genesisStateHash: nodeGenesisHash }) }],
    ['the first answer has the block, and the second does not', { block: null }],
  ])('is a 503, never canonical: false, where %s', async (_what, changes) => {
    const data = { block: at(21), proof, tip: indexerTip, ...changes }
    expect(await run(ofOldChain(at(21), { indexedBlock: { data } }))).toEqual(busy)
  })

  test('is a 503 if the node names a genesis without a parent', async () => {
    const silent = { nodeNetwork: networkReply({}, { ...genesis, parent: null }) }
    expect(await run(ofOldChain(at(12), silent))).toEqual(busy)
  })
})

describe('a block before the node’s hard fork, of an indexer on the new chain', () => {
  const nodeNetwork = networkReply({}, { height: 21 })
  const parentAtIndexer = (canonical: boolean, genesisStateHash = nodeTipAt(300).genesisStateHash) => ({
    data: { block: { canonical, stateHash: parentHash }, tip: { ...tip, genesisStateHash } },
  })
  const orphan = giving({ ...indexed, canonical: false })

  test('is not canonical by its word only if its chain reaches below the fork', async () => {
    const crossing = { nodeNetwork, forkParentAtIndexer: parentAtIndexer(true) }
    expect(await run({ ...orphan, ...crossing })).toMatchObject({ body: { block: { canonical: false } } })
    const begunAtFork = [
      parentAtIndexer(false),
      { data: { block: null, tip } },
      // Another replica, which stayed on the old chain.
      parentAtIndexer(true, berkeleyGenesis),
    ]
    for (const begun of begunAtFork) {
      expect(await run({ ...orphan, nodeNetwork, forkParentAtIndexer: begun })).toEqual(busy)
      expect(await run({ ...giving(indexed), nodeNetwork })).toMatchObject({ body: { block: { canonical: true } } })
    }
  })

  test.each([
    ['below the fork’s parent', 288, true],
    ['above it', 289, false],
  ])('%s is judged by the fork where the indexer’s light answer is late', async (_place, height, canonical) => {
    const { consensusState, ...others } = indexed.protocolState
    const ofOldChain = {
      ...indexed,
      genesisStateHash: berkeleyGenesis,
      protocolState: { ...others, consensusState: { ...consensusState, blockHeight: height } },
    }
    const replies = {
      nodeNetwork: networkReply({}, { height: 289 }),
      blockAtHeight: notAtHeight,
      forkParentAtIndexer: parentAtIndexer(true),
      ...giving(ofOldChain),
    }
    expect(await runHeldUp(replies)).toMatchObject({ status: 200, body: { block: { canonical } } })
  })

  test('is canonical if it is the fork’s parent, and a 503 rather than a 404 if the indexer lacks that', async () => {
    const node = { nodeNetwork: networkReply({}, { height: 21, parent: stateHash }) }
    expect(await run({ ...orphan, ...node })).toMatchObject({ status: 200, body: { block: { canonical: true } } })
    expect(await run({ ...lacking({ blockHeight: 299 }), ...node })).toEqual(busy)
  })

  test('is a 404 if it is the parent that a first genesis block names, which never existed', async () => {
    const first = networkReply({}, { height: 1, parent: stateHash })
    expect(await run({ ...lacking({ blockHeight: 299 }), nodeNetwork: first })).toEqual(notFound)
  })
})

describe('epoch and slot of a block of an indexer', () => {
  const { consensusState } = indexed.protocolState
  /** A block whose epoch and slot were computed with the constants of another chain. */
  const blockOf = (genesisStateHash: string, slotSinceGenesis = 958_440 + 2 * 7140 + 11) => ({
    ...indexed,
    genesisStateHash,
    protocolState: {
      ...indexed.protocolState,
      consensusState: { ...consensusState, epoch: 55, slot: 1241, slotSinceGenesis },
    },
  })
  const clockOf = (slotsPerEpoch: number) => networkReply({ slotsPerEpoch }, { slot: 958_440 })
  const epochEndAt = { data: { blocks: [] } }
  const placeOf = async (replies: Replies) => {
    const { protocolState: shown } = Object(await run({ epochEndAt, ...replies })).body.block
    const { epoch, epochCount, slot, slotSinceGenesis } = shown.consensusState
    return { epoch, epochCount, slot, slotSinceGenesis }
  }

  test('count from the genesis block of the node’s chain', async () => {
    expect(await placeOf({ ...giving(blockOf('genesis')), nodeNetwork: clockOf(7140) })).toEqual({
      ...{ epoch: 2, epochCount: 2, slot: 11, slotSinceGenesis: 972_731 },
    })
  })

  test('count from the genesis block of another chain as the indexer has it', async () => {
    const [stateHash, nodeNetwork] = [parentHash, clockOf(100)]
    const genesisSlot = (slotSinceGenesis: number) => ({
      data: { block: { protocolState: { consensusState: { slotSinceGenesis } }, stateHash } },
    })
    const replies = { ...giving(blockOf(stateHash, 1234)), nodeNetwork, genesisSlot: genesisSlot(1000) }
    expect(await placeOf(replies)).toEqual({ epoch: 2, epochCount: 2, slot: 34, slotSinceGenesis: 1234 })
    for (const nothing of [{ data: { block: null } }, genesisSlot(1235)]) {
      expect(await run({ ...replies, genesisSlot: nothing })).toEqual(busy)
    }
  })

  test('are those of the indexer on the chains of mainnet that it knows', async () => {
    for (const genesis of [mainnetGenesis, berkeleyGenesis]) {
      expect(await placeOf(giving(blockOf(genesis)))).toMatchObject({ epoch: 55, slot: 1241 })
    }
  })

  test('add no round trip: the service asks the node for them while the indexer looks up the block', async () => {
    const tip = { blockHeight: 400, genesisStateHash: 'genesis' }
    const { receivedTime } = indexed
    const { context, asked } = asking({
      ...giving(blockOf('genesis')),
      ...{ nodeNetwork: clockOf(7140), epochEndAt },
      receivedTimeOf: { data: { block: { receivedTime, stateHash }, tip } },
    })
    await getBlock.run({ stateHash }, context)
    const names = asked.map(({ operation }) => operation)
    expect(names.slice(-3)).toEqual(['nodeNetwork', 'blockAtHeight', 'indexedBlock'])
  })

  test('are not guessed: a 503 if the node does not say how long an epoch is', async () => {
    expect(await run({ ...giving(blockOf('genesis')), nodeNetwork: networkReply(null) })).toEqual(busy)
  })
})

describe('the length of the staking epoch of a block after its chain’s first epoch', () => {
  const { protocolState } = indexed
  const { consensusState } = protocolState
  const nextEpochData = { ...consensusState.nextEpochData, epochLength: 7 }
  const oldBlock = {
    ...indexed,
    protocolState: {
      ...protocolState,
      consensusState: { ...consensusState, epoch: 2, blockHeight: 50, nextEpochData },
    },
  }
  const end = {
    blockHeight: 43,
    canonical: true,
    genesisStateHash: berkeleyGenesis,
    protocolState: { consensusState: { epoch: 1, nextEpochData: { epochLength: 20 } } },
  }
  const endingWith = (...blocks: readonly object[]) => ({ data: { blocks } })
  const lengthOf = async (epochEndAt: Replies[string], block: object = oldBlock) => {
    const { context, asked } = asking({ ...giving(block), epochEndAt })
    const { body, caching: kept } = await getBlock.run({ stateHash }, context)
    return {
      epochLength: Object(body).block.protocolState.consensusState.stakingEpochData.epochLength,
      isKept: kept !== caching?.incomplete,
      asked: asked.find(({ operation }) => operation === 'epochEndAt')?.variables,
    }
  }

  test.each<[string, object | WireError, object]>([
    ['comes from the last block before its own epoch', endingWith(end), { epochLength: 20, isKept: true }],
    ['is left out where the indexer does not have that block', endingWith(), { isKept: true }],
    [
      'is left out where the indexer has a block of the same epoch there',
      endingWith({ ...end, protocolState: oldBlock.protocolState }),
      { isKept: true },
    ],
    [
      'is left out where the indexer has a block of another chain there',
      endingWith({ ...end, genesisStateHash: mainnetGenesis }),
      { isKept: true },
    ],
    ['is left out for a moment where the indexer does not answer', late, { isKept: false }],
    [
      'is left out for a moment where the indexer answers with another height',
      endingWith({ ...end, blockHeight: 44 }),
      { isKept: false },
    ],
  ])('%s', async (_what, reply, expected) => {
    expect(await lengthOf(reply)).toEqual({ asked: { height: 43 }, ...expected })
  })

  test('is left out if the block is not canonical, since its ancestors need not be', async () => {
    expect(await lengthOf(endingWith(end), { ...oldBlock, canonical: false })).toEqual({ isKept: true })
  })
})
