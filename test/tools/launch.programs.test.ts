import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { attemptMsWithin } from '../../shared/deployment/settings.ts'
import { stageSettings } from '../../shared/deployment/stage-settings.ts'
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

test('a script has as much time to connect to a far host as the service', async () => {
  const asks = 'process.stdout.write(String(require("node:net").getDefaultAutoSelectFamilyAttemptTimeout()))'
  const launched = spawn(process.execPath, ['tools/launch.mjs', '-e', asks], { stdio: ['ignore', 'pipe', 'inherit'] })
  expect(await text(launched.stdout)).toBe(String(attemptMsWithin(stageSettings.upstreamTimeoutMs.default)))
})

test('a script reaches the servers of this machine past a proxy in the environment', async () => {
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', NO_PROXY: 'a.example', no_proxy: '' }
  const launched = spawn(process.execPath, ['tools/launch.mjs', '-p', 'process.env.NO_PROXY'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(await text(launched.stdout)).toBe('a.example,localhost,127.0.0.1,[::1]\n')
})

test('a script keeps its compiled code for the next start, unless coverage is counted or another place is given', async () => {
  const places = await Promise.all(
    [{}, { NODE_V8_COVERAGE: temporaryFolder() }, { NODE_COMPILE_CACHE: '/elsewhere' }].map((given) => {
      const { NODE_COMPILE_CACHE: _, NODE_V8_COVERAGE: __, ...env } = process.env
      const launched = spawn(process.execPath, ['tools/launch.mjs', '-p', 'process.env.NODE_COMPILE_CACHE'], {
        env: { ...env, ...given },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return text(launched.stdout)
    }),
  )
  expect(places).toEqual([`${join(process.cwd(), 'node_modules/.cache/compiled')}\n`, 'undefined\n', '/elsewhere\n'])
})

testOnUnix(
  'npm start runs one file of all modules, as they are now, and the modules themselves without esbuild',
  () => {
    const folder = temporaryFolder()
    for (const made of ['tools', 'local', 'node_modules/marked']) mkdirSync(join(folder, made), { recursive: true })
    for (const file of ['launch.mjs', 'start-bundle.mjs']) copyFileSync(`tools/${file}`, join(folder, 'tools', file))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(folder, 'local/start.ts'),
      `import { said } from './said.ts'; console.log(said, import.meta.filename.split('/').at(-1), process.argv[2])`,
    )
    const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, ...env } = process.env
    const start = (said: string, options = {}) => {
      writeFileSync(join(folder, 'local/said.ts'), `export const said: string = '${said}'`)
      const args = [join(folder, 'tools/launch.mjs'), 'local/start.ts', '--flaky']
      return spawnSync(process.execPath, args, { cwd: folder, env: { ...env, ...options }, encoding: 'utf8' }).stdout
    }
    const withoutEsbuild = start('first')
    symlinkSync(join(process.cwd(), 'node_modules/@esbuild'), join(folder, 'node_modules/@esbuild'))
    const debugged = { NODE_OPTIONS: '--stack-trace-limit=10' }
    expect([withoutEsbuild, start('second'), start('third'), start('fourth', debugged)]).toEqual([
      'first start.ts --flaky\n',
      'second start.mjs --flaky\n',
      'third start.mjs --flaky\n',
      'fourth start.ts --flaky\n',
    ])
  },
)

test('jest without npm starts itself again with the flags that it needs', async () => {
  const file = 'test/proofs/check-clients.test.ts'
  const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [[code], printed] = await Promise.all([once(jest, 'exit'), text(jest.stderr)])
  expect({ code, printed }).toEqual({ code: 0, printed: expect.stringContaining(`PASS ${file}`) })
})

test.each([
  ['npm start in a fresh clone', 'local/start.ts', []],
  ['npm test after npm ci --omit=dev', 'node_modules/jest/bin/jest.js', ['marked']],
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

/** A fresh folder with the launcher, as Node before 20.11 runs it, and the packages that it looks for. */
function launched(name: string, bundled: (file: string) => void) {
  const folder = join(temporaryFolder(), name)
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const file = platform === 'win' ? 'node.exe' : 'node'
  const bin = join(folder, 'node_modules', `node-${platform}-${process.arch}`, 'bin')
  for (const made of [join(folder, 'tools'), bin, join(folder, 'node_modules/marked')])
    mkdirSync(made, { recursive: true })
  const launcher = readFileSync('tools/launch.mjs', 'utf8').replaceAll('import.meta.dirname', 'undefined')
  writeFileSync(join(folder, 'tools/launch.mjs'), launcher)
  bundled(join(bin, file))
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.5.0' } })`
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(old)}`,
    join(folder, 'tools/launch.mjs'),
    '-p',
    '7',
  ]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

testOnUnix('the launcher finds the Node of the packages from Node 20.5, in a folder with a blank and an ü', () => {
  const launch = launched('a blank and ü', (file) => symlinkSync(process.execPath, file))
  expect(launch).toEqual({ status: 0, stdout: '7\n', stderr: '' })
})

testOnUnix.each([
  ['lacks the right to be executed', '', 0o644, 'it may not be executed: its file lacks the right'],
  [
    'is made for another C library',
    '#!/lib/of-another-system\n',
    0o755,
    'this system lacks the loader or the C library',
  ],
])('a Node of the packages that %s is one sentence', (_case, text, mode, why) => {
  const launch = launched('plain', (file) => writeFileSync(file, text, { mode }))
  const says = expect.stringMatching(
    new RegExp(`^This project runs on Node 24.9 or later. .* since ${why}.*Install Node 24 and try again. .*\n$`),
  )
  expect(launch).toEqual({ status: 1, stdout: '', stderr: says })
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
  expect(names).toEqual(expect.arrayContaining(['graphql', 'mina-signer', '@middy/core']))
  expect(names.filter((name) => (packages[`node_modules/${name}`] ?? { dev: true }).dev)).toEqual([])
})

test('VS Code is given a TypeScript with a language server', () => {
  const { 'typescript.tsdk': folder } = JSON.parse(readFileSync('.vscode/settings.json', 'utf8'))
  expect(existsSync(join(folder, 'tsserver.js'))).toBe(true)
})
