// From which tip a depth is counted.
import { describe, expect, test } from '@jest/globals'
import { type Place, placeAt } from '../../packages/client/src/answer-with-tip.ts'
import type { Labelled } from '../../packages/client/src/reads.ts'
import type { Block } from '../../packages/client/src/schema.ts'
import { ServiceError } from '../../packages/client/src/service-error.ts'

const chain = { height: 100, stateHash: '3Ntip', time: '2026-01-01T00:00:00.000Z', nodeSync: 'SYNCED' }
const block = { blockHeight: 85 } as Block
const labelled: Labelled<Block> = { value: block, chain, ageMs: 0, missingFields: [] }
const blockAt = (height: number) => placeAt(height, Promise.resolve(labelled))

describe('a depth', () => {
  test('of a block is counted from the tip of its own answer, and left open where that is too low', async () => {
    const [at85, at101] = [await blockAt(85), await blockAt(101)]
    expect([at85.depth(), at85.depth(15), at85.depth(16), at101.depth()]).toEqual([15, 15, undefined, undefined])
  })

  test('of a height without a block tells a node that is too low from a service that does not have the block', async () => {
    const absent = new ServiceError('none', { status: 404, isFinal: true, chain })
    const place = (height: number) => placeAt(height, Promise.reject(absent))
    expect((await place(101)).depth()).toBeUndefined()
    expect(await place(50)).toEqual({ absent, depth: expect.any(Function) })
    expect((await place(50)).depth()).toBe(50)
  })

  test('is trouble that passes where the answer, or the 404, names no tip', async () => {
    const nameless = { code: 'unavailable', message: expect.stringMatching('x-chain-height') }
    await expect(placeAt(1, Promise.resolve({ ...labelled, chain: undefined }))).rejects.toMatchObject(nameless)
    const absent = new ServiceError('none', { status: 404, isFinal: true })
    await expect(placeAt(1, Promise.reject(absent))).rejects.toMatchObject(nameless)
  })

  test('is of no other answer: a 404 of something else than the service is thrown', async () => {
    const portal = new ServiceError('none', { status: 404, chain })
    await expect(placeAt(1, Promise.reject(portal))).rejects.toBe(portal)
  })

  test('does not compile from the tip of another answer', async () => {
    const place = await blockAt(85)
    // @ts-expect-error no tip can be taken out of an answer
    expect(place.tip).toBeUndefined()
    // @ts-expect-error none can be put beside the block of another one
    const mixed: Place = { block, tip: 100 }
    // @ts-expect-error and a depth takes no tip
    expect(place.depth(100, mixed)).toBeUndefined()
  })
})
