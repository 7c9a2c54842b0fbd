import { describe, expect, test } from '@jest/globals'
import { answerTo, entityTag, matchesTag } from '../../../functions/runtime/answer.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getAccount } from '../../../shared/endpoints/get-account.ts'
import { contextOf } from '../../shared/endpoints/asking.ts'

describe('an entity tag', () => {
  const tag = entityTag(['node', '3Ntip', '10'], '1.0.0')

  test('is weak, short, and the same for the same basis and release', () => {
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/)
    expect(entityTag(['node', '3Ntip', '10'], '1.0.0')).toBe(tag)
  })

  test.each([
    ['another tip', entityTag(['node', '3Nother', '10'], '1.0.0')],
    ['another limit', entityTag(['node', '3Ntip', '9'], '1.0.0')],
    ['another source', entityTag(['node and indexer', '3Ntip', '10'], '1.0.0')],
    ['another release', entityTag(['node', '3Ntip', '10'], '1.0.1')],
    ['parts cut elsewhere', entityTag(['node', '3Nti', 'p10'], '1.0.0')],
  ])('differs for %s', (_what, other) => {
    expect(other).not.toBe(tag)
  })
})

describe('If-None-Match', () => {
  test.each(['*', ' * ', 'W/"a"', '"a"', '"b", W/"a"', 'W/"b","a"', '"x,y" , "a"', 'W/W/"a"'])(
    '%s has the tag',
    (given) => {
      expect(matchesTag(given, 'W/"a"')).toBe(true)
      expect(matchesTag(given, '"a"')).toBe(true)
    },
  )

  test.each(['', 'a', '"b"', 'W/"aa"', '"A"', '"*"', '"a', 'a"', '"b, a"', "'a'"])(
    '%s does not have the tag',
    (given) => {
      expect(matchesTag(given, 'W/"a"')).toBe(false)
    },
  )
})

describe('a request with a condition', () => {
  const caching = { maxAgeSeconds: 5, staleWhileRevalidateSeconds: 10, staleIfErrorSeconds: 60 }
  const basis = ['node', 'tip'] as const
  const tagged = { status: 200, body: { blocks: [] }, caching, basis } as const
  const etag = entityTag(basis, 'r')

  /** An endpoint that says this, and what it was asked. */
  function saying(answer: object, current?: object) {
    const asked: string[] = []
    const endpoint = {
      ...getAccount,
      ...(current && {
        currentBasis: async () => {
          asked.push('basis')
          return current
        },
      }),
      run: async () => {
        asked.push('answer')
        return answer
      },
    } as unknown as Endpoint
    const ask = (ifNoneMatch?: string) =>
      answerTo(
        endpoint,
        {},
        contextOf(async () => ({ status: 200, data: null, errors: [] })),
        { ifNoneMatch, release: 'r' },
        () => asked.push('again'),
      )
    return { ask, asked }
  }

  test('whose copy is good gets 304 for the cheap question alone', async () => {
    const { ask, asked } = saying(tagged, { basis, caching })
    expect(await ask(etag)).toEqual({ status: 304, caching, headers: { etag } })
    expect(asked).toEqual(['basis'])
  })

  test('whose copy is old gets a fresh answer, independent of the cheap question', async () => {
    const { ask, asked } = saying(tagged, { basis, caching })
    expect(await ask('"old"')).toEqual({ ...tagged, headers: { etag } })
    expect(asked).toEqual(['basis', 'again', 'answer'])
  })

  test('whose copy turns out to be good with the answer gets 304 too', async () => {
    const { ask, asked } = saying(tagged)
    expect(await ask(etag)).toEqual({ status: 304, caching, headers: { etag } })
    expect(asked).toEqual(['answer'])
  })

  test('without If-None-Match gets the answer for one question, with its tag', async () => {
    const { ask, asked } = saying(tagged, { basis, caching })
    expect(await ask()).toEqual({ ...tagged, headers: { etag } })
    expect(asked).toEqual(['answer'])
  })

  test.each([
    ['an incomplete answer', { status: 200, body: {}, caching }],
    ['an answer that no cache may keep', { status: 200, body: {}, basis }],
    ['not found', { status: 404, body: { message: '' }, caching }],
  ])('gets neither 304 nor a tag for %s', async (_what, answer) => {
    expect(await saying(answer).ask('*')).toEqual(answer)
  })
})

test('only GET /blocks, GET /blocks/{state_hash} and GET /summary have tags: an account depends on more than the tip', () => {
  expect(endpoints.filter(({ currentBasis }) => currentBasis).map(({ name }) => name)).toEqual([
    'getBlocks',
    'getBlock',
    'getSummary',
  ])
})
