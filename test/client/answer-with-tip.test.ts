// From which tip a depth is counted.
import { describe, expect, test } from '@jest/globals'
import { AnswerWithTip } from '../../client/src/answer-with-tip.ts'
import type { Labelled } from '../../client/src/reads.ts'
import type { Block, Summary } from '../../client/src/schema.ts'
import { ServiceError } from '../../client/src/service-error.ts'
import type { Transaction } from '../../client/src/transaction.ts'

const chain = { height: 100, stateHash: '3Ntip', time: '2026-01-01T00:00:00.000Z', nodeSync: 'SYNCED' }
const labelled = <Value>(value: object): Promise<Labelled<Value>> =>
  Promise.resolve({ value: value as Value, chain, ageMs: 0, missingFields: [] })
const blockAt = (blockHeight: number) => AnswerWithTip.of<Block>(labelled({ blockHeight }))

describe('a depth', () => {
  test('of a block is counted from the tip of its own answer, and left open where that is too low', async () => {
    const [at85, at101] = [await blockAt(85), await blockAt(101)]
    expect([at85.depth(), at85.depth(15), at85.depth(16), at101.depth()]).toEqual([15, 15, undefined, undefined])
  })

  test('of a command is the one that the service has counted, and final is as deep as can be', async () => {
    const depthOf = async (fate: object, wanted?: number) =>
      (await AnswerWithTip.of<Transaction>(labelled(fate))).depth(wanted)
    expect([
      await depthOf({ state: 'included', confirmations: 14 }),
      await depthOf({ state: 'included', confirmations: 14 }, 15),
      await depthOf({ state: 'included', confirmations: 14, final: true }, 15),
      await depthOf({ state: 'included' }),
    ]).toEqual([14, undefined, Number.POSITIVE_INFINITY, undefined])
  })

  test('of a height without a block tells a node that is too low from a service that does not have the block', async () => {
    const place = (height: number) => {
      const absent = new ServiceError('none', { status: 404, isFinal: true, chain })
      return AnswerWithTip.at(height, Promise.reject(absent))
    }
    expect((await place(101)).depth()).toBeUndefined()
    expect([(await place(50)).depth(), (await place(50)).value.block]).toEqual([50, undefined])
  })

  test('is trouble that passes where the answer, or the 404, names no tip', async () => {
    const nameless = { code: 'unavailable', message: expect.stringMatching('x-chain-height') }
    const unlabelled = async () => ({ ...(await labelled<Block>({ blockHeight: 1 })), chain: undefined })
    await expect(AnswerWithTip.of(unlabelled())).rejects.toMatchObject(nameless)
    await expect(AnswerWithTip.at(1, unlabelled())).rejects.toMatchObject(nameless)
    const absent = new ServiceError('none', { status: 404, isFinal: true })
    await expect(AnswerWithTip.at(1, Promise.reject(absent))).rejects.toMatchObject(nameless)
  })

  test('does not compile from the tip of another answer', async () => {
    const summary = await AnswerWithTip.of<Summary>(labelled({ blockchainLength: 100 }))
    const block = await blockAt(85)
    // @ts-expect-error a summary has no depth: its tip is that of another answer than the block's
    summary.depth()
    // @ts-expect-error no tip can be taken out of an answer
    expect(summary.tip).toBeDefined()
    // @ts-expect-error none can be put beside the value of another one
    const mixed: AnswerWithTip<Block> = { ...summary, value: block.value }
    // @ts-expect-error nor can an answer be made without a read
    expect(new AnswerWithTip(block.value, 100)).toEqual(mixed)
    // @ts-expect-error and a depth takes no tip
    expect(block.depth(summary)).toBeUndefined()
  })
})
