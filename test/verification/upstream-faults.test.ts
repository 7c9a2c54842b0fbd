// A sample of the faults through the service, and wrong services that the judge must detect.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { endpoints } from '../../shared/endpoints/all.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { getBlock } from '../../shared/endpoints/get-block.ts'
import type { Case } from '../../verification/upstream-faults/cases.ts'
import { catalogue } from '../../verification/upstream-faults/catalogue.ts'
import { wrongValues } from '../../verification/upstream-faults/faults/wrong-values.ts'
import { report } from '../../verification/upstream-faults/report.ts'
import { type Laboratory, laboratory } from '../../verification/upstream-faults/run.ts'
import { quickCases } from '../../verification/upstream-faults/share.ts'
import { caseName, count, emptyTally } from '../../verification/upstream-faults/tally.ts'
import { isWrongVariant, telling, wrongVariants } from '../../verification/upstream-faults/wrong-variants.ts'

let lab: Laboratory
let cases: readonly Case[]
beforeAll(async () => {
  lab = await laboratory('verification')
  cases = await lab.cases('1')
})
afterAll(() => lab.close())

test('the catalogue has more than a hundred faults, each with a name of its own', () => {
  const names = catalogue.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(400)
  expect(new Set(wrongValues.map(([name]) => name)).size).toBeGreaterThan(29)
})

test('each fault hits an answer, and each route is hit by faults of its fields', () => {
  const tried = new Set(cases.map(({ fault }) => fault.name))
  expect(catalogue.filter(({ name }) => !tried.has(name)).map(({ name }) => name)).toEqual([])
  const routes = cases.filter(({ fault }) => fault.kind === 'field').map(({ scenario }) => scenario.endpoint)
  expect(new Set(routes)).toEqual(new Set(endpoints.map(({ name }) => name)))
})

test('under a sample of the faults, and after each of them, every answer of the service is right', async () => {
  const tally = emptyTally()
  const sample = quickCases(cases).filter(({ fault }, index) => index % 6 === 0 && !fault.name.includes('hangs'))
  for (const one of sample) count(tally, await lab.try(one))
  expect(tally.wrongs).toEqual([])
  expect(tally.answers).toBe(2 * sample.length)
  expect(report(tally, 1000)).toContain(`${sample.length} faults, ${tally.answers} answers, 0 wrong, 1.0 s`)
})

describe('the judge', () => {
  test.each(Object.keys(wrongVariants).filter(isWrongVariant))('sees a service that %s', async (variant) => {
    const tally = emptyTally()
    for (const one of telling(variant, cases)) {
      if (tally.wrong > 0) break
      count(tally, await lab.try(one, wrongVariants[variant]))
    }
    expect(tally.wrong).toBeGreaterThan(0)
    expect(report(tally, 0)).toContain(`--only ${JSON.stringify(tally.wrongs[0]?.example)}`)
  })

  test('sees a service that keeps an old block like a final one, though its node does not say k', async () => {
    const hidden = 'node nodeGenesis daemonStatus.consensusConfiguration: null'
    const [one] = cases.filter(({ fault, scenario }) => fault.name === hidden && scenario.name === 'old block')
    if (one === undefined) throw new Error('no case')
    const wrongsOf = async (run: (endpoint: Endpoint) => Endpoint['run']) => {
      const answers = await lab.try(one, { wrapEndpoint: (endpoint) => ({ ...endpoint, run: run(endpoint) }) })
      return answers.map(({ wrongs }) => wrongs.length)
    }
    const caching = getBlock.caching[200]?.final
    const always = ({ run }: Endpoint) =>
      (async (...asked) => ({ ...(await run(...asked)), caching })) as Endpoint['run']
    expect(await wrongsOf(({ run }) => run)).toEqual([0, 0])
    expect(await wrongsOf(always)).toEqual([1, 0])
  })

  test('sees a service that throws, and one that answers something else altogether', async () => {
    const [one] = cases
    if (one === undefined) throw new Error('no cases')
    const nothing = (async () => ({ status: 200, body: {} })) as unknown as Endpoint['run']
    const silent = await lab.try(one, { wrapEndpoint: (endpoint) => ({ ...endpoint, run: nothing }) })
    const throwing = await lab.try(one, {
      wrapEndpoint: (endpoint) => ({ ...endpoint, run: () => Promise.reject(new Error('broken')) }),
    })
    expect([...silent, ...throwing].filter(({ wrongs }) => wrongs.length === 0)).toEqual([])
    expect(throwing.map(({ received }) => received.status)).toEqual([500, 500])
  })
})

test('the same seed gives the same cases', async () => {
  // As one text: a difference in forty thousand lines says nothing.
  const namesOf = (some: readonly Case[]) => some.map(caseName).join('\n')
  const again = namesOf(await lab.cases('1'))
  expect(again === namesOf(cases)).toBe(true)
  expect(again === namesOf(await lab.cases('2'))).toBe(false)
})
