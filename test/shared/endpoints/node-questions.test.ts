// The questions that a GET may ask a node: cheap ones, each with the tip of its answer.
import { describe, expect, test } from '@jest/globals'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { networkQuery } from '../../../shared/upstream/network.ts'

/** Lists of more than the tip. */
const lists: Readonly<Record<string, string>> = {
  latestBlocks: 'bestChain(maxLength: $maxLength)',
  latestNames: 'bestChain(maxLength: $maxLength)',
  chainEnd: 'bestChain(maxLength: $maxLength)',
  latestHistory: 'bestChain(maxLength: $maxLength)',
  ...Object.fromEntries(
    ['commandByHash', 'commandByTerms', 'latestCommands', 'commandsOfSender'].map((name) => [
      name,
      'bestChain(maxLength: $maxLength)',
    ]),
  ),
  latestFees: 'bestChain(maxLength: 20)',
  nodeBranch: 'bestChain(maxLength: 4)',
  payerNonces: 'bestChain(maxLength: $newest)',
}

const nodeQueries = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap(({ name, operations }) => operations.map((operation) => ({ endpoint: name, operation })))
  .filter(({ operation }) => operation.upstream === 'node')
  .map(({ endpoint, operation }) => ({ endpoint, name: operation.name, operation }))

// A node converts each listed block with all its commands, which takes long.
describe('among the questions of a GET to a node', () => {
  test.each(nodeQueries)(
    '$name of $endpoint lists only the tip, or the latest blocks that it is about',
    ({ name, operation }) => {
      const selected = [...operation.document.matchAll(/bestChain[^{]*/g)].map(([list]) => list)
      expect(selected).toEqual(operation.withTip ? [] : [lists[name] ?? 'bestChain(maxLength: 1)'])
    },
  )

  // A daemon gathers its peers for it, and is slow to answer or never does.
  test('only the one for the network selects the status of the daemon', () => {
    const slow = nodeQueries.filter(({ operation }) => operation.document.includes('daemonStatus'))
    expect(new Set(slow.map(({ operation }) => operation))).toEqual(new Set([networkQuery]))
  })

  test.each(nodeQueries)(
    '$name of $endpoint selects the tip of its answer, or has it asked beside',
    ({ operation }) => {
      const { document, withTip } = operation
      const isTipApart = withTip !== undefined
      const selected = ['syncStatus', 'stateHash', 'blockHeight', 'date'].filter((field) =>
        new RegExp(`[{ ]${field}[} ]`).test(document),
      )
      expect([isTipApart, selected]).toEqual(
        isTipApart ? [true, expect.any(Array)] : [false, ['syncStatus', 'stateHash', 'blockHeight', 'date']],
      )
    },
  )
})
