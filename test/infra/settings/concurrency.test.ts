import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { leastFile, messageOf, read, whole } from './read-settings.ts'

const refusal = (at: 'reads' | 'broadcasts', got: string, wants: string, example: number | null) =>
  whole(
    [
      `config/dev.ts: reservedConcurrency.${at}`,
      `  got      ${got}`,
      `  wants    ${wants}`,
      `  example  reservedConcurrency: { ${at}: ${example} }`,
      ...(example === null ? [] : [`  or       EXPLORER_RESERVED_CONCURRENCY_${at.toUpperCase()}=${example}`]),
    ].join('\n'),
  )

/** Functions that answer reads: those of the GETs, and that of the docs page. */
const reading = endpoints.filter(({ method }) => method === 'GET').length + 1

const mostOf = (account: number) =>
  `at most ${account - 100} in all: accountConcurrency, ${account}, less the 100 that AWS keeps unreserved`

describe('reserved concurrency', () => {
  test.each([
    [{ reads: 140, broadcasts: 100 }, 300 + 140 * reading],
    [{ reads: 180 }, 100 + 180 * reading],
    [{ broadcasts: 450 }, 1000],
    [{}, 10],
  ])('of %j fits into an account of %d', (reservedConcurrency, accountConcurrency) => {
    const settings = read({ ...leastFile, reservedConcurrency, accountConcurrency })
    expect(settings.reservedConcurrency).toEqual({ reads: null, broadcasts: null, ...reservedConcurrency })
  })

  test.each([
    [
      { reads: 141, broadcasts: 100 },
      300 + 140 * reading,
      refusal(
        'reads',
        `141, but ${reading} × 141 for reads and 2 × 100 for broadcasts make ${200 + 141 * reading}`,
        mostOf(300 + 140 * reading),
        140,
      ),
    ],
    [
      { reads: 181 },
      100 + 180 * reading,
      refusal('reads', `181, but ${reading} × 181 for reads make ${181 * reading}`, mostOf(100 + 180 * reading), 180),
    ],
    [{ broadcasts: 451 }, 1000, refusal('broadcasts', '451, but 2 × 451 for broadcasts make 902', mostOf(1000), 450)],
    [
      { reads: 1, broadcasts: 40 },
      180,
      refusal(
        'reads',
        `1, but ${reading} × 1 for reads and 2 × 40 for broadcasts make ${80 + reading}`,
        mostOf(180),
        null,
      ),
    ],
    [
      { broadcasts: 1 },
      10,
      refusal(
        'broadcasts',
        '1, but 2 × 1 for broadcasts make 2',
        'no reservation, since AWS keeps 100 unreserved and accountConcurrency is 10',
        null,
      ),
    ],
  ])('of %j is too much for an account of %d', (reservedConcurrency, accountConcurrency, message) => {
    expect(messageOf({ ...leastFile, reservedConcurrency, accountConcurrency })).toBe(message)
  })

  test('is taken back where it was given: an empty variable leaves the file as it is', () => {
    const lines = (file: object, env: Readonly<Record<string, string>>) =>
      messageOf({ ...leastFile, accountConcurrency: 10, ...file }, env)
        .split('\n')
        .slice(-2)
    expect(lines({ reservedConcurrency: { reads: 5 } }, {})).toEqual([
      '  wants    no reservation, since AWS keeps 100 unreserved and accountConcurrency is 10',
      '  example  reservedConcurrency: { reads: null }',
    ])
    expect(lines({}, { EXPLORER_RESERVED_CONCURRENCY_READS: '5' })).toEqual([
      '  example  reservedConcurrency: { reads: null }',
      '  or       EXPLORER_RESERVED_CONCURRENCY_READS=',
    ])
  })

  test('is refused once where its number is wrong by itself', () => {
    expect(messageOf({ ...leastFile, reservedConcurrency: { reads: 0, broadcasts: 500 } })).toBe(
      whole(`config/dev.ts: reservedConcurrency.reads
  got      0
  wants    executions reserved for each GET function, and its most at a time (100 of the account stay unreserved): a whole number from 1 to 10000
  example  reservedConcurrency: { reads: 100 }
  or       EXPLORER_RESERVED_CONCURRENCY_READS=100`),
    )
  })
})
