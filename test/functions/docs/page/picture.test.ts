import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { docsPictureText, markOf } from '../../../browser/picture-mark.ts'

test('the README’s picture of the docs page shows the menu and the first request of today; npm run pictures takes it anew', () => {
  const picture = readFileSync(join(import.meta.dirname, '../../../../docs/images/docs-page.png'))
  expect(markOf(picture)).toBe(docsPictureText())
})
