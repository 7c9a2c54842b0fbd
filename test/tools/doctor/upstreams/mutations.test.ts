import { describe, expect, test } from '@jest/globals'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { nodeSchemaText } from '../../../../local/chain/node/schema.ts'
import type { QueryUpstream } from '../../../../shared/upstream/query.ts'
import { lineOf } from '../../../../tools/doctor/finding.ts'
import { mutationFindings, readSchema } from '../../../../tools/doctor/upstreams/mutations.ts'
import { mutations } from '../../../../tools/doctor/upstreams/queries.ts'

/** The lines for a node with this schema; `asked` records the documents it received. */
async function linesFor(sdl: string, asked: string[] = []) {
  const query: QueryUpstream = async ({ document }) => {
    asked.push(document)
    return { status: 200, data: introspectionFromSchema(buildSchema(sdl)), errors: [] }
  }
  return mutationFindings(await readSchema(query), mutations).map(lineOf)
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
    expect(await linesFor(nodeSchemaText, asked)).toEqual([payment, delegation])
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(/^\s*query IntrospectionQuery /)
  })

  test('are reported missing one by one', async () => {
    const sdl = changed(
      'sendDelegation(signature: SignatureInput, input: SendDelegationInput!): SendDelegationPayload!\n',
      '',
    )
    expect(await linesFor(sdl)).toEqual([
      payment,
      `fail mutation sendDelegation: Cannot query field "sendDelegation" on type "mutation". -> ${remedy}`,
    ])
  })

  test('are all missing on the limited port', async () => {
    const limitedPort = 'type Query { version: String }'
    const line = "the node accepts no mutations -> use the node's full GraphQL port (usually 3085), not its limited one"
    expect(await linesFor(limitedPort)).toEqual([
      `fail mutation sendPayment: ${line}`,
      `fail mutation sendDelegation: ${line}`,
    ])
  })

  test('fail without one of their arguments', async () => {
    expect(
      await linesFor(changed('input SendPaymentInput {\n  nonce: UInt32\n', 'input SendPaymentInput {\n')),
    ).toEqual([
      `fail mutation sendPayment: Field "nonce" is not defined by type "SendPaymentInput". -> ${remedy}`,
      delegation,
    ])
  })

  test('fail without a field of the answer', async () => {
    expect(await linesFor(changed('  feeToken: TokenId!\n', ''))).toEqual([
      expect.stringContaining('fail mutation sendPayment: Cannot query field "feeToken" on type "UserCommand".'),
      expect.stringContaining('fail mutation sendDelegation: Cannot query field "feeToken" on type "UserCommand".'),
    ])
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
    const lines = mutationFindings(await readSchema(async () => reply), mutations).map(lineOf)
    const says = `not checked, because the node does not disclose its schema: ${reason}`
    const todo = 'allow introspection, or check the schema of the node with npm run check:operations'
    expect(lines).toEqual([
      expect.stringContaining(`warn mutation sendPayment: ${says}`),
      expect.stringContaining(`warn mutation sendDelegation: ${says}`),
    ])
    expect(lines.every((line) => line.endsWith(` -> ${todo}`))).toBe(true)
  })
})
