// A block by its hash or its height. The simulated world asks while the chain grows and reorganises: see
// test/verification/world/reads.test.ts.
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { get, runService } from '../running-service.ts'

const service = await runService()
const { chain } = service

const lookUp = (stateHash: string) => get(`${service.url}/blocks/${stateHash}`)
const lookUpHeight = (height: number) => get(`${service.url}/blocks/height/${height}`)

describe('GET /blocks/{state_hash}', () => {
  test('finds every block that the node holds: the best chain from root to tip as canonical, forks as not', async () => {
    const abandoned = chain.frontier().slice(-3)
    chain.reorganise(3)
    const best = chain.frontier()
    const answers = await Promise.all([...best, ...abandoned].map(({ stateHash }) => lookUp(stateHash)))
    expect(answers.map(({ body }) => body)).toMatchObject([
      ...best.map(({ stateHash, height }) => ({ block: { stateHash, blockHeight: height, canonical: true } })),
      ...abandoned.map(({ stateHash, height }) => ({ block: { stateHash, blockHeight: height, canonical: false } })),
    ])
    expect(best).toHaveLength(chain.frontierBlocks)
  })

  test('asks the node two questions for the tip, three for any other block, and four for one that does not exist', async () => {
    const counts: number[] = []
    for (const block of [chain.tip(), chain.genesisBlock(), chain.frontier()[0]]) {
      const before = service.received.length
      await lookUp(block?.stateHash ?? '')
      counts.push(service.received.length - before)
    }
    expect(counts).toEqual([2, 4, 3])
  })
})

describe('GET /blocks/height/{height}', () => {
  const ofAnswer = ({ status, headers, body }: Awaited<ReturnType<typeof get>>) => ({
    ...{ status, body, etag: headers.get('etag'), caching: headers.get('cache-control') },
  })

  test('gives each block of the best chain as GET /blocks/{state_hash} does, in one question to the node above the root', async () => {
    const answers: [byHash: object, byHeight: object][] = []
    const counts: number[] = []
    for (const { stateHash, height } of chain.frontier()) {
      const byHash = ofAnswer(await lookUp(stateHash))
      const before = service.received.length
      answers.push([byHash, ofAnswer(await lookUpHeight(height))])
      counts.push(service.received.length - before)
    }
    expect(answers.filter(([byHash, byHeight]) => !isDeepStrictEqual(byHash, byHeight))).toEqual([])
    expect(new Set(counts.slice(1))).toEqual(new Set([1]))
    expect(answers).toHaveLength(chain.frontierBlocks)
  })
})
