import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { collapseSlashes } from '../../../shared/admission/paths.ts'

describe('collapseSlashes', () => {
  test.each([
    ['/', '/'],
    ['//', '/'],
    ['///', '/'],
    ['/blocks', '/blocks'],
    ['/blocks/', '/blocks'],
    ['//accounts//B62', '/accounts/B62'],
    ['/blocks///', '/blocks'],
    ['/blocks/a%2F%2Fb/', '/blocks/a%2F%2Fb'],
    ['', ''],
  ])('makes %j into %j', (path, expected) => {
    expect(collapseSlashes(path)).toBe(expected)
  })

  test('keeps every segment in its order and changes nothing a second time', () => {
    const segment = fc.constantFrom('a', '%2F', 'blocks', '.', '/', '//')
    fc.assert(
      fc.property(fc.array(segment), (segments) => {
        const path = `/${segments.join('/')}`
        const collapsed = collapseSlashes(path)
        expect(collapsed.split('/').filter(Boolean)).toEqual(path.split('/').filter(Boolean))
        expect(collapseSlashes(collapsed)).toBe(collapsed)
      }),
      { seed: 27 },
    )
  })
})
