// What the exchange's programs of docs/recipes.md refuse of a question about their books, and what they say of one.
import { describe, expect, jest } from '@jest/globals'
import { languages } from '../../packages/proofs/exchange-day/program.ts'
import {
  blockAt,
  branch,
  keyAt,
  noPayments,
  order,
  programsIn,
  receiver,
  serviceOf,
  standing,
  until,
} from './exchange-service.ts'

// Programs are compiled and started again, perhaps on a busy machine.
jest.setTimeout(300_000)

describe.each(languages)('the program in %s', (language) => {
  const { testOfProgram, programAt } = programsIn(language)

  testOfProgram(
    'refuses a report that can only be a mistake, and says where one is empty because the books are',
    () => {
      const program = programAt('http://127.0.0.1:9', 0)
      const said = (...options: readonly string[]) => {
        const { status, stderr } = program.reportOf(options)
        return [status, stderr.trimEnd().split('\n').at(-1)]
      }
      const wrong = `${receiver.slice(0, -1)}${receiver.endsWith('1') ? '2' : '1'}`
      expect([
        said('--key', wrong),
        said('--from', '2026-01-02', '--to', '2026-01-01'),
        program.reportOf(['--day', '2026-01-01', '--key', receiver]).stderr.split('\n'),
      ]).toEqual([
        [2, expect.stringMatching(`${wrong} is not a public key: a letter is wrong, missing or too many$`)],
        [2, expect.stringMatching('2026-01-02, the first day, is after the last, 2026-01-01$')],
        [
          `${receiver} is not watched: these books lack its deposits, or some of them`,
          'the books are empty: they have no block',
          '',
        ],
      ])
    },
  )
})
