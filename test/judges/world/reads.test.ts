// Readers of the service in the simulated world, and what others do with the same nodes.
import { describe, expect, test } from '@jest/globals'
import { checksOf, countOf, runTrial } from '../../../packages/proofs/world/reads/measures.ts'
import { trialNamed, trials } from '../../../packages/proofs/world/reads/trials.ts'
import { service, serviceAs } from '../../../packages/proofs/world/service/service.ts'
import { policies } from '../../../packages/proofs/world/variants/policies.ts'

const runAs = (policy: keyof typeof policies, name: string) =>
  runTrial(serviceAs(policies[policy]), trialNamed(name), 1)

describe.each(trials)('$name', (trial) => {
  test('the service meets every target', async () => {
    const sessions = trial.scenario.drawn === undefined ? 1 : 6
    const ours = await runTrial(service, trial, sessions)
    const isCompared = 'p99 over a single node’s' in trial.targets
    const single = isCompared ? await runTrial(serviceAs(policies['first only']), trial, sessions) : ours
    expect(ours.reads.length).toBe(sessions * trial.scenario.questions * (trial.scenario.readers ?? 1))
    expect(checksOf(trial, ours, single).filter(({ isMet }) => !isMet)).toEqual([])
  })
})

test('the judge finds what simpler policies do wrong', async () => {
  const lagging = await runAs('round robin', 'the fastest node lags 3 blocks')
  const hanging = await runAs('round robin', 'one black hole')
  expect(countOf(lagging, 'went back')).toBeGreaterThan(0)
  expect(countOf(hanging, 'failed')).toBeGreaterThan(0)
})

test('the same seed gives the same session', async () => {
  const name = '5 % of one node ten times slower'
  expect(await runAs('ours', name)).toEqual(await runAs('ours', name))
})
