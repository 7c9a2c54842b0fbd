// Orders the test files. Those that start other programs mostly wait, so they run first; those with a browser run last, when
// fewer files compete for the processor. No TypeScript, since the package's types do not describe what Node imports.
import TestSequencer from '@jest/test-sequencer'

/** Lower runs earlier. */
const turnOf = ({ path }) => (path.endsWith('.programs.test.ts') ? 0 : /[\\/]test[\\/]browser[\\/]/.test(path) ? 2 : 1)

export default class WaitingFirst extends TestSequencer {
  async sort(tests) {
    const sorted = await super.sort(tests)
    return sorted.toSorted((one, other) => turnOf(one) - turnOf(other))
  }
}
