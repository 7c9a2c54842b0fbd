// What a node's schema lets be null is read as `nullable`: where a question requires it, that null costs its caller a 502.
import { expect, jest, test } from '@jest/globals'
import * as graphql from 'graphql'
import { nodeSchemaText } from '../../../packages/testnet/node/schema.ts'
import * as wire from '../../../shared/upstream/wire.ts'

type Described = wire.WireType<unknown> & { readonly fields?: Record<string, Described>; readonly item?: Described }

// A description hides what it consists of, which only this test asks for.
jest.unstable_mockModule('../../../shared/upstream/wire.ts', () => ({
  ...wire,
  shape: (fields: Record<string, Described>) => ({ ...wire.shape(fields), fields }),
  listOf: (item: Described) => ({ ...wire.listOf(item), fields: item.fields, item }),
}))
const { endpoints } = await import('../../../shared/endpoints/all.ts')
const { withTipForms } = await import('../../../shared/upstream/operation.ts')

/** Fields that are read as required all the same, and why no node says null. */
const neverNull = { 'Account.nonce': 'only of an account that the ledger lacks, and then the account is null itself' }

function isRequired(type: Described | undefined): boolean {
  try {
    type?.read(null, '')
  } catch (error) {
    return String(error).endsWith('got null')
  }
  return false
}

test('a field that the schema of a node lets be null is not read as required', () => {
  const info = new graphql.TypeInfo(graphql.buildSchema(nodeSchemaText))
  const required = new Set<string>()
  const ofNode = endpoints.flatMap(({ operations }) => operations.filter(({ upstream }) => upstream === 'node'))
  for (const { name, document, data } of withTipForms([...new Set(ofNode)])) {
    const above: Described[] = [data]
    const enter = (field: graphql.FieldNode) => {
      const type = above.at(-1)?.fields?.[(field.alias ?? field.name).value]
      const given = info.getType()
      if (!type || !given)
        throw new Error(`${name} selects ${field.name.value} apart from its description, or from the schema`)
      above.push(type)
      const inner = graphql.isNonNullType(given) ? given.ofType : given
      const isNullRefused = inner === given && isRequired(type)
      const isItemRefused = graphql.isListType(inner) && !graphql.isNonNullType(inner.ofType) && isRequired(type.item)
      if (isNullRefused || isItemRefused) required.add(`${info.getParentType()}.${field.name.value}`)
    }
    const leave = () => void above.pop()
    graphql.visit(graphql.parse(document), graphql.visitWithTypeInfo(info, { Field: { enter, leave } }))
  }
  expect([...required]).toEqual(Object.keys(neverNull))
})
