import { describe, expect, test } from '@jest/globals'
import { labelOf } from '../../../shared/upstream/node-label.ts'
import { labelling, nodeQuery, nodeTipQuery, unlabelledNodeQuery } from '../../../shared/upstream/node-query.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { labelOfReply } from '../../../shared/upstream/reply.ts'
import { shape, text } from '../../../shared/upstream/wire.ts'

const block = (blockHeight: number, stateHash = `3N${blockHeight}`) => ({
  stateHash,
  protocolState: { blockchainState: { date: '1700000000000' }, consensusState: { blockHeight: String(blockHeight) } },
})
const genesisBlock = { stateHash: '3N0', protocolState: { consensusState: { blockchainLength: '1' } } }
const data = { bestChain: [block(6), block(7)], syncStatus: 'SYNCED', genesisBlock }
const label = {
  height: 7,
  stateHash: '3N7',
  atMs: 1_700_000_000_000,
  syncStatus: 'SYNCED',
  genesisStateHash: '3N0',
}

describe('the label of an answer', () => {
  test('is its tip, which a best chain lists last, how the node is connected, and its genesis', () => {
    expect(labelOf({ ...data, account: null })).toEqual(label)
  })

  test.each([
    ['nothing', undefined],
    ['null, as an error leaves it', null],
    ['text', 'data'],
    ['no best chain', { ...data, bestChain: null }],
    ['an empty best chain', { ...data, bestChain: [] }],
    ['no sync status', { ...data, syncStatus: undefined }],
    ['no genesis', { ...data, genesisBlock: undefined }],
    ['a sync status that no header can carry', { ...data, syncStatus: 'SYNCED\r\nx: y' }],
    ['a state hash that no header can carry', { ...data, bestChain: [block(7, 'a b')] }],
    [
      'a date that cannot be shown',
      {
        ...data,
        bestChain: [
          {
            ...block(7),
            protocolState: { blockchainState: { date: '9000000000000000' }, consensusState: { blockHeight: '7' } },
          },
        ],
      },
    ],
    ['a height below zero', { ...data, bestChain: [block(-7)] }],
  ])('does not exist for %s', (_what, broken) => {
    expect(labelOf(broken)).toBeUndefined()
  })
})

describe('a query for a node', () => {
  test('selects the label', () => {
    expect(nodeTipQuery.document).toBe(
      'query nodeTip {bestChain(maxLength: 1){protocolState{blockchainState{date} consensusState{blockHeight}} stateHash} syncStatus genesisBlock{protocolState{consensusState{blockchainLength}} stateHash}}',
    )
  })

  test('refuses two tips for one', () => {
    expect(() => nodeQuery('x', '', {}).data.read(data, 'x')).toThrow('does not fit the question')
  })

  const blockQuery = unlabelledNodeQuery('oneBlock', '', { block: shape({ creator: text }) })

  test('that an error empties has its label asked beside it, of the same node', async () => {
    const asked: string[] = []
    const query: QueryUpstream = async ({ name }) => {
      asked.push(name)
      return name === 'nodeTip'
        ? { status: 200, data: { ...data, bestChain: [block(7)] }, errors: [] }
        : { status: 200, data: null, errors: ['not found'] }
    }
    const reply = await labelling(query)(blockQuery, {})
    expect(reply).toEqual({ status: 200, data: null, errors: ['not found'], label })
    expect(labelOfReply(reply)).toEqual(label)
    expect(asked).toEqual(['nodeTip', 'oneBlock'])
  })

  test('fails where its node shows no tip', async () => {
    const query: QueryUpstream = async () => ({ status: 200, data: { ...data, bestChain: [] }, errors: [] })
    await expect(labelling(query)(blockQuery, {})).rejects.toMatchObject({ fault: 'busy' })
  })

  test('fails when its label does, so that no answer goes unjudged', async () => {
    const query: QueryUpstream = async ({ name }) =>
      name === 'nodeTip'
        ? { status: 200, data: { bestChain: null }, errors: ['Could not obtain best chain from transition frontier'] }
        : { status: 200, data: { block: { creator: 'B62' } }, errors: [] }
    await expect(labelling(query)(blockQuery, {})).rejects.toMatchObject({ fault: 'busy' })
  })
})
