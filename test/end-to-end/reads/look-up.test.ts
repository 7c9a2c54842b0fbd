// A block by its hash or its height, while the chain grows and reorganises under the questions.
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { createRandom, integerBetween, pick } from '../../../packages/testnet/random.ts'
import { get, runService } from '../running-service.ts'

const service = await runService()
const { chain } = service

const lookUp = (stateHash: string) => get(`${service.url}/blocks/${stateHash}`)
const lookUpHeight = (height: number) => get(`${service.url}/blocks/height/${height}`)

const random = createRandom('look-ups under a changing chain')
const serveNode = nodeServer(chain)

/** A task during which the chain may change before each answer of the node. */
async function underChange<Result>(task: () => Promise<Result>, onChange: () => unknown): Promise<Result> {
  const events = [() => chain.produceBlock(), () => chain.reorganise(integerBetween(random, 1, 4))]
  service.fault = (request, response) => {
    events[integerBetween(random, 0, 5)]?.()
    onChange()
    return serveNode(request, response)
  }
  const result = await task()
  service.fault = undefined
  return result
}

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

  test('never calls a block canonical, or not, that was not so at some moment of the request', async () => {
    const stateOf = (stateHash: string) =>
      chain.frontierBlock(stateHash) === undefined ? 'not held' : `canonical: ${chain.isCanonical(stateHash)}`
    const said: Readonly<Record<number, string>> = { 404: 'not held', 503: 'undecided' }
    const rounds: { readonly status: number; readonly states: Set<string>; readonly shown: string }[] = []
    for (let round = 0; round < 60; round++) {
      const known = [...chain.frontier(), ...chain.allBlocks().slice(-8)].map(({ stateHash }) => stateHash)
      const stateHash = pick(
        random,
        known.filter((hash) => chain.frontierBlock(hash) !== undefined),
      )
      const states = new Set(['undecided', stateOf(stateHash)])
      const { status, body } = await underChange(
        () => lookUp(stateHash),
        () => states.add(stateOf(stateHash)),
      )
      rounds.push({ status, states, shown: said[status] ?? `canonical: ${Object(Object(body).block).canonical}` })
    }
    expect(rounds.filter(({ states, shown }) => !states.has(shown))).toEqual([])
    expect(rounds.filter(({ status }) => status === 200).length).toBeGreaterThan(35)
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

  test('never gives a block that was not canonical at some moment of the request, and misses none that was there', async () => {
    const rounds: { readonly status: number; readonly shown: unknown; readonly seen: Set<unknown> }[] = []
    for (let round = 0; round < 60; round++) {
      const height = chain.tip().height - integerBetween(random, -1, 6)
      const hashNow = () => chain.bestChain().find((block) => block.height === height)?.stateHash
      const seen = new Set<unknown>([hashNow()])
      const { status, body } = await underChange(
        () => lookUpHeight(height),
        () => seen.add(hashNow()),
      )
      rounds.push({ status, shown: Object(Object(body).block).stateHash, seen })
    }
    const decided = rounds.filter(({ status }) => status !== 503)
    expect(decided.filter(({ shown, seen }) => !seen.has(shown))).toEqual([])
    expect(decided.length).toBeGreaterThan(35)
  })
})
