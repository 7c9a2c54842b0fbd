// The quiet-chain bench at its thresholds: 30 and 31 empty slots.
import { expect, test } from '@jest/globals'
import { settings, standstillIn, stoppedNode, toldOf } from '../../packages/proofs/quiet-chain/service.ts'

const inEachSetting = settings.flatMap((setting) => [90_000, 180_000].map((slotMs) => [setting, slotMs] as const))

test.each(inEachSetting)(
  'over %s with slots of %d ms an outage begins after 31 empty slots, not after 30',
  async (setting, slotMs) => {
    const isInDoubt = setting === 'two pins, a listed node down'
    expect([
      await toldOf(setting, slotMs, 30),
      await toldOf(setting, slotMs, 31),
      await standstillIn(setting, slotMs),
    ]).toEqual([{ isDown: false, isRefused: false }, { isDown: true, isRefused: isInDoubt }, { downAtSlot: 31 }])
  },
)

test.each([
  ['does not answer', 'demoted a'],
  ['stands still', 'behind a'],
] as const)(
  'of two nodes one that %s is told by the next GET /health, and named in the log',
  async (trouble, event) => {
    expect(await stoppedNode(trouble)).toEqual({ afterMs: 0, where: ['GET /health degraded', `its log: ${event}`] })
  },
)
