import { describe, expect, test } from '@jest/globals'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { nodeSchemaText } from '../../../../local/chain/node/schema.ts'
import type { QueryUpstream } from '../../../../shared/upstream/query.ts'
import { lineOf } from '../../../../tools/doctor/finding.ts'
import { mutationFindings, readSchema } from '../../../../tools/doctor/upstreams/mutations.ts'
import { mutations } from '../../../../tools/doctor/upstreams/queries.ts'

const linesFor = async (query: QueryUpstream) => mutationFindings(await readSchema(query), mutations).map(lineOf)

/** A node of this schema; `asked` records the documents it receives. */
const nodeOf =
  (sdl: string, asked: string[] = []): QueryUpstream =>
  async ({ document }) => {
    asked.push(document)
    return { status: 200, data: introspectionFromSchema(buildSchema(sdl)), errors: [] }
  }

/** The node's schema with a part of it replaced. */
function changed(text: string, replacement: string): string {
  if (!nodeSchemaText.includes(text)) throw new Error(`the schema has no ${text}`)
  return nodeSchemaText.replace(text, replacement)
}

const payment = 'ok   mutation sendPayment: the node has it, with every argument and field (not sent)'
const delegation = 'ok   mutation sendDelegation: the node has it, with every argument and field (not sent)'
const remedy = 'use a node of a supported version: this one may accept a command and then answer with an error'

describe('the mutations', () => {
  test('are found in a complete schema, by one introspection query', async () => {
    const asked: string[] = []
    expect(await linesFor(nodeOf(nodeSchemaText, asked))).toEqual([payment, delegation])
    expect(asked).toEqual([expect.stringMatching(/^\s*query IntrospectionQuery /)])
  })

  test.each([
    [
      'are reported missing one by one',
      changed('sendDelegation(signature: SignatureInput, input: SendDelegationInput!): SendDelegationPayload!\n', ''),
      [payment, `fail mutation sendDelegation: Cannot query field "sendDelegation" on type "mutation". -> ${remedy}`],
    ],
    [
      'fail without one of their arguments',
      changed('input SendPaymentInput {\n  nonce: UInt32\n', 'input SendPaymentInput {\n'),
      [`fail mutation sendPayment: Field "nonce" is not defined by type "SendPaymentInput". -> ${remedy}`, delegation],
    ],
    [
      'fail without a field of the answer',
      changed('  feeToken: TokenId!\n', ''),
      ['sendPayment', 'sendDelegation'].map((name) =>
        expect.stringContaining(`fail mutation ${name}: Cannot query field "feeToken" on type "UserCommand".`),
      ),
    ],
    [
      'are all missing on the limited port',
      'type Query { version: String }',
      ['sendPayment', 'sendDelegation'].map(
        (name) =>
          `fail mutation ${name}: the node accepts no mutations -> use the node's full GraphQL port (usually 3085), not its limited one`,
      ),
    ],
  ])('%s', async (_, sdl, lines) => {
    expect(await linesFor(nodeOf(sdl))).toEqual(lines)
  })

  test.each([
    [
      'refuses introspection',
      { status: 200, data: null, errors: ['introspection is off'] },
      'introspection: introspection is off',
    ],
    [
      'answers something else',
      { status: 200, data: { a: 1 }, errors: [] },
      'Invalid or incomplete introspection result.',
    ],
  ])('are not checked where the node %s', async (_, reply, reason) => {
    const says = `not checked, because the node does not disclose its schema: ${reason}`
    const todo = 'allow introspection, or check the schema of the node with npm run check:operations'
    const lines = await linesFor(async () => reply)
    expect(lines.map((line) => [line.startsWith(`warn mutation `), line.includes(says), line.endsWith(todo)])).toEqual([
      [true, true, true],
      [true, true, true],
    ])
  })
})
