// A reporter that fails the run where a title is too long to read: most likely it holds the text that a test tries.
const maxLength = 1000

export default class ShortTitles {
  #tooLong = []

  onTestResult(_test, { testFilePath, testResults }) {
    const long = testResults.filter(({ fullName }) => fullName.length > maxLength)
    for (const { fullName } of long) {
      this.#tooLong.push(`${testFilePath}: a title of ${fullName.length} characters: ${fullName.slice(0, 100)}…`)
    }
  }

  // Jest fails for the error and does not print it.
  getLastError() {
    if (this.#tooLong.length === 0) return undefined
    console.error(this.#tooLong.join('\n'))
    return new Error('test titles are too long')
  }
}
