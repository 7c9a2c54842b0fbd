import { describe, expect, test } from '@jest/globals'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { blockFromIndexer, indexerBlock } from '../../../shared/indexer/indexer-block.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { memberOf } from '../../../shared/mapping/json.ts'
import type { WireError } from '../../../shared/upstream/errors.ts'
import { berkeleyGenesis, indexerBlockWire, mainnetGenesis } from '../indexer/indexer-wire.ts'
import { blockWire, labelAt, parentHash, stateHash, tipReplyAt } from '../mapping/node-wire.ts'
import { answering as answeringAtOnce, contextOf, queryOf, recordingQuestions } from './asking.ts'
import { late, troubles } from './indexer-troubles.ts'

const receivedTime = '2021-03-17T00:03:40.591Z'
const receivedAt = Date.parse(receivedTime)
const mapped = (received?: number) => blockFromNode(nodeBlock.read(blockWire, 'block'), true, received)

/** Node and indexer that answer sooner than any pause ends. */
const answering: typeof answeringAtOnce = (replies) =>
  contextOf(queryOf(answeringAtOnce(replies)), {
    indexer: true,
    clock: { now: Date.now, after: () => () => undefined },
  })

describe('a block at GET /blocks/{state_hash} with an indexer', () => {
  const held = { data: { block: blockWire }, label: labelAt(2) }
  const notHeld = {
    data: null,
    errors: [`Block with state hash ${stateHash} not found in transition frontier`],
    label: labelAt(300, parentHash),
  }
  const nodeGenesisAt = (tipHeight: number, consensusConfiguration: { readonly k: number } | null) => ({
    data: {
      ...tipReplyAt(tipHeight).data,
      daemonStatus: { consensusConfiguration },
      genesisBlock: { stateHash: berkeleyGenesis },
    },
  })
  const nodeGenesis = nodeGenesisAt(300, { k: 290 })
  const tip = { blockHeight: 300, genesisStateHash: berkeleyGenesis }
  const receivedTimeOf = { data: { block: { receivedTime, stateHash }, tip } }
  const notFound = {
    status: 404,
    body: { message: 'No blocks found for that state hash.' },
    caching: getBlock.caching[404]?.missing,
  }

  test('has its received time', async () => {
    const answer = await getBlock.run({ stateHash }, answering({ blockByStateHash: held, receivedTimeOf }))
    expect(answer).toEqual({
      status: 200,
      body: { block: mapped(receivedAt) },
      caching: getBlock.caching[200]?.recent,
      basis: ['node and indexer', stateHash, 'true'],
    })
  })

  test.each([
    ...troubles,
    ['does not have the block', { data: { block: null, tip } }] as const,
    ['names another block', { data: { block: { receivedTime, stateHash: parentHash }, tip } }] as const,
  ])('goes out without received time when the indexer %s', async (_does, reply) => {
    const answer = await getBlock.run({ stateHash }, answering({ blockByStateHash: held, receivedTimeOf: reply }))
    expect(answer).toMatchObject({
      status: 200,
      caching: getBlock.caching[200]?.incomplete,
      headers: { 'x-missing-fields': 'receivedTime' },
    })
    expect(answer.body).toEqual({ block: mapped() })
  })

  test('below the frontier comes from the indexer, with its own canonical', async () => {
    const wire = { ...indexerBlockWire, stateHash, canonical: false }
    const context = answering({
      blockByStateHash: notHeld,
      receivedTimeOf,
      nodeGenesis,
      indexedBlock: { data: { block: wire, tip } },
    })
    const snarkedLedgerHash = 'protocolState.blockchainState.snarkedLedgerHash'
    expect(await getBlock.run({ stateHash }, context)).toEqual({
      status: 200,
      body: { block: blockFromIndexer(indexerBlock.read(wire, 'block'), 1) },
      caching: getBlock.caching[200]?.final,
      basis: ['indexer', stateHash, 'false', snarkedLedgerHash],
      headers: { 'x-missing-fields': snarkedLedgerHash },
    })
  })

  test.each([
    ['final', 'k below both tips', { k: 298 }, 300, 300],
    ['deep', 'less than k below both tips', { k: 299 }, 300, 300],
    ['deep', 'k below the indexer’s tip alone', { k: 298 }, 299, 300],
    ['recent', 'k below the node’s tip alone', { k: 10 }, 300, 11],
    ['deep', 'of any depth, from a node that does not say k', null, 300, 300],
  ])('below the frontier is kept as %s when it is %s', async (kind, _depth, configuration, nodeTip, indexerTip) => {
    const block = { ...indexerBlockWire, stateHash }
    const context = answering({
      blockByStateHash: notHeld,
      receivedTimeOf,
      nodeGenesis: nodeGenesisAt(nodeTip, configuration),
      indexedBlock: { data: { block, tip: { ...tip, blockHeight: indexerTip } } },
    })
    expect((await getBlock.run({ stateHash }, context)).caching).toBe(getBlock.caching[200]?.[kind])
  })

  test('that neither holds is not found, after three questions to the node and one to the indexer', async () => {
    const { context, asked } = recordingQuestions(
      answering({ blockByStateHash: notHeld, receivedTimeOf: { data: { block: null, tip } } }),
    )
    expect(await getBlock.run({ stateHash }, context)).toEqual(notFound)
    expect(asked.map(({ operation }) => operation)).toEqual([
      'receivedTimeOf',
      'blockByStateHash',
      'blockByStateHash',
      'blockByStateHash',
    ])
  })

  test.each([
    ['undecided', 'behind by more than the network’s k', 9, { k: 290 }],
    ['undecided', 'behind, of a node that does not say k', 289, null],
    ['not found', 'behind by k, so that the node holds all that it lacks', 10, { k: 290 }],
    ['not found', 'ahead of the node', 400, { k: 290 }],
  ])('is %s when the indexer does not have it and is %s', async (outcome, _where, blockHeight, configuration) => {
    const lacking = answering({
      blockByStateHash: notHeld,
      receivedTimeOf: { data: { block: null, tip: { ...tip, blockHeight } } },
      nodeGenesis: nodeGenesisAt(300, configuration),
    })
    const answered = getBlock.run({ stateHash }, lacking).then(
      (answer) => (answer.status === 404 ? 'not found' : answer),
      ({ fault }: WireError) => (fault === 'busy' ? 'undecided' : fault),
    )
    expect(await answered).toBe(outcome)
  })

  test('is a 503 where it lies above the indexer’s tip, under which its canonical means nothing', async () => {
    const indexerAt = (blockHeight: number) =>
      answering({
        blockByStateHash: notHeld,
        receivedTimeOf,
        nodeGenesis,
        indexedBlock: {
          data: { block: { ...indexerBlockWire, stateHash, canonical: false }, tip: { ...tip, blockHeight } },
        },
      })
    await expect(getBlock.run({ stateHash }, indexerAt(1))).rejects.toMatchObject({ fault: 'busy' })
    expect(await getBlock.run({ stateHash }, indexerAt(2))).toMatchObject({ body: { block: { canonical: false } } })
  })

  test('comes from the indexer where only the question for its received time was held up', async () => {
    const context = answeringAtOnce({
      blockByStateHash: notHeld,
      receivedTimeOf: new Promise(() => undefined),
      nodeGenesis,
      indexedBlock: { data: { block: { ...indexerBlockWire, stateHash }, tip } },
    })
    expect(await getBlock.run({ stateHash }, context)).toMatchObject({ status: 200 })
  })

  describe('after its chain’s first epoch', () => {
    const { protocolState } = indexerBlockWire
    const { consensusState } = protocolState
    const oldBlock = {
      ...indexerBlockWire,
      stateHash,
      protocolState: {
        ...protocolState,
        consensusState: {
          ...consensusState,
          epoch: 2,
          blockHeight: 50,
          nextEpochData: { ...consensusState.nextEpochData, epochLength: 7 },
        },
      },
    }
    const end = {
      blockHeight: 43,
      canonical: true,
      genesisStateHash: berkeleyGenesis,
      protocolState: { consensusState: { epoch: 1, nextEpochData: { epochLength: 20 } } },
    }
    const lengthOf = async (epochEndAt: Parameters<typeof answering>[0][string], block: object = oldBlock) => {
      const { context, asked } = recordingQuestions(
        answering({
          blockByStateHash: notHeld,
          receivedTimeOf,
          nodeGenesis,
          indexedBlock: { data: { block, tip } },
          epochEndAt,
        }),
      )
      const answer = await getBlock.run({ stateHash }, context)
      const shown = memberOf(
        memberOf(memberOf(memberOf(answer.body, 'block'), 'protocolState'), 'consensusState'),
        'stakingEpochData',
      )
      const isKept = answer.caching !== getBlock.caching[200]?.incomplete
      return {
        epochLength: memberOf(shown, 'epochLength'),
        isKept,
        asked: asked.find(({ operation }) => operation === 'epochEndAt')?.variables,
      }
    }

    test('has the length of the staking epoch from the last block before its own epoch', async () => {
      const kept = { epochLength: 20, isKept: true, asked: { height: 43 } }
      expect(await lengthOf({ data: { blocks: [end] } })).toEqual(kept)
    })

    test.each([
      ['does not have that block', []],
      ['has one of the same epoch there', [{ ...end, protocolState: oldBlock.protocolState }]],
      ['has one of another chain there', [{ ...end, genesisStateHash: mainnetGenesis }]],
    ])('has no length of the staking epoch, for as long as it is kept, when the indexer %s', async (_what, blocks) => {
      expect(await lengthOf({ data: { blocks } })).toEqual({
        epochLength: undefined,
        isKept: true,
        asked: { height: 43 },
      })
    })

    test('has no length of the staking epoch for a moment when the indexer does not answer', async () => {
      expect(await lengthOf(late)).toEqual({ epochLength: undefined, isKept: false, asked: { height: 43 } })
      const elsewhere = { data: { blocks: [{ ...end, blockHeight: 44 }] } }
      expect(await lengthOf(elsewhere)).toEqual({ epochLength: undefined, isKept: false, asked: { height: 43 } })
    })

    test('has no length of the staking epoch where it is not canonical, since its ancestors need not be', async () => {
      const fork = { ...oldBlock, canonical: false }
      expect(await lengthOf({ data: { blocks: [end] } }, fork)).toEqual({
        epochLength: undefined,
        isKept: true,
        asked: undefined,
      })
    })
  })

  test.each(troubles)(
    'is a 503, never a 404, where the node does not hold it and the indexer %s',
    async (_does, reply) => {
      const first = answering({ blockByStateHash: notHeld, receivedTimeOf: reply, nodeGenesis, indexedBlock: reply })
      await expect(getBlock.run({ stateHash }, first)).rejects.toMatchObject({ fault: 'busy' })
      const second = answering({ blockByStateHash: notHeld, receivedTimeOf, nodeGenesis, indexedBlock: reply })
      await expect(getBlock.run({ stateHash }, second)).rejects.toMatchObject({ fault: 'busy' })
    },
  )

  test.each([
    ['has no block yet', { block: null, tip: null }, {}],
    ['hands it over without a tip', receivedTimeOf.data, { block: { ...indexerBlockWire, stateHash }, tip: null }],
    ['forgets block and tip between two questions', receivedTimeOf.data, { block: null, tip: null }],
    ['leaves the block out of its answer', { tip: receivedTimeOf.data.tip }, {}],
    ['leaves the old block out of its answer', receivedTimeOf.data, { tip }],
    [
      'hands it over with an unreadable VRF output',
      receivedTimeOf.data,
      {
        block: {
          ...indexerBlockWire,
          stateHash,
          protocolState: {
            ...indexerBlockWire.protocolState,
            consensusState: { ...indexerBlockWire.protocolState.consensusState, lastVrfOutput: 'AAAA' },
          },
        },
        tip,
      },
    ],
  ])('is a 503 where the node does not hold it and the indexer %s', async (_does, first, second) => {
    const context = answering({
      blockByStateHash: notHeld,
      receivedTimeOf: { data: first },
      nodeGenesis,
      indexedBlock: { data: second },
    })
    await expect(getBlock.run({ stateHash }, context)).rejects.toMatchObject({ fault: 'busy' })
  })

  test('is a 503, never a 404, where the indexer is on another chain', async () => {
    const elsewhere = { ...tip, genesisStateHash: mainnetGenesis }
    const message = `not in the frontier; the indexer is on another chain, of genesis ${mainnetGenesis}`
    const context = answering({
      blockByStateHash: notHeld,
      receivedTimeOf,
      nodeGenesis,
      indexedBlock: { data: { block: { ...indexerBlockWire, stateHash }, tip: elsewhere } },
    })
    await expect(getBlock.run({ stateHash }, context)).rejects.toMatchObject({ fault: 'busy', message })
    const lacking = answering({
      blockByStateHash: notHeld,
      receivedTimeOf: { data: { block: null, tip: { ...elsewhere, blockHeight: 100 } } },
      nodeGenesis,
    })
    await expect(getBlock.run({ stateHash }, lacking)).rejects.toMatchObject({ fault: 'busy', message })
  })

  test('is a 502 where the indexer hands over another block', async () => {
    const other = { ...indexerBlockWire, stateHash: parentHash }
    const context = answering({
      blockByStateHash: notHeld,
      receivedTimeOf,
      nodeGenesis,
      indexedBlock: { data: { block: other, tip } },
    })
    await expect(getBlock.run({ stateHash }, context)).rejects.toMatchObject({ fault: 'mismatched' })
  })
})
