import { expect, test } from '@jest/globals'
import { buildSchema, parse, validate } from 'graphql'
import { indexerSchemaText } from '../local/chain/indexer/schema.ts'
import { nodeSchemaText } from '../local/chain/node/schema.ts'
import { endpoints } from '../shared/endpoints/all.ts'

const operations = endpoints.flatMap((endpoint) => endpoint.operations)

const dialects = { node: nodeSchemaText, indexer: indexerSchemaText }

test.each(operations)('$name is valid in the dialect of its upstream', ({ upstream, document }) => {
  expect(validate(buildSchema(dialects[upstream]), parse(document))).toEqual([])
})

test.each(operations)('$name passes values as variables only, all of them declared and used', ({ document }) => {
  const declared = [...document.slice(0, document.indexOf('{')).matchAll(/\$(\w+):/g)].map(([, name]) => name)
  const used = [...document.slice(document.indexOf('{')).matchAll(/\$(\w+)/g)].map(([, name]) => name)
  expect(new Set(used)).toEqual(new Set(declared))
  expect(document.slice(document.indexOf('{'))).not.toContain('"')
})
