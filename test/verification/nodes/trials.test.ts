import { describe, expect, test } from '@jest/globals'
import { policies } from '../../../verification/nodes/policies.ts'
import { runTrial } from '../../../verification/nodes/run.ts'
import { trials } from '../../../verification/nodes/scenarios.ts'

const policyNamed = (name: string) => {
  const policy = policies[name]
  if (policy === undefined) throw new Error(`there is no policy ${name}`)
  return policy
}

describe.each(trials)('$name', (trial) => {
  test('the pool meets every target', async () => {
    const [ours, single] = [
      await runTrial(policyNamed('ours'), trial, 1),
      await runTrial(policyNamed('first only'), trial, 1),
    ]
    expect(ours.questions).toBe(trial.scenario.questions)
    expect(trial.checks(ours, single).filter(({ isMet }) => !isMet)).toEqual([])
    expect(ours.timersLeft).toBe(0)
  })
})

test('the judge finds what simpler policies do wrong', async () => {
  const stuck = trials.find(({ name }) => name === 'the fastest node is stuck')
  const hole = trials.find(({ name }) => name === 'one black hole')
  if (stuck === undefined || hole === undefined) throw new Error('two trials are missing')
  const byLatency = await runTrial(policyNamed('fastest'), stuck, 1)
  const inTurn = await runTrial(policyNamed('round robin'), hole, 1)
  expect(byLatency.wentBack).toBeGreaterThan(0)
  expect(byLatency.false404).toBeGreaterThan(0)
  expect(inTurn.errors).toBeGreaterThan(0)
})

test('the same seed gives the same history', async () => {
  const [trial] = trials
  if (trial === undefined) throw new Error('no trials')
  const [first, second] = [await runTrial(policyNamed('ours'), trial, 1), await runTrial(policyNamed('ours'), trial, 1)]
  expect(second).toEqual(first)
})
