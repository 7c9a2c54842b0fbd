// Texts of paths that name nothing: no endpoint asks an upstream for them.
import { describe, expect, test } from '@jest/globals'
import { answerTo } from '../../../functions/runtime/answer.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { alice, stateHash } from '../mapping/node-wire.ts'
import { contextOf, recordingQuestions, scripted } from './asking.ts'

/** A key, hash or cursor whose last letter is mistyped, so that its checksum is wrong. */
const mistyped = (text: string) => `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`

const hash = '5JuGyZFNUDHNNXAPkcjvBwNPSKeXZj8zTKg3mCoBGMREXzGbCFvC'
const longOnes = ['', 'x'.repeat(10_000)]
const wrongTexts: Readonly<Record<string, readonly string[]>> = {
  state_hash: [...longOnes, mistyped(stateHash), `${stateHash}1`, alice],
  public_key: [...longOnes, mistyped(alice), `${alice}1`, stateHash],
  hash: [...longOnes, mistyped(hash), stateHash],
  cursor: [...longOnes, `7-${mistyped(stateHash)}`, `07-${stateHash}`, stateHash],
  height: [...longOnes, '0', '02', '+2', '2.0', '2147483648'],
}

describe.each(
  endpoints.flatMap((endpoint) =>
    endpoint.identifier ? [[endpoint.name, endpoint, endpoint.identifier] as const] : [],
  ),
)('%s', (_, endpoint, { parameter, unknown }) => {
  test.each((wrongTexts[parameter] ?? []).map((text) => [text.slice(0, 60), text]))(
    'says that %j names nothing',
    async (_shown, text) => {
      const { context, asked } = recordingQuestions(contextOf(scripted({})))
      const input = endpoint.input({ path: { [parameter]: text }, query: {}, body: undefined })
      for (const ifNoneMatch of [undefined, '*'])
        expect(await answerTo(endpoint, input, context, { ifNoneMatch, release: 'r' }, () => undefined)).toEqual(
          unknown,
        )
      expect(asked).toEqual([])
    },
  )
})
