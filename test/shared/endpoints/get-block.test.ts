import { describe, expect, test } from '@jest/globals'
import { getBlock } from '../../../shared/endpoints/get-block.ts'
import { blockFromNode, nodeBlock } from '../../../shared/mapping/block.ts'
import { cut } from '../broadcast/broadcast-run.ts'
import { blockWire, nodeTipAt, parentHash, stateHash, tipReplyAt } from '../mapping/node-wire.ts'
import { contextOf, recording, recordingQuestions, replying, scripted } from './asking.ts'

const notFound = {
  status: 404,
  body: { message: 'No blocks found for that state hash.' },
  caching: getBlock.caching[404]?.missing,
}
const mapped = (canonical: boolean) => ({ block: blockFromNode(nodeBlock.read(blockWire, 'block'), canonical).block })

const tip = nodeTipAt(2)
const notHeld = (hash: string) => `Block with state hash ${hash} not found in transition frontier`

describe('a block at GET /blocks/{state_hash}', () => {
  const answer = (canonical: boolean, kind = 'recent') => ({
    status: 200,
    body: mapped(canonical),
    caching: getBlock.caching[200]?.[kind],
    version: ['node', stateHash, String(canonical)],
    tip: expect.objectContaining({ height: expect.any(Number) }),
  })
  const other = parentHash
  const heldAt = (height: number, tipHash = other) => ({ data: { block: blockWire }, tip: nodeTipAt(height, tipHash) })
  /** The best chain's block at height 3, by its parent. */
  const childOf = (parent: string, tipHeight = 3) => ({
    data: {
      ...tipReplyAt(tipHeight, other).data,
      block: { protocolState: { consensusState: { blockHeight: '3' }, previousStateHash: parent } },
    },
  })
  const noneAt = (height: number) => ({
    data: null,
    errors: [`Could not find block in transition frontier with height ${height}`],
  })
  const run = async (replies: Parameters<typeof scripted>[0]) => {
    const { context, asked } = recordingQuestions(contextOf(scripted(replies)))
    const given = await getBlock.run({ stateHash }, context).catch((error: unknown) => error)
    return { given, asked: asked.map(({ operation, variables }) => [operation, variables]) }
  }
  const lookUp = ['blockByStateHash', { stateHash }]
  const childQuestion = ['blockAtHeight', { height: 3 }]

  const tipQuestion = ['nodeTip', {}]
  const tips = (...heights: readonly number[]) => heights.map((height) => tipReplyAt(height, other))
  const tipped = (height: number, tipHash?: string) => ({ blockByStateHash: [heldAt(height, tipHash)] })
  const [itself, another] = [childOf(stateHash), childOf(other)]

  test.each<[string, Parameters<typeof scripted>[0], boolean, readonly unknown[]]>([
    ['canonical as the tip', tipped(2, stateHash), true, []],
    ['a fork beside another tip of its height', tipped(2), false, []],
    ['canonical as parent of the next block', { ...tipped(3), blockAtHeight: [itself] }, true, [childQuestion]],
    ['a fork beside the parent of the next block', { ...tipped(3), blockAtHeight: [another] }, false, [childQuestion]],
    ['canonical as the next tip', { ...tipped(1), nodeTip: [tipReplyAt(2, stateHash)] }, true, [tipQuestion]],
    [
      'canonical as parent of the next tip',
      { ...tipped(1), nodeTip: tips(3), blockAtHeight: [itself] },
      true,
      [tipQuestion, childQuestion],
    ],
    [
      'canonical once the daemon has the next height',
      { ...tipped(3), blockAtHeight: [noneAt(3), noneAt(3), itself] },
      true,
      [childQuestion, childQuestion, childQuestion],
    ],
  ])('is %s', async (_what, replies, canonical, questions) => {
    expect(await run(replies)).toEqual({ given: answer(canonical), asked: [lookUp, ...questions] })
  })

  test.each([
    ['above every tip', { ...tipped(1), nodeTip: tips(1) }, tipQuestion],
    ['without a successor', { ...tipped(9), blockAtHeight: [noneAt(3)] }, childQuestion],
  ])('%s is a 503 after three rounds, since absence does not prove anything', async (_where, replies, question) => {
    expect(await run(replies)).toEqual({
      given: expect.objectContaining({ fault: 'busy' }),
      asked: [lookUp, question, question, question],
    })
  })

  test('that only lower tips than before show as canonical is cached for a second; as a fork it is a 503', async () => {
    const shown = await run({ ...tipped(9), blockAtHeight: [itself] })
    expect(shown.given).toMatchObject({ body: mapped(true), caching: { maxAgeSeconds: 1 } })
    const denied = await run({ ...tipped(9), blockAtHeight: [another] })
    expect(denied.given).toMatchObject({ fault: 'busy' })
  })

  const atHeight4 = { protocolState: { consensusState: { blockHeight: '4' }, previousStateHash: stateHash } }
  test.each([
    ['words about another height', noneAt(4), 'unreadable'],
    ['a block of another height', { data: { ...childOf(stateHash).data, block: atHeight4 } }, 'mismatched'],
    ['words beside a block', { ...noneAt(3), data: childOf(other).data }, 'unreadable'],
  ])('with %s for the next block is upstream trouble', async (_what, reply, fault) => {
    const { given } = await run({ ...tipped(3), blockAtHeight: [reply] })
    expect(given).toMatchObject({ fault })
  })

  test.each([
    [11, 'recent'],
    [12, 'settled'],
  ])('at height 2 under a tip at %d is cached as a %s one', async (tipHeight, kind) => {
    const { given } = await run({ ...tipped(tipHeight), blockAtHeight: [childOf(stateHash, tipHeight)] })
    expect(given).toEqual(answer(true, kind))
  })

  test.each([notHeld(stateHash), `Could not find block with hash: \`${stateHash}\` in transition frontier`])(
    'that three daemons behind one address do not hold is not found: %s',
    async (message) => {
      const { context, asked } = recording({ data: null, errors: [message], tip: nodeTipAt(2) })
      expect(await getBlock.run({ stateHash }, context)).toEqual(notFound)
      expect(asked.map(({ operation }) => operation)).toEqual(Array(3).fill('blockByStateHash'))
    },
  )

  test('that one of three daemons behind one address holds is found', async () => {
    const missing = { data: null, errors: [notHeld(stateHash)], tip: nodeTipAt(2, stateHash) }
    const { given } = await run({ blockByStateHash: [missing, missing, heldAt(2, stateHash)] })
    expect(given).toEqual(answer(true))
  })

  test('that one of three daemons behind one address holds is found though another one fails', async () => {
    const missing = { data: null, errors: [notHeld(stateHash)] }
    const { given } = await run({ blockByStateHash: [missing, cut, heldAt(2, stateHash), cut] })
    expect(given).toEqual(answer(true))
  })

  test.each([
    ['a bootstrapping node', { data: null, errors: ['Could not obtain transition frontier'] }, 'busy'],
    ['no tip beside it', { data: { block: blockWire, bestChain: [] } }, 'busy'],
    ['unknown words', { data: null, errors: ['Error decoding state hash'], tip }, 'unreadable'],
    ['HTML', { status: 200, tip }, 'unreadable'],
    ['no block', { data: {}, tip }, 'unreadable'],
    ['another block', { data: { block: { ...blockWire, stateHash: parentHash } }, tip }, 'mismatched'],
    ['not-found words about another block', { data: null, errors: [notHeld(parentHash)], tip }, 'unreadable'],
    [
      'not-found words beside the block',
      { data: { block: blockWire }, errors: [notHeld(stateHash)], tip },
      'unreadable',
    ],
    [
      'not-found words beside others',
      { data: null, errors: [notHeld(stateHash), 'Internal error'], tip },
      'unreadable',
    ],
  ] as const)('with %s is upstream trouble', async (_what, reply, fault) => {
    await expect(getBlock.run({ stateHash }, replying(reply))).rejects.toMatchObject({ fault })
  })
})
