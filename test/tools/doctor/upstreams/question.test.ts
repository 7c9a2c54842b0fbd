import { describe, expect, test } from '@jest/globals'
import type { WireError } from '../../../../shared/upstream/errors.ts'
import { operation } from '../../../../shared/upstream/operation.ts'
import { shape, text } from '../../../../shared/upstream/wire.ts'
import { lineOf } from '../../../../tools/doctor/finding.ts'
import { askUpstream, questionFinding } from '../../../../tools/doctor/upstreams/question.ts'

const version = operation('node', 'query', 'version', '', shape({ version: text }))

describe('an operation', () => {
  test('returns the reason where the answer has another shape', async () => {
    const outcome = await askUpstream(async () => ({ status: 200, data: { version: 1 }, errors: [] }), version)
    expect(outcome).toEqual({
      state: 'failed',
      fault: 'unreadable',
      reason: 'version.version: wanted text, got number',
      tookMs: expect.any(Number),
    })
  })

  test('does not hide a bug of the doctor', async () => {
    const mistake = new TypeError('ours')
    await expect(askUpstream(() => Promise.reject(mistake), version)).rejects.toBe(mistake)
  })
})

describe('the finding on an operation', () => {
  const answered = (tookMs: number) => ({ state: 'answered', data: {}, tookMs }) as const
  const failed = (fault: WireError['fault']) => ({ state: 'failed', fault, reason: 'why', tookMs: 1 }) as const
  const lineFor = (outcome: Parameters<typeof questionFinding>[2], upstream: 'node' | 'indexer' = 'node') =>
    lineOf(questionFinding('query x', upstream, outcome, 1000))

  test('compares its time with the time-out only', () => {
    expect([500, 501].map((tookMs) => lineFor(answered(tookMs)))).toEqual([
      'ok   query x: answers in 500 ms (time-out 1000 ms)',
      'warn query x: answers in 501 ms (time-out 1000 ms) -> more than half of the time-out: use a nearer or less loaded node',
    ])
  })

  test.each([
    [
      'unreachable',
      'start the node, or correct its address (--node or nodeGraphqlUrl); a private one answers only inside its network',
    ],
    ['timeout', "check the load of the node and the network between, or raise its time-out in the stage's settings"],
    ['busy', 'wait until the node is synced and accepts requests, then run the doctor again'],
    [
      'unreadable',
      'check that the address (--node or nodeGraphqlUrl) leads to the GraphQL port of the node, in a supported version; HTTP 401 or 403: pass its key (--header); HTTP 404: its path is usually /graphql',
    ],
  ] as const)('says what to do about %s', (fault, remedy) => {
    expect(lineFor(failed(fault))).toBe(`fail query x: why -> ${remedy}`)
  })

  test('names the settings of the right upstream', () => {
    expect(lineFor(failed('unreadable'), 'indexer')).toBe(
      'fail query x: why -> check that the address (--indexer or indexerGraphqlUrl) leads to the GraphQL port of the indexer, in a supported version; HTTP 401 or 403: pass its key (--indexer-header); HTTP 404: its path is usually /graphql',
    )
  })
})
