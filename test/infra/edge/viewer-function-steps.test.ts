// Counted rather than timed; `npm run bench -- viewer-function` times the same requests in njs.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { viewerFunctionCode } from '../../../infra/edge/viewer-function.ts'
import { costlyTargets } from '../../../verification/bench/viewer-function/costly-targets.ts'
import { viewerRequest } from '../../../verification/viewer-request.ts'
import type { Count } from './count-steps.ts'

/** The same in every run. */
function stepsOf(targets: readonly string[]): readonly number[] {
  const count: Count = { code: viewerFunctionCode(), requests: targets.map((target) => viewerRequest('GET', target)) }
  const script = fileURLToPath(new URL('count-steps.ts', import.meta.url))
  const command = ['--no-opt', '--no-maglev', '--no-sparkplug', script]
  return JSON.parse(execFileSync(process.execPath, command, { input: JSON.stringify(count), encoding: 'utf8' }))
}

const [ordinary = 0, ...costly] = stepsOf(['/summary', ...Object.values(costlyTargets)])

test.each(Object.keys(costlyTargets).map((name, index) => [name, costly[index]]))(
  'the viewer function takes at most six times the steps of /summary for %s',
  (_name, steps) => {
    expect(ordinary).toBeGreaterThan(50)
    expect(steps).toBeLessThan(6 * ordinary)
  },
)
