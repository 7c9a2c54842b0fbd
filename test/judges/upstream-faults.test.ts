// A sample of the faults through the service, and wrong services that the judge must detect.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Case, caseName, quickCases } from '../../packages/proofs/upstream-faults/cases.ts'
import { catalogue } from '../../packages/proofs/upstream-faults/catalogue.ts'
import { judging } from '../../packages/proofs/upstream-faults/judge/judge.ts'
import { type Laboratory, laboratory } from '../../packages/proofs/upstream-faults/run.ts'
import { count, emptyTally, report, resultOf } from '../../packages/proofs/upstream-faults/tally.ts'
import { changedAnswers } from '../../packages/proofs/upstream-faults/wrong/changed-answers.ts'
import { telling, wrongServices } from '../../packages/proofs/upstream-faults/wrong-services.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { historyCaching } from '../../shared/transactions/history-page.ts'

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
  const sample = quickCases(cases).filter(({ fault }, index) => index % 24 === 0 && !fault.name.includes('hangs'))
  for (const one of sample) count(tally, resultOf(one, await lab.try(one)))
  expect([...tally.wrongs.values()]).toEqual([])
  expect(report(tally, 1000)).toContain(`${sample.length} faults, ${2 * sample.length} answers, 0 wrong, 1.0 s`)
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

  test('proves every field of the answers without a fault by the chain: it detects every change of one of them', async () => {
    const counts = { changed: 0, overlooked: [] as string[] }
    for (const scenario of lab.scenarios) {
      expect([scenario.name, await lab.unproved(scenario)]).toEqual([scenario.name, []])
      const [usual] = await lab.usual(scenario)
      // One in eight, the same ones each time.
      for (const { name, received } of changedAnswers(usual.received)) {
        counts.changed += 1
        if (counts.changed % 8 !== 0) continue
        // Words, and what a node and an indexer tell differently of a block that both have.
        const isFree = /hint: another text$|^transactions.*command\.id: left out$/.test(name)
        if (!isFree && lab.unprovedIn(scenario, { ...usual, received }).length === 0)
          counts.overlooked.push(`${scenario.name}: ${name}`)
      }
    }
    expect([counts.overlooked, counts.changed > 7000]).toEqual([[], true])
  })

  test('detects every change of one field, status or header of the answer under a fault that leaves it right', async () => {
    const overlooked: string[] = []
    for (const scenario of lab.scenarios) {
      const [usual] = await lab.usual(scenario)
      const wrongsOf = judging({ scenario, usual, exchanges: usual.exchanges, turn: 'fault', isHeld: true })
      expect(wrongsOf(usual.received)).toEqual([])
      for (const { name, received } of changedAnswers(usual.received))
        if (wrongsOf(received).length === 0) overlooked.push(`${scenario.name}: ${name}`)
    }
    expect(overlooked).toEqual([])
  })

  test('detects a service that keeps a page of a history like a final one, though its node does not say k', async () => {
    const isTelling = ({ fault, scenario, operation }: Case) =>
      fault.name === 'node does not say k' && /below a final block$/.test(scenario.name) && operation === 'nodeNetwork'
    const one = cases.find(isTelling)
    const caching = historyCaching.final
    const always =
      ({ run }: Endpoint) =>
      async (...asked: Parameters<typeof run>) => ({ ...(await run(...asked)), caching })
    expect(await wrongsOf(one, ({ run }) => run)).toEqual(Array(2).fill([200, false]))
    expect(await wrongsOf(one, always)).toEqual([
      [200, true],
      [200, false],
    ])
  })

  test('detects a service that throws, and one that answers something else altogether', async () => {
    const nothing = () => async () => ({ status: 200, body: {} })
    const throwing = () => () => Promise.reject(new Error('broken'))
    expect(await wrongsOf(cases[0], nothing)).toEqual(Array(2).fill([200, true]))
    expect(await wrongsOf(cases[0], throwing)).toEqual(Array(2).fill([500, true]))
  })
})
