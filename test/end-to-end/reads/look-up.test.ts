// A block by its hash, while the chain grows and reorganises under the questions.
import { describe, expect, test } from '@jest/globals'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { createRandom, integerBetween, pick } from '../../../local/chain/random.ts'
import { get, runService } from '../running-service.ts'

const service = await runService()
const { chain } = service

const lookUp = (stateHash: string) => get(`${service.url}/blocks/${stateHash}`)

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

  test('never calls a block canonical, or not, that was not so at some moment of the request', async () => {
    const random = createRandom('look-ups under a changing chain')
    const serveNode = nodeServer(chain)
    const stateOf = (stateHash: string) =>
      chain.frontierBlock(stateHash) === undefined ? 'not held' : `canonical: ${chain.isCanonical(stateHash)}`
    const said: Readonly<Record<number, string>> = { 404: 'not held', 503: 'undecided' }
    const events = [() => chain.produceBlock(), () => chain.reorganise(integerBetween(random, 1, 4))]
    const rounds: { readonly status: number; readonly states: Set<string>; readonly shown: string }[] = []
    for (let round = 0; round < 150; round++) {
      const known = [...chain.frontier(), ...chain.allBlocks().slice(-8)].map(({ stateHash }) => stateHash)
      const stateHash = pick(
        random,
        known.filter((hash) => chain.frontierBlock(hash) !== undefined),
      )
      const states = new Set(['undecided', stateOf(stateHash)])
      service.fault = (request, response) => {
        events[integerBetween(random, 0, 5)]?.()
        states.add(stateOf(stateHash))
        return serveNode(request, response)
      }
      const { status, body } = await lookUp(stateHash)
      service.fault = undefined
      rounds.push({ status, states, shown: said[status] ?? `canonical: ${Object(Object(body).block).canonical}` })
    }
    expect(rounds.filter(({ states, shown }) => !states.has(shown))).toEqual([])
    expect(rounds.filter(({ status }) => status === 200).length).toBeGreaterThan(100)
  })
})
