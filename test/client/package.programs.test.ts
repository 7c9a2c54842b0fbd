// The package as it would be published: its content, its size, and its use in a folder outside the repository.
import { execFile } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, jest, test } from '@jest/globals'
import { build } from 'esbuild'
import { publint } from 'publint'
import type { LightClient, Update } from '../../packages/client/src/client.ts'
import { runService, signPayment, wallet } from '../end-to-end/running-service.ts'
import { expectedNow, paymentsOf, producing } from './consumer.ts'
import { installClient } from './installed.ts'
import { reactNativeIn } from './react-native.ts'

// npm, a compiler and several Nodes run here, perhaps on a busy machine.
jest.setTimeout(300_000)

const root = join(import.meta.dirname, '../..')
const execute = promisify(execFile)

const installed = await installClient()
const runningService = await runService()
const inside = join(installed.folder, 'node_modules/chain-explorer-client')

const manifest = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'))
const dependencies = ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) =>
  Object.keys(manifest[kind] ?? {}),
)

describe('the package', () => {
  test('holds each source as JavaScript with its types, and otherwise only files for people', () => {
    const sources = readdirSync(join(root, 'packages/client/src')).map((name) => name.replace(/\.ts$/, ''))
    const files = readdirSync(inside, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(inside, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    const built = sources.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`])
    const folders = ['csv/package.json', 'light/package.json']
    const expected = [...built, ...folders, 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']
    expect(files.sort()).toEqual(expected.sort())
  })

  test('needs no other package, starts no script where it is installed, and has its version in the changelog', () => {
    const { scripts, version } = manifest
    expect(dependencies).toEqual([])
    expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([])
    const changelog = readFileSync(join(inside, 'CHANGELOG.md'), 'utf8')
    // Above it stands what is on its way.
    expect(/^## (?!Unreleased$)(\S+)/m.exec(changelog)?.[1]).toBe(version)
  })

  test.each([
    ['client', 'es2022', 16_640],
    ['light', 'es2022', 9_792],
    ['light', 'es2019', 10_240],
  ])(
    'has at most as many bytes as its README says with all exports of %s, minified for %s and compressed',
    async (entry, target, bound) => {
      const entryPoints = [join(inside, `dist/${entry}.js`)]
      const options = { bundle: true, minify: true, format: 'esm', write: false } as const
      const { outputFiles } = await build({ ...options, entryPoints, target, supported: { bigint: true } })
      const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
      process.stderr.write(`The ${entry} for ${target}: ${bytes} bytes minified and compressed\n`)
      expect(bytes).toBeLessThanOrEqual(bound)
      if (target !== 'es2022') return
      const form = new RegExp(`${entry}: ([\\d,]+) bytes; a test stops it at ([\\d,]+)`)
      const [, ...figures] = form.exec(readFileSync(join(inside, 'README.md'), 'utf8')) ?? []
      const [shown, shownBound] = figures.map((figure) => Number(figure.replaceAll(',', '')))
      expect(Math.abs(Number(shown) - bytes)).toBeLessThan(50)
      expect(shownBound).toBe(bound)
    },
  )

  // Metro before React Native 0.79 and `moduleResolution: node` look for a folder of that name.
  test.each(['light', 'csv'])('has its entry %s for those who do not read its exports too, with its types', (entry) => {
    const { resolve } = createRequire(join(inside, 'package.json'))
    const { types } = JSON.parse(readFileSync(join(inside, entry, 'package.json'), 'utf8'))
    const found = [resolve(`./${entry}`), join(inside, entry, types)]
    expect(found.map((file) => relative(inside, file).replaceAll('\\', '/'))).toEqual([
      `dist/${entry}.js`,
      `dist/${entry}.d.ts`,
    ])
    expect(readdirSync(join(inside, 'dist'))).toContain(`${entry}.d.ts`)
  })

  test('passes publint', async () => {
    expect((await publint({ pkgDir: inside, pack: false, strict: true })).messages).toEqual([])
  })
})

describe('in React Native', () => {
  const { chain, url } = runningService

  test.each(['client', 'light'] as const)('every kind of call of %s works, each with a signal', async (entry) => {
    const app = await reactNativeIn(inside, entry)
    const options = { baseUrl: url, network: chain.network }
    const whole = entry === 'client' ? app.createClient(options) : undefined
    const client: LightClient = whole ?? app.createLightClient(options)
    const { signal } = new app.AbortController()
    const [from, to] = [wallet(chain, entry === 'client' ? 'alice' : 'carol'), wallet(chain, 'bob')]
    const signed = signPayment(chain, from, to, { memo: 'für Käse' })
    const forged = { ...signed, payload: { ...signed.payload, amount: '2' } }
    const { value: tip } = await client.summary({ signal })
    const refused = await client.broadcastPayment(forged, { signal })
    const send = whole?.sendUntilKnown ?? client.broadcastPayment
    const outcome = await send(signed, { signal })
    const updates: string[] = []
    const stop = producing(chain)
    const waiting = { signal, pollMs: 20, confirmations: 0, onUpdate: ({ state }: Update) => updates.push(state) }
    const included = await client.waitForTransaction(outcome.hash ?? '', waiting).finally(stop)
    const pages = []
    for await (const { value: page } of client.transactionsOf(from.publicKey, { signal })) pages.push(page.transactions)
    const watching = new app.AbortController()
    const tips: number[] = []
    const onTip = ({ value }: { readonly value: { readonly blockchainLength: number } }) => {
      tips.push(value.blockchainLength)
      watching.abort()
    }
    await client.watchTip(onTip, { signal: watching.signal })
    const [shown] = pages.flat()
    expect({
      height: tip.blockchainLength,
      memo: shown && app.memoText(shown.command.memo),
      ...{ refused, included, updates, tips },
    }).toMatchObject({
      height: chain.tip().height - 1,
      memo: 'für Käse',
      refused: { outcome: 'refused', code: 'invalid-signature', reason: 'Invalid_signature' },
      included: { state: 'included', command: { amount: 1_500_000_000n } },
      updates: expect.arrayContaining(['included']),
      tips: [chain.tip().height],
    })
  })

  test('a signal and the time limit end a request, though fetch goes on', async () => {
    const app = await reactNativeIn(inside)
    const hanging = { baseUrl: url, retries: 0, fetch: () => new Promise<never>(() => undefined) }
    const controller = new app.AbortController()
    const reading = app.createClient(hanging).summary({ signal: controller.signal })
    controller.abort()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError', message: 'aborted' })
    const limited = app.createClient({ ...hanging, timeoutMs: 20 })
    await expect(limited.summary()).rejects.toMatchObject({ status: 0, code: 'timeout' })
  })
})

describe('a program in another folder', () => {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    isolatedModules: true,
    skipLibCheck: false,
    target: 'es2022',
    types: [],
  }
  const [newest = '', older = ''] = ['node_modules', 'tools/client-types/node_modules'].map((folder) =>
    join(root, folder, 'typescript/bin/tsc'),
  )
  const [withDom, withoutDom] = [{ lib: ['es2022', 'dom'] }, { lib: ['es2022'] }]
  const nodeTypes = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }
  const [bundler, node] = [{ module: 'esnext', moduleResolution: 'bundler' }, { module: 'nodenext' }]

  /** @returns what the compiler has to say */
  const compile = async (compiler: string, compilerOptions: object, ...files: readonly string[]) => {
    const config = { compilerOptions: { ...strict, ...compilerOptions }, files }
    writeFileSync(join(installed.folder, 'tsconfig.json'), JSON.stringify(config))
    return execute(process.execPath, [compiler, '-p', installed.folder]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
  }
  const blocks = Array.from(
    readFileSync(join(inside, 'README.md'), 'utf8').matchAll(/^```ts\n(?:\/\/ examples\/(\S+)\n)?([\s\S]*?)^```$/gm),
    ([, name = 'first.ts', code = '']) => ({ name, code }),
  )
  beforeAll(() => {
    copyFileSync(join(import.meta.dirname, 'consumer.ts.txt'), join(installed.folder, 'program.ts'))
    for (const { name, code } of blocks) writeFileSync(join(installed.folder, name), code)
    symlinkSync(join(root, 'node_modules/mina-signer'), join(installed.folder, 'node_modules/mina-signer'), 'junction')
  })

  test('compiles under strict options, for Node and for a bundler', async () => {
    expect(await compile(older, { ...bundler, ...withDom, noEmit: true }, 'program.ts')).toBe('')
    expect(await compile(newest, { ...node, ...withoutDom, ...nodeTypes }, 'program.ts')).toBe('')
  })

  test.each([
    ['the newest compiler', newest],
    ['an older one', older],
  ])('compiles where neither DOM nor Node types are loaded, by %s', async (_name, compiler) => {
    expect(await compile(compiler, { ...bundler, ...withoutDom, noEmit: true }, 'first.ts')).toBe('')
  })

  test('compiles by the fields of package.json alone, and where a platform declares its signal as a class', async () => {
    // As in the types of Cloudflare's workers.
    const platform =
      'declare abstract class AbortSignal { readonly aborted: boolean; readonly reason: any; throwIfAborted(): void\n' +
      '  addEventListener(type: string, handler: (event: object) => void): void }\n' +
      'declare function fetch(input: string, init?: { method?: string; headers?: Record<string, string>; body?: string | null\n' +
      '  signal?: AbortSignal | null }): Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>\n'
    const program =
      "import { createClient } from 'chain-explorer-client'\n" +
      'export const tip = (signal: AbortSignal) =>\n' +
      "  createClient({ baseUrl: 'https://service.example', fetch }).summary({ signal })\n"
    writeFileSync(join(installed.folder, 'platform.d.ts'), platform)
    writeFileSync(join(installed.folder, 'signal.ts'), program)
    const oldest = { module: 'esnext', moduleResolution: 'node10' }
    for (const resolution of [oldest, bundler]) {
      const options = { ...resolution, ...withoutDom, noEmit: true }
      expect(await compile(older, options, 'platform.d.ts', 'signal.ts')).toBe('')
    }
  })

  test('compiles with all code of the README, but for the types of mina-signer', async () => {
    const names = blocks.map(({ name }) => name)
    expect(names.toSorted()).toEqual(['first.ts', ...readdirSync(join(root, 'packages/client/examples'))].toSorted())
    const options = {
      ...node,
      ...withDom,
      ...nodeTypes,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    }
    expect(await compile(newest, options, ...names)).toBe('')
  })

  test('runs the first code of the README as it stands there, but for the address', async () => {
    const [first] = blocks.filter(({ name }) => name === 'first.ts')
    const code = first?.code.replace('http://127.0.0.1:8080', runningService.url)
    writeFileSync(
      join(installed.folder, 'run-first.ts'),
      `${code}\nconsole.log(chain?.height === summary.blockchainLength)`,
    )
    const { stdout } = await execute(process.execPath, [join(installed.folder, 'run-first.ts')])
    expect(stdout).toBe('true\n')
  })

  /** The Node of the lockfile, that of npm, and the commands in CLIENT_TEST_RUNTIMES: `/path/node22,deno run -A`. */
  const runtimes = [
    process.execPath,
    ...(process.env.npm_node_execpath ? [process.env.npm_node_execpath] : []),
    ...(process.env.CLIENT_TEST_RUNTIMES?.split(',') ?? []),
  ]

  test.each(runtimes)('runs on %s', async (command) => {
    const { folder } = installed
    const { chain, url } = await runService()
    const [program = '', ...options] = command.split(' ')
    const runner =
      "import { run } from './program.js'\n" +
      'const [url, payments] = process.argv.slice(2)\n' +
      'console.log(JSON.stringify([process.version, await run(url, ...JSON.parse(payments))]))\n'
    writeFileSync(join(folder, 'runner.js'), runner)
    const expected = expectedNow(chain)
    const stop = producing(chain)
    const args = [...options, join(folder, 'runner.js'), url, JSON.stringify(paymentsOf(chain, 'alice'))]
    const { stdout, stderr } = await execute(program, args, { cwd: folder }).finally(stop)
    const [version, found] = JSON.parse(stdout)
    expect({ version, found, stderr }).toEqual({
      version: expect.stringMatching(/^v\d+\./),
      found: { ...expected, sent: expect.stringMatching(/^accepted 5J\w+ 1500000001$/) },
      stderr: '',
    })
  })
})
