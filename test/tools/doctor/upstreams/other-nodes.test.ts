import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { comparisonFindings } from '../../../../tools/doctor/upstreams/other-nodes.ts'
import { type ExaminedService, examinedService, linesOf, upstreamsOf } from '../examined-service.ts'
import { healthyNode, tip } from './healthy-node.ts'

// An examination sends some fifty requests one after the other, perhaps on a busy machine.
jest.setTimeout(20_000)

const at = (name: string, changes: Partial<typeof tip> = {}) => ({
  name,
  facts: { ...healthyNode(), tip: { ...tip, ...changes } },
})

describe('several nodes', () => {
  test('that agree have their heights side by side', () => {
    expect(comparisonFindings([at('a'), at('b', { height: 998 })])).toEqual([
      { level: 'ok', subject: 'nodes network', says: 'genesis and chain id of 2 nodes agree' },
      { level: 'ok', subject: 'nodes heights', says: 'a 1000, b 998' },
    ])
  })

  test('of another genesis, or more than two blocks apart, are found', () => {
    const [network, heights] = comparisonFindings([at('a'), at('b', { genesisStateHash: '3Nother', height: 997 })])
    expect(network).toMatchObject({ level: 'fail', says: expect.stringMatching(/^b: another genesis/) })
    expect(heights).toMatchObject({ level: 'warn', says: 'a 1000, b 997' })
  })

  test('without a tip are not compared', () => {
    const facts = { ...healthyNode(), tip: { missing: 'bestChain lists no block' } }
    expect(comparisonFindings([at('a'), { name: 'b', facts }])).toMatchObject([
      { level: 'warn', subject: 'nodes heights' },
    ])
  })
})

describe('an examination', () => {
  let service: ExaminedService
  beforeAll(async () => {
    service = await examinedService()
  })
  afterAll(() => service.close())

  test('has the checks of each node, and their comparison', async () => {
    const plan = upstreamsOf(service)
    const { settings } = plan
    if (settings === undefined) throw new Error('no settings')
    const node = (name: string, url = settings.node.url) => ({ ...settings.node, url, name, sharedAddress: false })
    const nodes = [node('a'), node('b'), node('c', 'http://127.0.0.1:1/graphql')]
    const lines = await linesOf({ ...plan, settings: { ...settings, nodes } })
    expect(lines).toEqual(
      expect.arrayContaining([
        'ok   node b sync: SYNCED',
        expect.stringMatching(/^fail node c: /),
        'ok   nodes network: genesis and chain id of 2 nodes agree',
        'ok   nodes heights: a 40, b 40',
      ]),
    )
  })
})
