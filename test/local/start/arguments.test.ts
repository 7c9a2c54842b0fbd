import { describe, expect, test } from '@jest/globals'
import { readArguments, startFailure } from '../../../local/start/arguments.ts'
import { readOptions } from '../../../local/start/options.ts'

describe('npm start', () => {
  test('reads its settings from the environment, with defaults for absent and empty ones', () => {
    const ports = { port: 8080, nodePort: 0 }
    const defaults = { ...ports, host: '127.0.0.1', blockSeconds: 10, slotsPerEpoch: 40, keptBlocks: 20_000 }
    expect(readArguments({})).toEqual(defaults)
    expect(readArguments({ PORT: '', HOST: '', BLOCK_SECONDS: '', SLOTS_PER_EPOCH: '' })).toEqual(defaults)
    const ofChain = { NODE_PORT: '3085', BLOCK_SECONDS: '1', SLOTS_PER_EPOCH: '7140', KEPT_BLOCKS: '500', KEEP: 'x' }
    expect(readArguments({ PORT: '0', HOST: '::1', ...ofChain })).toEqual({
      port: 0,
      nodePort: 3085,
      host: '::1',
      blockSeconds: 1,
      slotsPerEpoch: 7140,
      keptBlocks: 500,
      keep: 'x',
    })
  })

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '0x50'],
    ['BLOCK_SECONDS', '1.5'],
    ['SLOTS_PER_EPOCH', '1'],
    ['SLOTS_PER_EPOCH', '9999999999'],
  ])('refuses %s=%s in one line with the variable and its value', (variable, value) => {
    const message = new RegExp(`^${variable}: wanted a whole number from \\d+ to \\d+ such as .*, got "${value}"$`)
    expect(() => readArguments({ [variable]: value })).toThrow(message)
  })

  test.each([
    ['BLOCK_SECOND', 'BLOCK_SECONDS'],
    ['NODE_GRAPHQL_URI', 'NODE_GRAPHQL_URL'],
    ['INDEXER_GRAHPQL_URL', 'INDEXER_GRAPHQL_URL'],
    ['NODEPORT', 'NODE_PORT'],
  ])('names the variable %s as a misspelt %s', (name, meant) => {
    expect(() => readArguments({ [name]: '1' })).toThrow(`${name}: unknown variable. Did you mean ${meant}?`)
  })

  test("does not mind other programs' variables", () => {
    const names = ['NODE', 'NODE_PATH', 'NODE_ENV', 'NODE_OPTIONS', 'HOSTNAME', 'PATH', 'SORT', 'SERVICE_HOST', 'CHAIN']
    expect(() => readArguments(Object.fromEntries(names.map((name) => [name, 'x'])))).not.toThrow()
  })

  test.each([
    ['EADDRINUSE', 8080, /^PORT: 8080 on 127\.0\.0\.1 is in use .*PORT=0 npm start/],
    ['EACCES', 8080, /^PORT: 8080 needs more rights/],
    ['EADDRINUSE', 3085, /^NODE_PORT: 3085 cannot be had \(EADDRINUSE\)/],
    ['EADDRNOTAVAIL', undefined, /^HOST: 127\.0\.0\.1 is not an address of this machine/],
    ['EOTHER', undefined, /^listen$/],
  ])('explains the system error %s of port %s', (code, port, message) => {
    const error = Object.assign(new Error('listen'), { code, port })
    expect(startFailure(error, { host: '127.0.0.1', port: 8080, nodePort: 3085 })).toMatch(message)
  })

  test.each([
    ['', {}],
    ['--flaky', { flaky: 0.3 }],
    ['--flaky 0.5', { flaky: 0.5 }],
    ['--flaky=1', { flaky: 1 }],
    ['--flaky=.25 --lenient', { flaky: 0.25, lenient: true }],
    ['--lenient --flaky', { flaky: 0.3, lenient: true }],
    ['--lines night.jsonl --lenient', { lines: 'night.jsonl', lenient: true }],
    ['--flaky=.5 --lines=night.jsonl', { flaky: 0.5, lines: 'night.jsonl' }],
    ['--lenient --help', 'help'],
    ['-h', 'help'],
  ])('reads the options %j', (line, options) => {
    expect(readOptions(line.split(' ').filter(Boolean))).toEqual(options)
  })

  test.each([
    ['-lenent', /^-lenent: unknown option\. Did you mean --lenient\?/],
    [
      '--port=80',
      /^--port: unknown option\. The options are --flaky, --lenient, --lines, --help\. .*PORT=8081 npm start$/,
    ],
    ['--flaky 0.1 0.2', /^0\.2: unknown option\./],
    ['--flaky=2', /^--flaky: wanted a share from 0 to 1 such as --flaky=0\.3, got "2"$/],
    ['--lines', /^--lines: wanted a file such as --lines=night\.jsonl, got none$/],
    ['--lines --flaky', /^--lines: wanted a file/],
    ['--flaky=', /^--flaky: wanted .* got ""$/],
  ])('refuses %s in one line with what was meant', (line, message) => {
    expect(() => readOptions(line.split(' '))).toThrow(message)
  })

  test('refuses an option that npm took for its own', () => {
    const message = '--flaky: npm took it for its own. Write npm start -- --flaky'
    expect(() => readOptions([], { npm_config_flaky: 'true' })).toThrow(message)
  })
})
