import { describe, expect, test } from '@jest/globals'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { blockWire, childWire } from '../mapping/node-wire.ts'
import { asRead, recording, replying } from './asking.ts'

const older = { ...blockWire, stateHash: 'older' }
const newer = childWire(older, 'newer')
const mapped = (wire: object) => blockFromNode(nodeBlock.read(wire, 'block'), true).block
const latest = (limit: number) => ({ limit })

describe('GET /blocks', () => {
  test('lists the best chain newest first, all canonical, after one round trip', async () => {
    const { context, asked } = recording({ data: { bestChain: [older, newer] } })
    expect(asRead(await getBlocks.run(latest(2), context))).toEqual({
      status: 200,
      body: { blocks: [mapped(newer), mapped(older)] },
      caching: getBlocks.caching[200]?.complete,
      version: ['node', '2', 'newer'],
    })
    expect(asked).toEqual([{ operation: 'latestBlocks', variables: { maxLength: 2 } }])
  })

  test.each([
    [{}, { limit: 1 }],
    [{ limit: '7' }, { limit: 7 }],
  ])('the options %j ask for %j', (options, input) => {
    expect(getBlocks.query?.read(options, getBlocks.path)).toEqual({ values: input, faults: [] })
  })

  test.each([
    ['no block', { data: { bestChain: [] } }, 'busy'],
    ['null', { data: { bestChain: null } }, 'busy'],
    [
      'a bootstrapping node',
      { data: { bestChain: null }, errors: ['Could not obtain best chain from transition frontier'] },
      'busy',
    ],
    ['errors beside data', { data: { bestChain: [newer] }, errors: ['Internal error'] }, 'unreadable'],
    ['no data', { data: null }, 'unreadable'],
    ['no GraphQL', { status: 502 }, 'unreadable'],
    ['too many requests', { status: 429 }, 'busy'],
    ['a closed service', { status: 503 }, 'busy'],
    ['a list without the key', { data: {} }, 'unreadable'],
    ['more blocks than asked for', { data: { bestChain: [older, newer] } }, 'mismatched'],
    ['a block without its hash', { data: { bestChain: [{ ...newer, stateHash: null }] } }, 'unreadable'],
  ] as const)('is upstream trouble, not an empty list, for %s', async (_what, reply, fault) => {
    await expect(getBlocks.run(latest(1), replying(reply))).rejects.toMatchObject({ name: WireError.name, fault })
  })

  const newest = childWire(newer, 'newest')
  const { protocolState } = newer
  const higher = { ...protocolState, consensusState: { ...protocolState.consensusState, blockHeight: '9' } }
  test.each([
    ['a duplicated', [older, older]],
    ['a reversed', [newer, older]],
    ['a gapped', [older, newest]],
    ['a wrongly numbered', [older, { ...newer, protocolState: higher }]],
    ['a forked', [older, { ...newer, protocolState: { ...protocolState, previousStateHash: 'another' } }]],
  ])('%s chain is upstream trouble', async (_what, bestChain) => {
    await expect(getBlocks.run(latest(3), replying({ data: { bestChain } }))).rejects.toMatchObject({
      fault: 'mismatched',
    })
  })

  test('a chain shorter than the limit is all that the node holds', async () => {
    const answer = asRead(await getBlocks.run(latest(10), replying({ data: { bestChain: [older, newer, newest] } })))
    expect(answer.body).toEqual({ blocks: [mapped(newest), mapped(newer), mapped(older)] })
  })
})
