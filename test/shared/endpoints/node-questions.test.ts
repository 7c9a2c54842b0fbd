// The questions that a GET may ask a node: cheap ones, each with the label of its answer.
import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../../shared/endpoints/all.ts'

const nodeQueries = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap(({ name, operations }) => operations.map((operation) => ({ endpoint: name, operation })))
  .filter(({ operation }) => operation.upstream === 'node')
  .map(({ endpoint, operation }) => ({ endpoint, name: operation.name, operation }))

// A node converts each listed block with all its commands, which takes long.
describe('among the questions of a GET to a node', () => {
  test.each(nodeQueries)(
    '$name of $endpoint lists only the tip, or the latest blocks that were asked for',
    ({ name, operation }) => {
      const lists = [...operation.document.matchAll(/bestChain[^{]*/g)].map(([list]) => list)
      const own = name === 'latestBlocks' ? ['bestChain(maxLength: $maxLength)'] : ['bestChain(maxLength: 1)']
      expect(lists).toEqual(operation.labelBeside ? [] : own)
    },
  )

  test.each(nodeQueries)(
    '$name of $endpoint selects the label of its answer, or has it asked beside',
    ({ operation }) => {
      const { document, labelBeside = false } = operation
      const selected = ['syncStatus', 'stateHash', 'blockHeight', 'date'].filter((field) =>
        new RegExp(`[{ ]${field}[} ]`).test(document),
      )
      expect([labelBeside, selected]).toEqual(
        labelBeside ? [true, expect.any(Array)] : [false, ['syncStatus', 'stateHash', 'blockHeight', 'date']],
      )
    },
  )
})
