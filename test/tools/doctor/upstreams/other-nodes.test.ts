import { describe, expect, test } from '@jest/globals'
import { comparisonFindings } from '../../../../tools/doctor/upstreams/other-nodes.ts'
import { healthyNode, tip } from './healthy-node.ts'

const at = (name: string, changes: Partial<typeof tip> = {}) => ({
  name,
  facts: { ...healthyNode(), tip: { ...tip, ...changes } },
})

describe('several nodes', () => {
  test('of another genesis, or more than two blocks apart, are found', () => {
    expect(comparisonFindings([at('a'), at('b', { height: 998 })], true).map(({ level }) => level)).toEqual([
      'ok',
      'ok',
    ])
    const others = [at('a'), at('b', { genesisStateHash: '3Nother', height: 997 })]
    const [network, heights] = comparisonFindings(others, true)
    expect(network).toMatchObject({ level: 'fail', says: expect.stringMatching(/^b: another genesis/) })
    expect(heights).toMatchObject({ level: 'warn', says: 'a 1000, b 997' })
  })

  test('are better pinned to their network', () => {
    expect(comparisonFindings([at('a'), at('b')], false)).toContainEqual({
      level: 'warn',
      subject: 'nodes pin',
      says: 'genesisStateHash is not set: while the first node is down, one of another network would be used',
      remedy: "set genesisStateHash to the first node's genesis",
    })
  })

  test('without a tip are not compared', () => {
    const facts = { ...healthyNode(), tip: { missing: 'bestChain lists no block' } }
    expect(comparisonFindings([at('a'), { name: 'b', facts }], true)).toMatchObject([
      { level: 'warn', subject: 'nodes heights' },
    ])
  })
})
