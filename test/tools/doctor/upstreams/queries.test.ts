import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../../../shared/endpoints/all.ts'
import { operation } from '../../../../shared/upstream/operation.ts'
import type { QueryUpstream } from '../../../../shared/upstream/query.ts'
import { shape, text } from '../../../../shared/upstream/wire.ts'
import { lineOf } from '../../../../tools/doctor/finding.ts'
import { mutations, queries, queryFinding } from '../../../../tools/doctor/upstreams/queries.ts'
import { tip } from './healthy-node.ts'

const upstream = { url: 'http://127.0.0.1:1', headers: {}, timeoutMs: 8000, slowTimeoutMs: 9000 }

/** Records the variables of every operation. */
function recording(asked: unknown[]): QueryUpstream {
  return async (_operation, variables) => {
    asked.push(variables)
    return { status: 200, data: {}, errors: [] }
  }
}

describe('the queries', () => {
  test('are listed once each, without mutations', () => {
    const names = queries.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(queries.filter(({ document }) => !document.startsWith('query '))).toEqual([])
    expect(mutations.filter(({ document }) => !document.startsWith('mutation '))).toEqual([])
    expect([...queries, ...mutations].map(({ name }) => name).sort()).toEqual(
      [...new Set(endpoints.flatMap(({ operations }) => operations))].map(({ name }) => name).sort(),
    )
  })

  test('get their values from the tip', async () => {
    const asked: unknown[] = []
    const variables = '$stateHash: String!, $publicKey: PublicKey!, $ledgerHash: String!'
    await queryFinding(recording(asked), operation('node', 'query', 'x', variables, shape({ a: text })), tip, upstream)
    expect(asked).toEqual([{ stateHash: '3Ntip', publicKey: 'B62creator', ledgerHash: 'jxLedger' }])
  })

  test('with an unknown variable are not sent', async () => {
    const asked: unknown[] = []
    const query = operation('node', 'query', 'x', '$odd: Int', shape({ a: text }))
    expect(lineOf(await queryFinding(recording(asked), query, tip, upstream))).toBe(
      'warn query x: not asked: no value for $odd -> add one in tools/doctor/upstreams/queries.ts',
    )
    expect(asked).toEqual([])
  })

  test.each([
    [false, 8000],
    [true, 9000],
  ])('that are patient (%s) have %i ms', async (isPatient, limitMs) => {
    const query = operation('node', 'query', 'x', '', shape({ a: text }), { isPatient })
    const finding = await queryFinding(
      async () => ({ status: 200, data: { a: 'b' }, errors: [] }),
      query,
      tip,
      upstream,
    )
    expect(lineOf(finding)).toMatch(new RegExp(`^ok {3}query x: answers in \\d+ ms \\(time-out ${limitMs} ms\\)$`))
  })
})
