// A block by its hash, while the chain grows and reorganises under the questions.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { createRandom, integerBetween } from '../../../local/chain/random.ts'
import { get, type RunningService, runService } from '../running-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service.close())

const lookUp = (stateHash: string) => get(`${service.url}/blocks/${stateHash}`)

describe('GET /blocks/{state_hash}', () => {
  test('finds every block that the node holds: the best chain from root to tip as canonical, forks as not', async () => {
    const { chain } = service
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
    const { chain, received } = service
    const [root, tip, none] = [chain.frontier()[0], chain.tip(), chain.genesisBlock()]
    const counts: number[] = []
    for (const { stateHash } of [tip, none, root ?? tip]) {
      const before = received.length
      await lookUp(stateHash)
      counts.push(received.length - before)
    }
    expect(counts).toEqual([2, 4, 3])
  })

  test('never calls a block canonical, or not, that was not so at some moment of the request', async () => {
    const { chain } = service
    const random = createRandom('look-ups under a changing chain')
    const serveNode = nodeServer(chain)
    const statuses: number[] = []
    for (let round = 0; round < 150; round++) {
      const held = [...chain.frontier(), ...chain.allBlocks().slice(-8)].filter(
        ({ stateHash }) => chain.frontierBlock(stateHash) !== undefined,
      )
      const { stateHash = '' } = held[integerBetween(random, 0, held.length - 1)] ?? {}
      const moments = new Set<string>()
      const record = () =>
        moments.add(chain.frontierBlock(stateHash) === undefined ? 'not held' : String(chain.isCanonical(stateHash)))
      record()
      service.fault = (request, response) => {
        const change = integerBetween(random, 0, 5)
        if (change === 0) chain.produceBlock()
        if (change === 1) chain.reorganise(integerBetween(random, 1, 4))
        record()
        return serveNode(request, response)
      }
      const { status, body } = await lookUp(stateHash)
      service.fault = undefined
      statuses.push(status)
      const said = status === 404 ? 'not held' : String(Object(Object(body).block).canonical)
      if (status !== 503) expect([...moments]).toContain(said)
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(100)
    expect(statuses.filter((status) => ![200, 404, 503].includes(status))).toEqual([])
  })
})
