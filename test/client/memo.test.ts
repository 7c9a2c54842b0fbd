// Memos and keys in the form in which a node shows them.
import { expect, test } from '@jest/globals'
import { isPublicKey, memoOnChain, memoText } from '../../packages/client/src/client.ts'
import { createRandom, integerBetween } from '../../packages/testnet/random.ts'
import { isPublicKey as isKeyOfService } from '../../shared/mapping/base58check.ts'
import { memoFromText } from '../../shared/mapping/command.ts'

test('the client writes a memo as the chain shows it, whatever its bytes', () => {
  // As the mainnet shows a memo that was left empty.
  expect(memoOnChain('')).toBe('E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH')
  const random = createRandom('memos')
  const characters = [...'aZ09 ~\u0000\u007f', 'é', 'ß', '中', '\u{1f600}', '\ud800']
  for (let count = 0; count < 1000; count++) {
    let memo = ''
    const bytes = () => new TextEncoder().encode(memo).length
    for (let left = integerBetween(random, 0, 32); left > 0 && bytes() <= 28; left--) {
      memo += characters[integerBetween(random, 0, characters.length - 1)]
    }
    expect([memo, memoOnChain(memo)]).toEqual([memo, memoFromText(memo)])
    expect(memoText(memoOnChain(memo))).toBe(memo.replaceAll('\ud800', '\ufffd'))
  }
  const longest = 'x'.repeat(32)
  expect(memoOnChain(longest)).toBe(memoFromText(longest))
})

test('a memo past 32 bytes of UTF-8 is refused', () => {
  expect(() => memoOnChain('é'.repeat(17))).toThrow(new RangeError('a memo has at most 32 bytes'))
})

test.each([
  '',
  'rent',
  'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaJ',
  '0OIl2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH',
  'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN',
  'E4'.repeat(100_000),
])('the text of something else than a memo is undefined', (text) => {
  expect(memoText(text)).toBeUndefined()
})

test('a public key is told from a typo and from other texts as the service does', () => {
  const random = createRandom('keys')
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const letter = () => alphabet[integerBetween(random, 0, alphabet.length - 1)]
  const key = 'B62qpge4uMq4Vv5Rvc8Gw9qSquUYd6xoW1pz7HQkMSHm6h1o7pvLPAN'
  const typos = Array.from({ length: 1000 }, () => {
    const at = integerBetween(random, 0, key.length - 1)
    return key.slice(0, at) + letter() + key.slice(at + integerBetween(random, 0, 2))
  })
  const others = [
    '',
    'B62',
    `${key}x`,
    ` ${key}`,
    memoOnChain('x'),
    '3NKZ1bpCs41kfvXJsEid2ujV93JKB6GMkk8snBk9s8ceH3RX4puv',
  ]
  for (const text of [key, ...typos, ...others]) expect([text, isPublicKey(text)]).toEqual([text, isKeyOfService(text)])
  expect(isPublicKey(key)).toBe(true)
})
