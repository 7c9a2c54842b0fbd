import { expect, test } from '@jest/globals'
import { shownShare } from '../../../bench/figures/charts/chart.ts'
import { merged, type Outcome, rowsOf } from '../../../bench/figures/outcome.ts'

const outcome = (name: string, command: string): Outcome => ({ name, command, isGood: true })

test('new outcomes take the place of old ones of the same run, the others stay, in the order of the runs', () => {
  const old = [outcome('polling', 'old'), outcome('memory', 'old'), outcome('gone', 'old')]
  const fresh = [outcome('memory', 'new'), outcome('nodes', 'new')]
  expect(merged(['polling', 'nodes', 'edge', 'memory'], old, fresh)).toEqual([
    outcome('polling', 'old'),
    outcome('nodes', 'new'),
    outcome('memory', 'new'),
  ])
})

test('a chart is not drawn of a run that ended before it had rows', () => {
  expect(() => rowsOf([outcome('edge', 'npm run bench -- edge')], 'edge')).toThrow('"edge" has no rows for a chart')
  expect(() => rowsOf([], 'edge')).toThrow('There are no figures of "edge"')
})

test('a share that is not quite nothing or all is not shown as nothing or all', () => {
  const shares = [0, 0.00001, 0.0034, 0.05, 0.994, 0.9964, 0.99999, 1]
  expect(shares.map(shownShare)).toEqual(['0 %', '0.01 %', '0.34 %', '5 %', '99 %', '99.64 %', '99.99 %', '100 %'])
})
