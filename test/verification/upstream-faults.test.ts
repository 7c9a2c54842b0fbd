// A sample of the faults through the service, and wrong services that the judge must detect.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { endpoints } from '../../shared/endpoints/all.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { getBlock } from '../../shared/endpoints/get-block.ts'
import { type Case, caseName, quickCases } from '../../verification/upstream-faults/cases.ts'
import { catalogue } from '../../verification/upstream-faults/catalogue.ts'
import { type Laboratory, laboratory } from '../../verification/upstream-faults/run.ts'
import { count, emptyTally, report, resultOf } from '../../verification/upstream-faults/tally.ts'
import { changedAnswers } from '../../verification/upstream-faults/wrong/changed-answers.ts'
import { telling, wrongServices } from '../../verification/upstream-faults/wrong-services.ts'

let lab: Laboratory
let cases: readonly Case[]
beforeAll(async () => {
  lab = await laboratory('verification')
  cases = await lab.cases('1')
})
afterAll(() => lab.close())

test('the catalogue has more than four hundred faults with different names, each of which hits an answer', () => {
  const names = new Set(catalogue.map(({ name }) => name))
  expect([names.size, names.size > 400]).toEqual([catalogue.length, true])
  const named = cases.filter(({ fault }) => fault.kind !== 'field')
  expect(new Set(named.map(({ fault }) => fault.name))).toEqual(names)
})

test('the fields of every endpoint are spoilt', () => {
  const spoilt = cases.filter(({ fault }) => fault.kind === 'field').map(({ scenario }) => scenario.endpoint)
  expect(new Set(spoilt)).toEqual(new Set(endpoints.map(({ name }) => name)))
})

test('the same seed gives the same cases', async () => {
  const again = await lab.cases('1', lab.scenarios.slice(0, 4))
  // As one text: a difference in thousands of lines says nothing.
  const namesOf = (some: readonly Case[]) => some.map(caseName).join('\n')
  expect(again.length).toBeGreaterThan(1000)
  expect(namesOf(again) === namesOf(cases.slice(0, again.length))).toBe(true)
})

// The bench of upstream faults tries every case.
test('under a sample of the faults, and after each of them, every answer of the service is right', async () => {
  const tally = emptyTally()
  const sample = quickCases(cases).filter(({ fault }, index) => index % 12 === 0 && !fault.name.includes('hangs'))
  for (const one of sample) count(tally, resultOf(one, await lab.try(one)))
  expect([...tally.wrongs.values()]).toEqual([])
  expect(report(tally, 1000)).toContain(`${sample.length} faults, ${2 * sample.length} answers, 0 wrong, 1.0 s`)
})

test('a command that the indexer gives for its nonce and not for its hash is the one of that hash', async () => {
  // Of this chain an old zkApp command is asked for with the terms of its fee payer.
  const other = await laboratory('upstream faults')
  try {
    const hidden = 'indexer indexedNonce byHash.0: absent'
    const asked = other.scenarios.filter(({ name }) => name === 'fate: an old zkApp command')
    const [one] = (await other.cases('1', asked)).filter(({ fault }) => fault.name === hidden)
    if (one === undefined) throw new Error('no case')
    expect((await other.try(one)).map(({ status, wrongs }) => [status, wrongs])).toEqual(Array(2).fill([200, []]))
  } finally {
    await other.close()
  }
})

describe('the judge', () => {
  const wrongsOf = async (one: Case | undefined, run: (endpoint: Endpoint) => unknown) => {
    if (one === undefined) throw new Error('no case')
    const judged = await lab.try(one, {
      wrapEndpoint: (endpoint) => ({ ...endpoint, run: run(endpoint) as Endpoint['run'] }),
    })
    return judged.map(({ status, wrongs }) => [status, wrongs.length > 0])
  }

  test.each(Object.entries(wrongServices))('detects a service that %s', async (_name, service) => {
    const tally = emptyTally()
    for (const one of telling(service, cases)) {
      if (tally.wrong === 0) count(tally, resultOf(one, await lab.try(one, service)))
    }
    const [wrong] = tally.wrongs.values()
    expect(report(tally, 0)).toContain(`${wrong?.text}\n    --only ${JSON.stringify(wrong?.example)}`)
  })

  test('detects every change of one field, status or header of a right answer', async () => {
    const counts = { changed: 0, overlooked: [] as string[] }
    for (const scenario of lab.scenarios) {
      const { received, wrongsOf } = await lab.plain(scenario)
      expect([scenario.name, wrongsOf(received)]).toEqual([scenario.name, []])
      for (const { name, received: changed } of changedAnswers(received)) {
        counts.changed += 1
        if (wrongsOf(changed).length === 0) counts.overlooked.push(`${scenario.name}: ${name}`)
      }
    }
    expect([counts.overlooked, counts.changed > 5000]).toEqual([[], true])
  })

  test('detects a service that keeps an old block like a final one, though its node does not say k', async () => {
    const hidden = 'node nodeGenesis daemonStatus.consensusConfiguration: null'
    const one = cases.find(({ fault, scenario }) => fault.name === hidden && scenario.name === 'old block')
    const caching = getBlock.caching[200]?.final
    const always =
      ({ run }: Endpoint) =>
      async (...asked: Parameters<typeof run>) => ({ ...(await run(...asked)), caching })
    expect(await wrongsOf(one, ({ run }) => run)).toEqual(Array(2).fill([200, false]))
    expect(await wrongsOf(one, always)).toEqual([
      [200, true],
      [200, false],
    ])
  })

  test('expects no reason for a failure of a pending command, whatever a pool says: only a block fails one', async () => {
    const spoilt = 'node commandByTerms pooledUserCommands.0.failureReason: '
    const some = cases.filter(
      ({ fault, scenario }) => fault.name.startsWith(spoilt) && scenario.name === 'fate: pending by its terms',
    )
    const wrong = []
    for (const one of some) if ((await wrongsOf(one, ({ run }) => run)).some(([, isWrong]) => isWrong)) wrong.push(one)
    expect([wrong.map(caseName), some.length > 0]).toEqual([[], true])
  })

  test("reads an indexer's row whose memo nobody could have sent as a row that shows nothing", async () => {
    const all = cases.filter(
      ({ fault, scenario }) =>
        scenario.name.startsWith('fate: ') && /^indexer \w+ by(?:Hash|Nonce)\.0\.memo: /.test(fault.name),
    )
    // Each memo in one request that may meet it.
    const some = [...new Map(all.map((one) => [one.fault.name, one])).values()]
    const wrong = []
    for (const one of some) if ((await wrongsOf(one, ({ run }) => run)).some(([, isWrong]) => isWrong)) wrong.push(one)
    expect([wrong.map(caseName), some.length > 0]).toEqual([[], true])
  })

  test('detects a service that throws, and one that answers something else altogether', async () => {
    const nothing = () => async () => ({ status: 200, body: {} })
    const throwing = () => () => Promise.reject(new Error('broken'))
    expect(await wrongsOf(cases[0], nothing)).toEqual(Array(2).fill([200, true]))
    expect(await wrongsOf(cases[0], throwing)).toEqual(Array(2).fill([500, true]))
  })
})
