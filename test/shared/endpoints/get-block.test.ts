import { describe, expect, test } from '@jest/globals'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { blockWire, parentHash, stateHash } from '../mapping/node-wire.ts'
import { recording, replying } from './asking.ts'

const notFound = {
  status: 404,
  body: { message: 'No blocks found for that state hash.' },
  caching: getBlock.caching[404]?.missing,
}
const tipAt = (blockHeight: number) => [{ protocolState: { consensusState: { blockHeight: String(blockHeight) } } }]
const data = (best: readonly string[], tipHeight: number) => ({
  block: blockWire,
  bestChain: best.map((hash) => ({ stateHash: hash })),
  tip: tipAt(tipHeight),
})
const mapped = (canonical: boolean) => ({ block: blockFromNode(nodeBlock.read(blockWire, 'block'), canonical) })

const notHeld = (hash: string) => `Block with state hash ${hash} not found in transition frontier`

describe('GET /blocks/{state_hash}', () => {
  test('on the best chain is canonical, in one round trip', async () => {
    const { context, asked } = recording({ data: data([parentHash, stateHash], 2) })
    expect(await getBlock.run({ stateHash }, context)).toEqual({
      status: 200,
      body: mapped(true),
      caching: getBlock.caching[200]?.recent,
    })
    expect(asked).toEqual([{ operation: 'blockByStateHash', variables: { stateHash } }])
  })

  test('beside the best chain is not canonical', async () => {
    const answer = await getBlock.run({ stateHash }, replying({ data: data([parentHash], 2) }))
    expect(answer).toEqual({ status: 200, body: mapped(false), caching: getBlock.caching[200]?.recent })
  })

  test.each([
    [11, 'recent'],
    [12, 'settled'],
  ])('block 2 under a tip at %d is cached as a %s one', async (tipHeight, kind) => {
    const answer = await getBlock.run({ stateHash }, replying({ data: data([stateHash], tipHeight) }))
    expect(answer).toEqual({ status: 200, body: mapped(true), caching: getBlock.caching[200]?.[kind] })
  })

  test.each([notHeld(stateHash), `Could not find block with hash: \`${stateHash}\` in transition frontier`])(
    'that the node does not hold is not found: %s',
    async (message) => {
      expect(await getBlock.run({ stateHash }, replying({ data: null, errors: [message] }))).toEqual(notFound)
    },
  )

  test.each(['', 'abc', `${stateHash}1`, stateHash.toLowerCase(), 'a/b', '\0', '"}){block', 'x'.repeat(10_000)])(
    'that cannot exist is not found, and no upstream is asked',
    async (impossible) => {
      const { context, asked } = recording({})
      expect(await getBlock.run({ stateHash: impossible }, context)).toEqual(notFound)
      expect(asked).toEqual([])
    },
  )

  test.each([
    ['a bootstrapping node', { data: null, errors: ['Could not obtain transition frontier'] }, 'busy'],
    ['no best chain', { data: { ...data([], 2), bestChain: null } }, 'busy'],
    ['words nobody foresaw', { data: null, errors: ['Error decoding state hash'] }, 'unreadable'],
    ['HTML', { status: 200 }, 'unreadable'],
    ['a list of the best chain left out', { data: { block: blockWire, tip: tipAt(2) } }, 'unreadable'],
    [
      'another block',
      { data: { ...data([stateHash], 2), block: { ...blockWire, stateHash: parentHash } } },
      'mismatched',
    ],
    ['not-found words about another block', { data: null, errors: [notHeld(parentHash)] }, 'unreadable'],
    ['not-found words beside the block', { data: data([stateHash], 2), errors: [notHeld(stateHash)] }, 'unreadable'],
    ['not-found words beside others', { data: null, errors: [notHeld(stateHash), 'Internal error'] }, 'unreadable'],
  ] as const)('with %s is upstream trouble', async (_what, reply, fault) => {
    await expect(getBlock.run({ stateHash }, replying(reply))).rejects.toMatchObject({ fault })
  })

  test('takes the hash from the path', () => {
    expect(getBlock.input({ path: { state_hash: stateHash }, query: {}, body: undefined })).toEqual({ stateHash })
  })
})
