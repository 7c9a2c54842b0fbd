// Runs a short sample of each bench that proves the service. The benches themselves run thousands of histories and faults;
// test/judges checks that they detect wrong services.
import { describe, expect, test } from '@jest/globals'
import { quickCases } from '../../packages/proofs/upstream-faults/cases.ts'
import { laboratory } from '../../packages/proofs/upstream-faults/run.ts'
import { runHistory } from '../../packages/proofs/world/broadcasts/history.ts'
import { nothingWrong } from '../../packages/proofs/world/broadcasts/record.ts'
import { runHistories } from '../../packages/proofs/world/broadcasts/tally.ts'
import * as clients from '../../packages/proofs/world/clients/history.ts'
import { checksOf, runTrial } from '../../packages/proofs/world/reads/measures.ts'
import { trialNamed } from '../../packages/proofs/world/reads/trials.ts'
import { service } from '../../packages/proofs/world/service/service.ts'

/** A cold instance without a pin cannot tell a foreign node from its own while the first listed one is silent. */
const nobodyCouldKnow = { 'sent elsewhere, the first listed node silent': expect.any(Number) }

describe('every broadcast and every fate is true', () => {
  test.each([
    ['one address', 0],
    ['three addresses', 0],
    ['nodes behind', 0],
    // Each history has a hard fork.
    ['mixed', 1],
  ] as const)('in histories with %s', async (layout, forks) => {
    const { faults, outcomes } = await runHistories(1, 6, service, layout, 4, forks)
    expect(faults).toEqual({ ...nothingWrong, ...nobodyCouldKnow })
    // The result means something only if the histories are eventful.
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['accepted', 'unknown']))
  })

  // The first listed node is silent while another network's node is asked, and answers while the indexer is asked.
  test.each(['8911', '8962'])(
    'in history %s no fate rests on a network that turns out not to be ours',
    async (seed) => {
      const { fates } = await runHistory(seed, service, 'mixed', { fates: 20, forks: 0 })
      expect(fates.filter(({ wrong }) => wrong !== undefined)).toEqual([])
    },
  )

  // A cold instance: a node's answer waits until the first listed node has named the network, and shows a greater height.
  test.each(['11155', '12885'])('in history %s a fate rests on the greatest height that was shown', async (seed) => {
    const { fates } = await runHistory(seed, service, 'mixed', { fates: 20, forks: 0.1 })
    expect(fates.filter(({ wrong }) => wrong !== undefined)).toEqual([])
  })
})

test.each([
  'three of five nodes refuse connections',
  'one black hole',
  'one of three daemons of one address bootstraps',
  'the fastest node lags 3 blocks',
  'a node down at cold start, healed after 9 s',
  'canonical, one address, a daemon stuck',
  'one address refuses every call for a minute',
])('readers are served: %s', async (name) => {
  const trial = trialNamed(name)
  const figures = await runTrial(service, trial, 1)
  expect(checksOf(trial, figures, figures).filter(({ isMet }) => !isMet)).toEqual([])
})

// In these histories wrong clients pay twice, are told something wrong, or wait forever.
test.each(['3', '8', '12', '215'])('a client pays once, and is told how it ended, in history %s', async (seed) => {
  expect((await clients.runHistory(seed)).faults).toEqual([])
})

test('under a sample of the faults, and after each of them, every answer of the service is right', async () => {
  const lab = await laboratory('verification')
  try {
    const cases = quickCases(await lab.cases('1')).filter(({ fault }) => !fault.name.includes('hangs'))
    const sample = cases.filter((_, index) => index % 24 === 0)
    const wrongs: string[] = []
    for (const one of sample) for (const judged of await lab.try(one)) wrongs.push(...judged.wrongs)
    expect([sample.length > 40, wrongs]).toEqual([true, []])
  } finally {
    await lab.close()
  }
})
