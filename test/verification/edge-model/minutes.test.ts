import { expect, test } from '@jest/globals'
import { createMinutes } from '../../../verification/edge-model/minutes.ts'
import type { ServedAnswer } from '../../../verification/edge-model/model.ts'

const served = (at: number, uri: string, by: ServedAnswer['by'], method = 'GET'): ServedAnswer =>
  ({ request: { at, uri, method, querystring: {} }, by, isOriginAsked: by === 'origin' }) as unknown as ServedAnswer

test('reads are counted by route and minute, hits apart, and broadcasts are not', () => {
  const minutes = createMinutes()
  const answers = [
    served(0, '/summary', 'origin'),
    served(59_999, '/summary', 'cache'),
    served(60_000, '/summary', 'collapsed'),
    served(60_001, '/accounts/B62a', 'origin'),
    served(60_002, '/broadcast/transaction', 'origin', 'POST'),
  ]
  for (const answer of answers) minutes.add(answer)
  expect(minutes.rows()).toEqual([
    { route: '/summary', minute: 0, requests: 2, hits: 1 },
    { route: '/summary', minute: 1, requests: 1, hits: 1 },
    { route: '/accounts/{}', minute: 1, requests: 1, hits: 0 },
  ])
})
