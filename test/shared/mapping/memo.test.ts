import { expect, test } from '@jest/globals'
import { memoFromText } from '../../../shared/mapping/command.ts'

test.each([
  ['', 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH'],
  ['Payment Transfer', 'E4YtkEVgH96DuQEGtz2pJabq4hYRG3ocHrsGdJoAKZ2o8GH2gbmQL'],
])('the memo %j is encoded as a node encodes it', (text, memo) => {
  expect(memoFromText(text)).toBe(memo)
})
