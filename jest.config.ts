import { availableParallelism } from 'node:os'
import type { Config } from 'jest'
import { bundledPackages } from './test/bundled-packages.ts'

// Otherwise graphql looks for a second copy of itself at each of its checks, which is a thirtieth of the run.
process.env.NODE_ENV = 'production'

export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/client/dist'],
  transform: {},
  // Hundreds of files, which sixty test files would load one by one: a twelfth of the run.
  moduleNameMapper: bundledPackages(['graphql', 'graphql-yoga']),
  globalSetup: '<rootDir>/test/infra/synthesiser/start.ts',
  globalTeardown: '<rootDir>/test/infra/synthesiser/stop.ts',
  testSequencer: '<rootDir>/test/browser/last-in-order.mjs',
  // Jest would leave one core to itself, but it has little to do.
  maxWorkers: availableParallelism(),
  // Jest keeps what a test file has loaded, and the more there is, the longer each garbage collection takes.
  workerIdleMemoryLimit: '500MB',
  // A guard against what hangs, not a measure: on a busy machine a test may take long.
  testTimeout: 180_000,
  extensionsToTreatAsEsm: ['.ts'],
  collectCoverageFrom: ['{shared,functions,infra,local,tools,verification,client/src}/**/*.ts'],
  coverageProvider: 'v8',
} satisfies Config
