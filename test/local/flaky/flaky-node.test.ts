import { describe, expect, test } from '@jest/globals'
import { flakyNode, type Purpose, type Trouble } from '../../../local/flaky/flaky-node.ts'
import { everyOtherAnswerLost, randomTroubles } from '../../../local/flaky/troubles.ts'
import { findCommandQuery } from '../../../shared/chain/broadcast/pool-check.ts'
import { serve, untilTestEnds } from '../../serving.ts'

/** A node that answers `{"data":{}}`, behind one with this trouble. */
async function troubled(trouble: Trouble) {
  const [purposes, pauses]: [Purpose[], number[]] = [[], []]
  let answered = 0
  const { url } = await serve((_request, response) => {
    answered++
    response.end('{"data":{}}')
  })
  const troubleWith = (purpose: Purpose) => {
    purposes.push(purpose)
    return trouble
  }
  const flaky = untilTestEnds(await flakyNode(`${url}/graphql`, troubleWith, async (ms) => pauses.push(ms)))
  return async (query: string) => {
    const body = JSON.stringify({ query })
    const reply = await fetch(`http://127.0.0.1:${flaky.port}/graphql`, { method: 'POST', body }).catch(() => undefined)
    return { text: await reply?.text(), answered, purposes, pauses }
  }
}

describe('a flaky node', () => {
  test.each([
    ['none', { text: '{"data":{}}', answered: 1, pauses: [] }],
    ['late', { text: '{"data":{}}', answered: 1, pauses: [9000] }],
    ['broken', { text: '{"dat', answered: 1, pauses: [] }],
    ['lost answer', { text: undefined, answered: 1, pauses: [] }],
    ['lost request', { text: undefined, answered: 0, pauses: [] }],
  ] as const)('answers as the trouble "%s" has it', async (trouble, expected) => {
    const ask = await troubled(trouble)
    expect(await ask('query tip {syncStatus}')).toEqual({ ...expected, purposes: ['read'] })
  })

  test('tells mutations and searches for a command from other questions', async () => {
    const ask = await troubled('none')
    for (const query of ['mutation sendPayment {x}', findCommandQuery.document]) await ask(query)
    expect((await ask('query tip {syncStatus}')).purposes).toEqual(['mutation', 'search', 'read'])
  })

  test('passes on what the node serves beside GraphQL, without trouble', async () => {
    const { url } = await serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      response.writeHead(409).end(`${request.method} ${request.url} ${body}`)
    })
    const { port } = untilTestEnds(await flakyNode(`${url}/graphql`, () => 'lost request'))
    const reply = await fetch(`http://127.0.0.1:${port}/indexer/graphql?a=b`, { method: 'POST', body: 'asked' })
    expect([reply.status, await reply.text()]).toEqual([409, 'POST /indexer/graphql?a=b asked'])
  })

  test('cuts the connection when the node behind it is gone', async () => {
    const { port } = untilTestEnds(await flakyNode('http://127.0.0.1:1/graphql', () => 'none'))
    await expect(fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' })).rejects.toThrow()
  })
})

describe('random troubles', () => {
  test('have the rate that was asked for, and all kinds', () => {
    const troubleWith = randomTroubles('seed', 0.3, () => 0)
    const drawn = Array.from({ length: 2000 }, () => troubleWith('read'))
    expect(drawn.filter((trouble) => trouble !== 'none').length / 2000).toBeCloseTo(0.3, 1)
    expect([...new Set(drawn)].sort()).toEqual(['broken', 'late', 'lost answer', 'lost request', 'none'])
    expect(randomTroubles('seed', 0, () => 0)('mutation')).toBe('none')
  })

  test('have spells of half a minute in which every answer about commands is lost', () => {
    let now = 0
    const troubleWith = randomTroubles('seed', 1, () => now)
    const lostInARow = () => {
      let lost = 0
      while (troubleWith('search') === 'lost answer' && lost < 100) lost++
      return lost
    }
    for (let tries = 0; lostInARow() < 100 && tries < 100; tries++) troubleWith('mutation')
    expect(lostInARow()).toBe(100)
    now = 30_000
    expect(lostInARow()).toBeLessThan(100)
  })
})

test('the troubles of a demo lose every other answer to a mutation', () => {
  let losses = 0
  const troubleWith = everyOtherAnswerLost(() => losses++)
  const asked: readonly Purpose[] = ['mutation', 'read', 'mutation', 'search', 'mutation']
  expect(asked.map(troubleWith)).toEqual(['lost answer', 'none', 'none', 'none', 'lost answer'])
  expect(losses).toBe(2)
})
