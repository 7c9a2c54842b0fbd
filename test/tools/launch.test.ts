import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'

// On Windows a process does not learn that the shell above it has lost its parent.
const testOnUnix = process.platform === 'win32' ? test.skip : test

/** As npm does it: a separate shell runs the script. */
const likeNpm = `
  require('node:child_process').spawn(process.argv[1], {
    shell: true, stdio: 'inherit', env: { ...process.env, npm_lifecycle_event: 'start' }
  })`

testOnUnix('a script ends when npm is killed', async () => {
  const script = `node tools/launch.mjs -e "console.log('running'); setInterval(() => undefined, 1000)"; true`
  const npm = spawn(process.execPath, ['-e', likeNpm, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(npm.stdout, 'readable')
  npm.kill('SIGKILL')
  // The end of the output comes when the last process that holds it has ended.
  expect(await text(npm.stdout)).toBe('running\n')
})

test('jest without npm starts itself again with the flags that it needs', async () => {
  const file = 'test/tools/doctor/finding.test.ts'
  const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [[code], printed] = await Promise.all([once(jest, 'exit'), text(jest.stderr)])
  expect({ code, printed }).toEqual({ code: 0, printed: expect.stringContaining(`PASS ${file}`) })
})
