// The order of the test files: those with a browser come last, when fewer others compete with it for the processor, and
// those of other programs, which are mostly waited for, first. No TypeScript, since the types of the package do not
// describe what Node imports.
import TestSequencer from '@jest/test-sequencer'

/** 0 for the first to run. */
const turnOf = ({ path }) => (path.endsWith('.programs.test.ts') ? 0 : /[\\/]test[\\/]browser[\\/]/.test(path) ? 2 : 1)

export default class WaitingFirst extends TestSequencer {
  async sort(tests) {
    const sorted = await super.sort(tests)
    return sorted.toSorted((one, other) => turnOf(one) - turnOf(other))
  }
}
