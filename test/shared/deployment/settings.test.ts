import { expect, test } from '@jest/globals'
import { headersFrom } from '../../../shared/deployment/settings.ts'

test.each<[string, unknown, Record<string, string> | undefined]>([
  ['an object', { 'X-Api-Key': 'k', 'x-client': 'c' }, { 'x-api-key': 'k', 'x-client': 'c' }],
  ['its JSON', '{"X-Api-Key":"k"}', { 'x-api-key': 'k' }],
  ['none', {}, {}],
  ['a text with blanks around it', { a: ' \t b c\r\n' }, { a: 'b c' }],
  ['an empty text', { a: '' }, { a: '' }],
  ['letters of one byte', { a: 'é' }, { a: 'é' }],
  ['letters of two bytes', { a: '→' }, undefined],
  ['a line end', { a: 'b\r\nc: d' }, undefined],
  ['a control character', { a: 'b\u0000' }, undefined],
  ['a name with a blank', { 'a b': 'c' }, undefined],
  ['a name with a colon', { 'a:': 'c' }, undefined],
  ['no name', { '': 'c' }, undefined],
  ['one name in two cases', { a: 'b', A: 'c' }, undefined],
  ['a number', { a: 1 }, undefined],
  ['a list', [['a', 'b']], undefined],
  ['null', null, undefined],
  ['text that is not JSON', 'a: b', undefined],
])('headers from %s', (_what, given, headers) => {
  expect(headersFrom(given)).toEqual(headers)
})

test.each([['\u0001'], ['\u007F'], ['~'], ['\u0080'], ['ÿ'], ['Ā'], ['\t.'], ['(']])(
  'a header with %j is taken only if the platform takes it',
  (character) => {
    for (const given of [{ name: `a${character}b` }, { [`a${character}b`]: 'text' }]) {
      const accepts = () => {
        try {
          return [...new Headers(given)].length === 1
        } catch {
          return false
        }
      }
      if (headersFrom(given) !== undefined) expect(accepts()).toBe(true)
    }
    expect(headersFrom({ [character]: 'text' }) !== undefined).toBe(character === '~')
  },
)
