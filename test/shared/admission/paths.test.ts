import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { collapseSlashes } from '../../../shared/admission/paths.ts'

test('a collapsed path keeps every segment in its order, and does not change a second time', () => {
  const segment = fc.constantFrom('a', '%2F', 'blocks', '.', '/', '//')
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const path = `/${segments.join('/')}`
      const collapsed = collapseSlashes(path)
      expect(collapsed.split('/').filter(Boolean)).toEqual(path.split('/').filter(Boolean))
      expect(collapsed).not.toMatch(/\/\/|.\/$/)
      expect(collapseSlashes(collapsed)).toBe(collapsed)
    }),
    { seed: 27 },
  )
  expect(['', '/', '///', '/blocks///'].map(collapseSlashes)).toEqual(['', '/', '/', '/blocks'])
})
