import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { temporaryFolder } from '../serving.ts'

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
  const file = 'test/tools/check-clients.test.ts'
  const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [[code], printed] = await Promise.all([once(jest, 'exit'), text(jest.stderr)])
  expect({ code, printed }).toEqual({ code: 0, printed: expect.stringContaining(`PASS ${file}`) })
})

test.each([
  ['npm start in a fresh clone', 'local/start.ts', []],
  ['npm test after npm ci --omit=dev', 'node_modules/jest/bin/jest.js', ['graphql-yoga']],
])('%s says in one line what to install', async (_, script, installed) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'tools'))
  copyFileSync('tools/launch.mjs', join(folder, 'tools/launch.mjs'))
  for (const name of installed) mkdirSync(join(folder, 'node_modules', name), { recursive: true })
  const launcher = spawn(process.execPath, [join(folder, 'tools/launch.mjs'), script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], errors] = await Promise.all([once(launcher, 'exit'), text(launcher.stderr)])
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringMatching(
      /^Packages are missing: run `npm ci` first [^\n]*`npm ci --omit=dev` is enough\)\.\n$/,
    ),
  })
})

test('npm start and npm run demo need no package that npm ci --omit=dev leaves out', async () => {
  const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node24' } as const
  const entryPoints = ['local/start.ts', 'local/demo.ts']
  const { metafile } = await build({ ...options, entryPoints, outdir: 'out', write: false, metafile: true })
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports)
  const names = imported
    .filter(({ path, external }) => external && !/^(?:\.|node:)/.test(path))
    .map(({ path }) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  expect(names).toEqual(expect.arrayContaining(['graphql-yoga', 'mina-signer', '@middy/core']))
  expect(names.filter((name) => (packages[`node_modules/${name}`] ?? { dev: true }).dev)).toEqual([])
})

test('VS Code is given a TypeScript with a language server', () => {
  const { 'typescript.tsdk': folder } = JSON.parse(readFileSync('.vscode/settings.json', 'utf8'))
  expect(existsSync(join(folder, 'tsserver.js'))).toBe(true)
})
