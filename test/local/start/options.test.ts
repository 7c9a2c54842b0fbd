import { describe, expect, test } from '@jest/globals'
import { readOptions } from '../../../local/start/options.ts'

describe('npm start', () => {
  test.each([
    ['', {}],
    ['--flaky', { flaky: 0.3 }],
    ['--flaky 0.5', { flaky: 0.5 }],
    ['--flaky=1', { flaky: 1 }],
    ['--flaky=.25 --lenient', { flaky: 0.25, lenient: true }],
    ['--lenient --flaky', { flaky: 0.3, lenient: true }],
    ['--lenient --help', 'help'],
    ['-h', 'help'],
  ])('reads the options %j', (line, options) => {
    expect(readOptions(line.split(' ').filter(Boolean))).toEqual(options)
  })

  test.each([
    ['--flakey', /^--flakey: unknown option\. Did you mean --flaky\?/],
    ['-lenent', /^-lenent: unknown option\. Did you mean --lenient\?/],
    ['--port=80', /^--port: unknown option\. The options are --flaky, --lenient, --help\. .*PORT=8081 npm start$/],
    ['--flaky 0.1 0.2', /^0\.2: unknown option\./],
    ['--flaky=2', /^--flaky: wanted a share from 0 to 1 such as --flaky=0\.3, got "2"$/],
    ['--flaky=', /^--flaky: wanted .* got ""$/],
  ])('refuses %s in one line with what was meant', (line, message) => {
    expect(() => readOptions(line.split(' '))).toThrow(message)
  })

  test('refuses an option that npm took for its own', () => {
    const message = '--flaky: npm took it for its own. Write npm start -- --flaky'
    expect(() => readOptions([], { npm_config_flaky: 'true' })).toThrow(message)
  })
})
