import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'

const outcomeOf = (...options: readonly string[]) => {
  const child = spawnSync(process.execPath, ['packages/proofs/bench/run.ts', ...options], { encoding: 'utf8' })
  return { code: child.status, printed: child.stdout, errors: child.stderr }
}

test('a benchmark that is asked for help prints its head and measures nothing', () => {
  expect(outcomeOf('sizes', '--help')).toEqual({
    code: 0,
    printed: expect.stringMatching(/^The answers whose length others decide, [\s\S]*\n {2}npm run bench -- sizes\n$/),
    errors: '',
  })
})

test('an option that a benchmark does not have is one line, and then its head', () => {
  expect(outcomeOf('nodes', '--quik')).toEqual({
    code: 2,
    printed: '',
    errors: expect.stringMatching(/^Unknown option '--quik'\n\nThe gain from several nodes, [\s\S]*nodes --quick\n$/),
  })
})
