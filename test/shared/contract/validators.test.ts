// The request validators as they ship: compiled ahead of time from shared/contract.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

test('a validator has at most 12 KB', () => {
  const folder = join(import.meta.dirname, '../../../functions/runtime/validators')
  const large = readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({ file, bytes: statSync(join(folder, file)).size }))
    .filter(({ bytes }) => bytes > 12_000)
  expect(large).toEqual([])
})
