// The doctor's findings as lines, and the service's operations as it sends and checks them.
import { describe, expect, test } from '@jest/globals'
import { buildSchema, introspectionFromSchema } from 'graphql'
import type { TroubleName } from '../../../local/troubles/upstream-troubles.ts'
import { nodeSchemaText } from '../../../packages/testnet/node/schema.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { shape, text } from '../../../shared/upstream/wire.ts'
import { safeLineOf } from '../../../tools/doctor/examination.ts'
import { fail, isHealthy, lineOf, ok, problemsIn, summaryOf, warn } from '../../../tools/doctor/finding.ts'
import { mutationFindings, readSchema } from '../../../tools/doctor/upstreams/mutations.ts'
import type { Tip } from '../../../tools/doctor/upstreams/node-facts.ts'
import { mutations, queries, queryFinding } from '../../../tools/doctor/upstreams/queries.ts'
import { askUpstream, type QueryResult, questionFinding } from '../../../tools/doctor/upstreams/question.ts'

test('a finding is one line, even where an upstream sent a page', () => {
  const page = `<html>\n  <body>${'x'.repeat(2000)}`
  expect([ok('node', 'fine'), warn('node', 'slow', 'wait'), fail('node', page, 'fix it')].map(lineOf)).toEqual([
    'ok   node: fine',
    'warn node: slow -> wait',
    `fail node: <html> <body>${'x'.repeat(987)}… -> fix it`,
  ])
})

test('the last line counts, in the singular too, and a failure makes the service unhealthy', () => {
  expect(summaryOf([ok('a', '')])).toBe('1 check: 1 ok, 0 warnings, 0 failures')
  const some = [ok('a', ''), warn('b', '', ''), fail('c', '', ''), fail('d', '', '')]
  expect(summaryOf(some)).toBe('4 checks: 1 ok, 1 warning, 2 failures')
  expect(problemsIn(some).map(({ level }) => level)).toEqual(['fail', 'fail', 'warn'])
  expect([some.slice(0, 2), some].map(isHealthy)).toEqual([true, false])
})

test('a secret that an upstream repeats is not printed, nor a part of one that a cut would leave', () => {
  for (const before of [980, 990, 995, 999]) {
    const said = `${'x'.repeat(before)}s3cret-of-the-node`
    expect(safeLineOf(fail('node', said, 'fix it'), ['s3cret-of-the-node'])).not.toMatch(/x(?:s3?)/)
  }
  expect(safeLineOf(fail('node', 'the key s3cret is not s3cret2', 'pass another'), ['s3cret', 'key'])).toBe(
    'fail node: the key … is not …2 -> pass another',
  )
})

const answering =
  (data: object): QueryUpstream =>
  async () => ({ status: 200, data, errors: [] })

test('an operation returns why its answer has another shape, and does not hide a bug of the doctor', async () => {
  const version = operation('node', 'query', 'version', '', shape({ version: text }))
  const reason = 'version.version: wanted text of 1 to 4000 characters, got number'
  expect(await askUpstream(answering({ version: 1 }), version)).toEqual({
    ...{ state: 'failed', fault: 'unreadable', trouble: 'shape', reason, tookMs: expect.any(Number) },
  })
  const mistake = new TypeError('ours')
  await expect(askUpstream(() => Promise.reject(mistake), version)).rejects.toBe(mistake)
})

test('the finding on an operation compares its time with the time-out, and names a trouble and what to do about it', () => {
  const failed = (trouble: TroubleName) =>
    ({ state: 'failed', fault: 'unreadable', trouble, reason: 'its words', tookMs: 1 }) as const
  const answered = (tookMs: number) => ({ state: 'answered', data: {}, tookMs }) as const
  const lineFor = (outcome: QueryResult<unknown>, upstream: 'node' | 'indexer' = 'node', hasKey = false) =>
    lineOf(questionFinding('query x', { upstream, hasKey }, outcome, 1000))
  expect(
    [
      lineFor(answered(500)),
      lineFor(answered(501)),
      lineFor(failed('refused')),
      lineFor(failed('key')),
      lineFor(failed('key'), 'node', true),
      lineFor(failed('forbidden')),
      lineFor(failed('forbidden'), 'node', true),
      lineFor(failed('foreign'), 'indexer'),
    ].join('\n'),
  ).toBe(`ok   query x: answers in 500 ms (time-out 1000 ms)
warn query x: answers in 501 ms (time-out 1000 ms) -> more than half of the time-out: use a nearer or less loaded node
fail query x: refuses connections: nothing listens at its port: its words -> Start it, or correct --node, nodeGraphqlUrl or its entry of nodes. A daemon has GraphQL at port 3085, path /graphql
fail query x: wants a key: its words -> Set --header, or its headers in nodes
fail query x: refuses the key: its words -> Correct --header, or its headers in nodes: its text is not the key that the node takes
fail query x: refuses this address, or wants a key; none is set: its words -> Look at the allow list and the firewall in front of it, or set --header, or its headers in nodes
fail query x: refuses the key, or this address: its words -> Look at the allow list and the firewall in front of it, or set --header, or its headers in nodes
fail query x: does not answer as an indexer: its words -> Correct --indexer or indexerGraphqlUrl. Its path is usually /graphql`)
})

