// Three of four slots are the protocol's aim, and no fact of a network: mainnet fills 44 to 48 % of its slots.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')
const density =
  /\bthree (?:slots )?(?:of|in|out of|quarters of) (?:the )?(?:four|slots)\b|\b75 % of (?:the |its )?slots\b/i

/** The lines that state it, without those that call it an aim within two lines. */
function claims(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.filter((line, at) => {
    const around = lines.slice(Math.max(0, at - 2), at + 3).join(' ')
    return density.test(line) && !/\baims?\b/i.test(around)
  })
}

test('no document and no comment takes three of four slots for more than an aim', () => {
  expect(claims('Mina makes a block in about three of four slots.')).toHaveLength(1)
  const files = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.js', '*.py', '*.go'], {
    cwd: root,
    encoding: 'utf8',
  })
  const found = files
    .split('\n')
    .filter((file) => file !== '' && file !== 'test/docs/slots-with-a-block.test.ts')
    .flatMap((file) => claims(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`))
  expect(found).toEqual([])
})
