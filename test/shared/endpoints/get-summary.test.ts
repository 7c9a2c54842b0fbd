import { describe, expect, test } from '@jest/globals'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { nodeTip, summaryFromNode } from '../../../shared/mapping/summary.ts'
import { blockWire } from '../mapping/node-wire.ts'
import { recording, replying } from './asking.ts'

describe('GET /summary', () => {
  test('sums up the tip, with the chain id that the node has now, in one round trip', async () => {
    const { ask, asked } = recording({ data: { bestChain: [blockWire], daemonStatus: { chainId: 'a7351abc' } } })
    expect(await getSummary.run({}, ask)).toEqual({
      status: 200,
      body: summaryFromNode(nodeTip.read(blockWire, 'tip'), 'a7351abc', 0n),
      maxAgeSeconds: 5,
    })
    expect(asked).toEqual([{ operation: 'chainSummary', variables: {} }])
  })

  test.each([
    [{ data: { bestChain: null, daemonStatus: { chainId: 'a' } } }, 'busy'],
    [{ data: { bestChain: [], daemonStatus: { chainId: 'a' } } }, 'busy'],
    [{ data: { bestChain: [blockWire], daemonStatus: {} } }, 'unreadable'],
  ] as const)('of %j is upstream trouble', async (reply, fault) => {
    await expect(getSummary.run({}, replying(reply))).rejects.toMatchObject({ fault })
  })
})
