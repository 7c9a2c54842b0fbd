import { describe, expect, test } from '@jest/globals'
import { answerTo, entityTag, matchesTag } from '../../../functions/runtime/answer.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { type Endpoint, isTagged } from '../../../shared/endpoints/endpoint.ts'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { getHealth } from '../../../shared/endpoints/get-health.ts'
import { contextOf } from '../../shared/endpoints/asking.ts'

test('an entity tag is weak, short, and differs with each part of the version and with the release', () => {
  const tags = [
    entityTag(['node', '3Ntip', '10'], '1.0.0'),
    entityTag(['node', '3Nother', '10'], '1.0.0'),
    entityTag(['node and indexer', '3Ntip', '10'], '1.0.0'),
    entityTag(['node', '3Ntip', '10'], '1.0.1'),
    entityTag(['node', '3Nti', 'p10'], '1.0.0'),
  ]
  expect(tags).toEqual(tags.map(() => expect.stringMatching(/^W\/"[\w-]{22}"$/)))
  expect(new Set(tags).size).toBe(tags.length)
  expect(entityTag(['node', '3Ntip', '10'], '1.0.0')).toBe(tags[0])
})

test.each([
  ['has', true, ['*', ' * ', 'W/"a"', '"a"', '"b", W/"a"', 'W/"b","a"', '"x,y" , "a"', 'W/W/"a"']],
  ['does not have', false, ['', 'a', '"b"', 'W/"aa"', '"A"', '"*"', '"a', 'a"', '"b, a"', "'a'"]],
])('If-None-Match %s the tag in any of its spellings', (_does, matches, given) => {
  expect(given.filter((each) => matchesTag(each, 'W/"a"') !== matches)).toEqual([])
  expect(given.filter((each) => matchesTag(each, '"a"') !== matches)).toEqual([])
})

describe('a request with a condition', () => {
  const caching = { maxAgeSeconds: 5, staleWhileRevalidateSeconds: 10, staleIfErrorSeconds: 60 }
  const version = ['node', 'tip'] as const
  const tagged = { status: 200, body: { blocks: [] }, caching, version } as const
  const etag = entityTag(version, 'r')

  /** An endpoint that says this, and what it was asked. */
  function saying(answer: object, current?: object) {
    const asked: string[] = []
    const saysOf = (what: string, said: object) => async () => {
      asked.push(what)
      return said
    }
    const currentVersion = current && { currentVersion: saysOf('version', current) }
    const endpoint = { ...getAccount, ...currentVersion, run: saysOf('answer', answer) } as unknown as Endpoint
    const chain = contextOf(async () => ({ status: 200, data: null, errors: [] }))
    const ask = (ifNoneMatch?: string) =>
      answerTo(endpoint, {}, chain, { ifNoneMatch, release: 'r' }, () => asked.push('again'))
    return { ask, asked }
  }

  const fresh = { ...tagged, headers: { etag } }
  const unchanged = { status: 304, caching, headers: { etag } }
  test.each([
    ['whose copy is good gets 304 for the cheap question alone', etag, true, unchanged, ['version']],
    ['whose copy is old gets a fresh answer', '"old"', true, fresh, ['version', 'again', 'answer']],
    ['whose copy turns out to be good with the answer gets 304 too', etag, false, unchanged, ['answer']],
    ['without If-None-Match gets the answer for one question, with its tag', undefined, true, fresh, ['answer']],
  ])('%s', async (_what, ifNoneMatch, hasVersion, expected, questions) => {
    const { ask, asked } = hasVersion ? saying(tagged, { version, caching }) : saying(tagged)
    expect([await ask(ifNoneMatch), asked]).toEqual([expected, questions])
  })

  test('is answered by the tag of the body where the answer names no version, so that an incomplete one is never taken for the complete one', async () => {
    const bodies = [{ blocks: [1] }, { blocks: [1], isCut: true }]
    const answers = bodies.map((body) => ({ status: 200, body, caching }) as const)
    const tags = bodies.map((body) => entityTag(['body', JSON.stringify(body)], 'r'))
    const seen = await Promise.all(
      answers.flatMap((answer) => [undefined, ...tags].map(async (tag) => (await saying(answer).ask(tag)).status)),
    )
    expect(seen).toEqual([200, 304, 200, 200, 200, 304])
    expect(await saying({ status: 200, body: bodies[0], caching }).ask()).toEqual({
      ...answers[0],
      headers: { etag: tags[0] },
      text: JSON.stringify(bodies[0]),
    })
  })

  test.each([
    ['an answer that no cache may keep', { status: 200, body: {}, version }],
    ['not found', { status: 404, body: { message: '' }, caching }],
  ])('gets neither 304 nor a tag for %s', async (_what, answer) => {
    expect(await saying(answer).ask('*')).toEqual(answer)
  })
})

test('every GET has tags but /health, whose answer is news each time; three are told by a cheaper question', () => {
  expect(endpoints.filter((endpoint) => endpoint.method === 'GET' && !isTagged(endpoint))).toEqual([getHealth])
  expect(endpoints.filter(({ currentVersion }) => currentVersion).map(({ name }) => name)).toEqual([
    'getBlocks',
    'getBlock',
    'getBlockAtHeight',
  ])
})
