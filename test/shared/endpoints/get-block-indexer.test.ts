import { describe, expect, test } from '@jest/globals'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { blockFromIndexer, indexerBlock } from '../../../shared/indexer/indexer-block.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { berkeleyGenesis, indexerBlockWire, mainnetGenesis } from '../indexer/indexer-wire.ts'
import { blockWire, labelAt, parentHash, stateHash, tipReplyAt } from '../mapping/node-wire.ts'
import { answering, recordingQuestions } from './asking.ts'
import { troubles } from './indexer-troubles.ts'

const receivedTime = '2021-03-17T00:03:40.591Z'
const receivedAt = Date.parse(receivedTime)
const mapped = (received?: number) => blockFromNode(nodeBlock.read(blockWire, 'block'), true, received)

describe('GET /blocks/{state_hash} with an indexer', () => {
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
  const receivedTimeOf = { data: { block: { receivedTime, stateHash }, tip: { blockHeight: 300 } } }
  const tip = { blockHeight: 300, genesisStateHash: berkeleyGenesis }
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

  test.each([...troubles, ['does not have the block', { data: { block: null, tip: { blockHeight: 300 } } }] as const])(
    'goes out without received time when the indexer %s',
    async (_does, reply) => {
      const answer = await getBlock.run({ stateHash }, answering({ blockByStateHash: held, receivedTimeOf: reply }))
      expect(answer).toMatchObject({
        status: 200,
        caching: getBlock.caching[200]?.incomplete,
        headers: { 'x-missing-fields': 'receivedTime' },
      })
      expect(answer.body).toEqual({ block: mapped() })
    },
  )

  test('below the frontier comes from the indexer, with its own canonical', async () => {
    const wire = { ...indexerBlockWire, stateHash, canonical: false }
    const context = answering({
      blockByStateHash: notHeld,
      receivedTimeOf,
      nodeGenesis,
      indexedBlock: { data: { block: wire, tip } },
    })
    expect(await getBlock.run({ stateHash }, context)).toEqual({
      status: 200,
      body: { block: blockFromIndexer(indexerBlock.read(wire, 'block')) },
      caching: getBlock.caching[200]?.final,
      basis: ['indexer', stateHash, 'false'],
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

  test('that neither has is not found, after one question to each', async () => {
    const { context, asked } = recordingQuestions(
      answering({ blockByStateHash: notHeld, receivedTimeOf: { data: { block: null, tip: { blockHeight: 300 } } } }),
    )
    expect(await getBlock.run({ stateHash }, context)).toEqual(notFound)
    expect(asked.map(({ operation }) => operation)).toEqual(['blockByStateHash', 'receivedTimeOf'])
  })

  test.each(troubles)(
    'that the node does not hold is nobody knows, not found never, when the indexer %s',
    async (_does, reply) => {
      const first = answering({ blockByStateHash: notHeld, receivedTimeOf: reply })
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
  ])('that the node does not hold is nobody knows when the indexer %s', async (_does, first, second) => {
    const context = answering({
      blockByStateHash: notHeld,
      receivedTimeOf: { data: first },
      nodeGenesis,
      indexedBlock: { data: second },
    })
    await expect(getBlock.run({ stateHash }, context)).rejects.toMatchObject({ fault: 'busy' })
  })

  test('from an indexer on another chain is not found', async () => {
    const elsewhere = { ...tip, genesisStateHash: mainnetGenesis }
    const context = answering({
      blockByStateHash: notHeld,
      receivedTimeOf,
      nodeGenesis,
      indexedBlock: { data: { block: { ...indexerBlockWire, stateHash }, tip: elsewhere } },
    })
    const answer = await getBlock.run({ stateHash }, context)
    expect(answer).toEqual({ ...notFound, note: `the indexer is on another chain, of genesis ${mainnetGenesis}` })
  })

  test('that is another than the asked-for one is not given', async () => {
    const other = { ...indexerBlockWire, stateHash: parentHash }
    const context = answering({
      blockByStateHash: notHeld,
      receivedTimeOf,
      nodeGenesis,
      indexedBlock: { data: { block: other, tip } },
    })
    await expect(getBlock.run({ stateHash }, context)).rejects.toMatchObject({ fault: 'mismatched' })
  })

  test('whose received time is another block’s goes out without it', async () => {
    const other = { data: { block: { receivedTime, stateHash: parentHash }, tip: { blockHeight: 300 } } }
    const answer = await getBlock.run({ stateHash }, answering({ blockByStateHash: held, receivedTimeOf: other }))
    expect(answer).toMatchObject({
      status: 200,
      caching: getBlock.caching[200]?.incomplete,
      headers: { 'x-missing-fields': 'receivedTime' },
    })
    expect(answer.body).toEqual({ block: mapped() })
  })
})