describe('the doctor', () => {
  test('knows every operation of the endpoints but those of one dialect, as a query or as a mutation', () => {
    const kinds = [...queries, ...mutations].map(({ document }) => document.split(' ')[0])
    expect(kinds).toEqual([...queries.map(() => 'query'), ...mutations.map(() => 'mutation')])
    expect(new Set([...queries, ...mutations])).toEqual(
      new Set(endpoints.flatMap(({ operations }) => operations).filter(({ dialect }) => dialect === undefined)),
    )
  })

  test('fills the variables of a query from the tip, and does not send one with an unknown variable', async () => {
    const asked: unknown[] = []
    const recording: QueryUpstream = async (_operation, variables) => {
      asked.push(variables)
      return { status: 200, data: { a: 'b' }, errors: [] }
    }
    const tip: Tip = {
      ...{ stateHash: '3Ntip', creator: 'B62creator', height: 1000, date: 0 },
      ...{ stakingLedgerHash: 'jxLedger', nextLedgerHash: 'jxNext', genesisStateHash: '3Ngenesis' },
    }
    const lineFor = async (variables: string, isPatient = false) => {
      const query = operation('node', 'query', 'x', variables, shape({ a: text }), { isPatient })
      const upstream = { url: 'http://127.0.0.1:1', headers: {}, timeoutMs: 8000, slowTimeoutMs: 9000 }
      return lineOf(await queryFinding(recording, query, tip, upstream)).replace(/\d+ ms(?= \()/, 'N ms')
    }
    expect([
      await lineFor('$stateHash: String!, $publicKey: PublicKey!, $ledgerHash: String!'),
      await lineFor('$lowest: Int, $highest: Int', true),
      await lineFor('$odd: Int'),
    ]).toEqual([
      'ok   query x: answers in N ms (time-out 8000 ms)',
      'ok   query x: answers in N ms (time-out 9000 ms)',
      'warn query x: not asked: no value for $odd -> add one in tools/doctor/upstreams/queries.ts',
    ])
    expect(asked).toEqual([
      { stateHash: '3Ntip', publicKey: 'B62creator', ledgerHash: 'jxLedger' },
      { lowest: 991, highest: 1000 },
    ])
  })

  test('warns of a node that is older than a question which it need not know', async () => {
    const optional = queries.filter(({ mayBeUnknown }) => mayBeUnknown)
    const upstream = { url: 'http://127.0.0.1:1', headers: {}, timeoutMs: 8000 }
    const tip = { stateHash: '3Ntip', creator: 'B62creator', height: 1000, date: 0 }
    const ledgers = { stakingLedgerHash: 'jxLedger', nextLedgerHash: 'jxNext', genesisStateHash: '3Ngenesis' }
    const older = async ({ name }: { readonly name: string }) => ({
      status: 200,
      data: null,
      errors: [`Field '${name}' is not defined on type 'query'`],
    })
    const lines = optional.map(async (each) =>
      lineOf(await queryFinding(older, each, { ...tip, ...ledgers }, upstream)),
    )
    expect(await Promise.all(lines)).toEqual([
      'warn query signatureKind: the node is older than this question -> an upgrade of the daemon brings it; until then answers are right without the field',
    ])
  })

  test('finds what a node’s schema lacks for the mutations, by introspection alone', async () => {
    const asked: string[] = []
    const linesFor = async (query: QueryUpstream) => mutationFindings(await readSchema(query), mutations).map(lineOf)
    const introspected = (sdl: string) => introspectionFromSchema(buildSchema(sdl))
    const without = (part: string) =>
      linesFor((query, variables) => {
        asked.push(query.document.trimStart().split(' ', 2).join(' '))
        return answering(introspected(nodeSchemaText.replace(part, '')))(query, variables)
      })
    const of = (name: string, rest: string, level = 'fail') => `${level} mutation send${name}: ${rest}`
    const held = (name: string) => of(name, 'the node has it, with every argument and field (not sent)', 'ok  ')
    const both = (rest: string, level?: string) => ['Payment', 'Delegation'].map((name) => of(name, rest, level))
    const remedy = '-> use a node of a supported version: this one may accept a command and then answer with an error'
    const hidden = 'not checked, because the node does not disclose its schema: introspection: introspection is off'
    expect([
      await without(''),
      await without('sendDelegation(signature: SignatureInput, input: SendDelegationInput!): SendDelegationPayload!\n'),
      await without('  nonce: UInt32\n'),
      await linesFor(answering(introspected('type Query { version: String }'))),
      await linesFor(async () => ({ status: 200, data: null, errors: ['introspection is off'] })),
    ]).toEqual([
      [held('Payment'), held('Delegation')],
      [held('Payment'), of('Delegation', `Cannot query field "sendDelegation" on type "mutation". ${remedy}`)],
      [of('Payment', `Field "nonce" is not defined by type "SendPaymentInput". ${remedy}`), held('Delegation')],
      both("the node accepts no mutations -> use the node's full GraphQL port (usually 3085), not its limited one"),
      both(`${hidden} -> allow introspection, or check the schema of the node with npm run check:operations`, 'warn'),
    ])
    expect(await without('  feeToken: TokenId!\n')).toEqual([
      expect.stringMatching(/^fail mutation sendPayment: Cannot query field "feeToken" on type "UserCommand"/),
      expect.stringMatching(/^fail mutation sendDelegation: Cannot query field "feeToken" on type "UserCommand"/),
    ])
    expect((await linesFor(answering({ a: 1 })))[0]).toMatch(
      /^warn mutation sendPayment: not checked, .* Invalid or inc/,
    )
    expect(new Set(asked)).toEqual(new Set(['query IntrospectionQuery']))
  })
})
