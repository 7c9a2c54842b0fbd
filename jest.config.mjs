import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import vm from 'node:vm'

// `npx jest` comes without the flag for modules, perhaps on an older Node, which would not read TypeScript either.
if (!('SourceTextModule' in vm)) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']
  const command = ['tools/launch.mjs', ...flags, ...process.argv.slice(1)]
  process.exit(spawnSync(process.execPath, command, { cwd: import.meta.dirname, stdio: 'inherit' }).status ?? 1)
}

// Otherwise graphql looks for a second copy of itself at each of its checks, which is a thirtieth of the run.
process.env.NODE_ENV = 'production'

const { bundledPackages } = await import('./test/bundled-packages.ts')

/** Tests of the benches' judges. `npm run bench -- judges` runs them. */
const judges = ['/test/judges/']
/**
 * Tests that start a browser, a compiler, npm or the service, and simulations of whole nights and histories, take half of the
 * time. The gate includes them with `--all`.
 */
const slow = ['/test/browser/', '\\.(?:programs|long)\\.test\\.ts$']
const isWhole = process.argv.includes('--all')
/** Naming a file or folder runs everything in it. */
const isNamed = process.argv
  .slice(2)
  .some((argument) => !argument.startsWith('-') && /(?:^|[\\/])test[\\/]|\.test\b/.test(argument))

/** @type {import('jest').Config} */
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: isNamed ? [] : isWhole ? judges : [...judges, ...slow],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/packages/client/dist'],
  transform: {},
  // Some hundred files, which sixty test files would load one by one.
  moduleNameMapper: await bundledPackages(['graphql']),
  globalSetup: '<rootDir>/test/infra/synthesiser/start.ts',
  reporters: ['default', '<rootDir>/test/short-titles.mjs'],
  testEnvironment: '<rootDir>/test/node-environment.mjs',
  testSequencer: '<rootDir>/test/order.mjs',
  // One more than there are cores: browsers, compilers and other processes of tests are often waited for.
  maxWorkers: availableParallelism() + 1,
  // Jest keeps what a test file has loaded, and the more there is, the longer each garbage collection takes.
  workerIdleMemoryLimit: '500MB',
  // A guard against what hangs, not a measure: on a busy machine a test may take long.
  testTimeout: 180_000,
  extensionsToTreatAsEsm: ['.ts'],
  collectCoverageFrom: ['{shared,functions,infra,local,tools,packages/{client/src,proofs,testnet}}/**/*.ts'],
  coverageProvider: 'v8',
}
