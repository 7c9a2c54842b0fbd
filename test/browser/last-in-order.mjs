// The order of the test files: those with a browser come last, when fewer others compete with it for the processor. No
// TypeScript, since the types of the package do not describe what Node imports.
import TestSequencer from '@jest/test-sequencer'

const isWithBrowser = ({ path }) => /[\\/]test[\\/]browser[\\/]/.test(path)

export default class BrowserLast extends TestSequencer {
  async sort(tests) {
    const sorted = await super.sort(tests)
    return [...sorted.filter((each) => !isWithBrowser(each)), ...sorted.filter(isWithBrowser)]
  }
}
