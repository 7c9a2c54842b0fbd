// Polling with a condition over HTTP, on a chain that grows and reorganises.
import { describe, expect, test } from '@jest/globals'
import { createRandom, integerBetween } from '../../../local/chain/random.ts'
import { runService } from '../running-service.ts'

const service = await runService()
const { chain } = service

async function poll(path: string, etag = '') {
  const before = service.received.length
  const response = await fetch(service.url + path, { headers: { 'if-none-match': etag } })
  const text = await response.text()
  const { status, headers } = response
  return { status, text, headers, etag: headers.get('etag') ?? '', questions: service.received.length - before }
}

const tagOf = async (path: string) => (await poll(path)).etag

describe('polling with the last tag', () => {
  test.each(['/blocks?limit=10', '/summary'])('gets 304 from %s just as long as the tip is the same', async (path) => {
    const random = createRandom(`polling ${path}`)
    const events = [() => chain.produceBlock(), () => chain.reorganise(2)]
    let last = { etag: await tagOf(path), stateHash: chain.tip().stateHash }
    const rounds = []
    for (let round = 0; round < 60; round++) {
      events[integerBetween(random, 0, 11)]?.()
      const { stateHash } = chain.tip()
      const { status, text, headers, etag, questions } = await poll(path, last.etag)
      const shown = [headers.get('x-chain-state-hash'), text.includes(stateHash), text === '', questions]
      rounds.push({ isSame: stateHash === last.stateHash, status, shown, stateHash })
      expect(headers.get('cache-control')).toBe('public, max-age=5, stale-while-revalidate=10, stale-if-error=60')
      last = { etag, stateHash }
    }
    const answers = {
      same: (stateHash: string) => ({ status: 304, shown: [stateHash, false, true, 1] }),
      another: (stateHash: string) => ({ status: 200, shown: [stateHash, true, false, 2] }),
    }
    const expected = rounds.map(({ isSame, stateHash }) => {
      return { isSame, stateHash, ...answers[isSame ? 'same' : 'another'](stateHash) }
    })
    expect(rounds).toEqual(expected)
    expect(rounds.filter(({ isSame }) => isSame).length).toBeGreaterThan(40)
    expect(rounds.filter(({ isSame }) => !isSame).length).toBeGreaterThan(4)
  })

  test('gets 304 for a block until it leaves the best chain, and again when only the tip moves on', async () => {
    const [settled, path] = [chain.frontier().at(-5), `/blocks/${chain.tip().stateHash}`]
    const tags = { settled: await tagOf(`/blocks/${settled?.stateHash}`), tip: await tagOf(path) }
    chain.produceBlock()
    expect((await poll(path, tags.tip)).status).toBe(304)
    chain.reorganise(3)
    const orphaned = await poll(path, tags.tip)
    expect([orphaned.status, orphaned.text.includes('"canonical":false')]).toEqual([200, true])
    expect((await poll(`/blocks/${settled?.stateHash}`, tags.settled)).status).toBe(304)
    expect((await poll(path, orphaned.etag)).status).toBe(304)
  })
})

test('the tag of one limit, of one block or of the summary is not another’s', async () => {
  const paths = ['/blocks?limit=1', '/blocks?limit=2', '/summary', `/blocks/${chain.tip().stateHash}`]
  const tags = await Promise.all(paths.map(tagOf))
  expect(new Set(tags).size).toBe(paths.length)
  const answers = await Promise.all(paths.map((path, index) => poll(path, tags[(index + 1) % paths.length])))
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
})
