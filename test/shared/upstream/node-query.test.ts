import { describe, expect, test } from '@jest/globals'
import {
  askingTip,
  nodeQuery,
  nodeQueryWithoutTip,
  nodeTipQuery,
  tipInUnread,
  tipOfReply,
} from '../../../shared/upstream/node-query.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { shape, text } from '../../../shared/upstream/wire.ts'

const block = (blockHeight: number, stateHash = `3N${blockHeight}`) => ({
  stateHash,
  protocolState: { blockchainState: { date: '1700000000000' }, consensusState: { blockHeight: String(blockHeight) } },
})
const genesisBlock = { stateHash: '3N0', protocolState: { consensusState: { blockchainLength: '1' } } }
const data = { bestChain: [block(6), block(7)], syncStatus: 'SYNCED', genesisBlock }
const tip = {
  height: 7,
  stateHash: '3N7',
  atMs: 1_700_000_000_000,
  syncStatus: 'SYNCED',
  genesisStateHash: '3N0',
}

describe('the tip of an answer', () => {
  test('is its tip, which a best chain lists last, how the node is connected, and its genesis', () => {
    expect(tipInUnread({ ...data, account: null })).toEqual(tip)
  })

  const dated = { blockchainState: { date: '9000000000000000' }, consensusState: { blockHeight: '7' } }
  test.each([
    ['no data', undefined],
    ['data that an error has emptied', null],
    ['text', 'data'],
    ['no best chain', { ...data, bestChain: null }],
    ['an empty best chain', { ...data, bestChain: [] }],
    ['no sync status', { ...data, syncStatus: undefined }],
    ['no genesis', { ...data, genesisBlock: undefined }],
    ['a sync status that no header can carry', { ...data, syncStatus: 'SYNCED\r\nx: y' }],
    ['a state hash that no header can carry', { ...data, bestChain: [block(7, 'a b')] }],
    ['a date that cannot be shown', { ...data, bestChain: [{ ...block(7), protocolState: dated }] }],
    ['a height below zero', { ...data, bestChain: [block(-7)] }],
  ])('does not exist for %s', (_what, broken) => {
    expect(tipInUnread(broken)).toBeUndefined()
  })
})

describe('a query for a node', () => {
  test('selects the tip', () => {
    expect(nodeTipQuery.document).toBe(
      'query nodeTip {bestChain(maxLength: 1){protocolState{blockchainState{date} consensusState{blockHeight}} stateHash} syncStatus genesisBlock{protocolState{consensusState{blockchainLength}} stateHash}}',
    )
  })

  test('refuses two tips for one', () => {
    expect(() => nodeQuery('x', '', {}).data.read(data, 'x')).toThrow('does not fit the question')
  })

  const blockQuery = nodeQueryWithoutTip('oneBlock', '', { block: shape({ creator: text }) })

  /** A node that answers the question for its tip, and the other one, so. */
  const answering =
    (shown: object, reply: object): QueryUpstream =>
    async ({ name }) => ({ status: 200, data: undefined, errors: [], ...(name === 'nodeTip' ? shown : reply) })
  const shownTip = { data: { ...data, bestChain: [block(7)] } }

  test('that an error empties has its tip asked before it, of the same node', async () => {
    const asked: string[] = []
    const node = answering(shownTip, { data: null, errors: ['not found'] })
    const reply = await askingTip((operation, variables, limits) => {
      asked.push(operation.name)
      return node(operation, variables, limits)
    }, false)(blockQuery, {})
    expect(reply).toEqual({ status: 200, data: null, errors: ['not found'], tip })
    expect(tipOfReply(reply)).toEqual(tip)
    expect(asked).toEqual(['nodeTip', 'oneBlock'])
  })

  test('of an address that others may share has its tip in the same document, and none beside an error', async () => {
    const asked: string[] = []
    const shared = (reply: object) =>
      askingTip((operation, variables, limits) => {
        asked.push(operation.document)
        return answering({}, reply)(operation, variables, limits)
      }, true)(blockQuery, {})
    const whole = { ...shownTip.data, block: { creator: 'B62' } }
    expect(await shared({ data: whole })).toEqual({ status: 200, data: whole, errors: [], tip })
    expect(await shared({ data: null, errors: ['not found'] })).toEqual({
      status: 200,
      data: null,
      errors: ['not found'],
    })
    expect(asked).toEqual([blockQuery.withTip?.document, blockQuery.withTip?.document])
    await expect(shared({ data: { ...whole, bestChain: [] } })).rejects.toMatchObject({ fault: 'busy' })
  })

  test.each([
    ['shows no tip', { data: { ...data, bestChain: [] } }],
    [
      'refuses its tip',
      { data: { bestChain: null }, errors: ['Could not obtain best chain from transition frontier'] },
    ],
    ['fails at its tip beside whole data', { data: shownTip.data, errors: ['Daemon is bootstrapping'] }],
  ])('fails where its node %s, so that no answer goes unjudged', async (_what, tipReply) => {
    const query = answering(tipReply, { data: { block: { creator: 'B62' } } })
    await expect(askingTip(query, false)(blockQuery, {})).rejects.toMatchObject({ fault: 'busy' })
  })
})
