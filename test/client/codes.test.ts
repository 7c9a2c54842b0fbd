// The words of the client for why something is not done: its page has them all in one table, and its types too.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { type Code, NetworkMismatchError } from '../../packages/client/src/client.ts'
import { broadcastCodes } from '../../shared/contract/broadcast-codes.ts'
import { sendings } from '../../shared/contract/transaction.ts'

const page = readFileSync(join(import.meta.dirname, '../../packages/client/README.md'), 'utf8')

/** Does not compile unless it has each code once, as a translator's list does not. */
const own: Readonly<Record<Exclude<Code, keyof typeof broadcastCodes | (typeof sendings)[number]>, true>> = {
  ...{
    network: true,
    unavailable: true,
    'not-found': true,
    'bad-request': true,
    'network-mismatch': true,
    'store-in-use': true,
  },
  ...{ 'no-answer': true, redirected: true, pending: true, refused: true },
}

test('every code of an error, an outcome or a wait stands once in the table of codes', () => {
  const [, table = ''] = page.split(/<!-- \/?codes\b.*-->/)
  const rows = [...table.matchAll(/^\| (`.*?`) \|/gm)].map(([, codes = '']) => codes)
  const shown = rows.flatMap((codes) => codes.split(', ')).map((code) => code.slice(1, -1))
  const codes = [...Object.keys(own), ...Object.keys(broadcastCodes), ...sendings]
  expect(shown.sort()).toEqual(codes.sort())
})

test('another network has a code, like each other failure', () => {
  expect(new NetworkMismatchError('mainnet', 'devnet')).toMatchObject({ code: 'network-mismatch', actual: 'devnet' })
})
