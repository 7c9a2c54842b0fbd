import { describe, expect, test } from '@jest/globals'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import { blockWire, childWire, stateHash } from '../mapping/node-wire.ts'
import { answering, asRead, recordingQuestions } from './asking.ts'
import { down, troubles } from './indexer-troubles.ts'

const receivedTime = '2021-03-17T00:03:40.591Z'
const receivedAt = Date.parse(receivedTime)
const tipWire = childWire(blockWire, 'tip')
/** The input of a request without further options. */
const latestTwo = { limit: 2 }
const mapped = (wire: object, received?: number) => blockFromNode(nodeBlock.read(wire, 'block'), true, received).block

describe('GET /blocks with an indexer', () => {
  const bestChain = [blockWire, tipWire]
  const asking = (receivedTimesBetween: Partial<Reply> | Error) =>
    recordingQuestions(answering({ latestBlocks: { data: { bestChain } }, receivedTimesBetween }))
  const run = async (reply: Partial<Reply> | Error) => asRead(await getBlocks.run(latestTwo, asking(reply).context))

  test('matches the received times by state hash, whatever their order and number', async () => {
    const blocks = [
      { stateHash, receivedTime },
      { stateHash: 'another', receivedTime: '2020-01-01T00:00:00Z' },
      { stateHash: 'tip', receivedTime: '2021-03-17T00:06:00Z' },
    ]
    const { context, asked } = asking({ data: { blocks } })
    expect(asRead(await getBlocks.run(latestTwo, context))).toEqual({
      status: 200,
      body: { blocks: [mapped(tipWire, Date.UTC(2021, 2, 17, 0, 6)), mapped(blockWire, receivedAt)] },
      caching: getBlocks.caching[200]?.complete,
      version: ['node and indexer', '2', 'tip'],
    })
    expect(asked[1]).toEqual({ operation: 'receivedTimesBetween', variables: { lowest: 2, highest: 3, limit: 40 } })
  })

  test('names the field when the indexer lacks a block', async () => {
    const answer = await run({ data: { blocks: [{ stateHash, receivedTime }] } })
    expect(answer).toMatchObject({
      body: { blocks: [{ stateHash: 'tip' }, { stateHash, receivedTime }] },
      caching: getBlocks.caching[200]?.incomplete,
      headers: { 'x-missing-fields': 'receivedTime' },
      note: 'the indexer does not have every block',
    })
  })

  test.each(troubles)('has no received times when the indexer %s', async (_does, reply) => {
    const answer = await run(reply)
    expect(answer).toMatchObject({
      status: 200,
      caching: getBlocks.caching[200]?.incomplete,
      headers: { 'x-missing-fields': 'receivedTime' },
    })
    expect(answer.body).toEqual({ blocks: [mapped(tipWire), mapped(blockWire)] })
    expect(answer.note).toEqual(expect.any(String))
  })

  test('fails when the node does, whatever the indexer knows', async () => {
    const context = answering({ latestBlocks: down, receivedTimesBetween: { data: { blocks: [] } } })
    await expect(getBlocks.run(latestTwo, context)).rejects.toBe(down)
  })
})
