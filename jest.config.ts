import type { Config } from 'jest'

export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out'],
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  collectCoverageFrom: ['functions/**/*.ts', 'shared/**/*.ts', 'infra/**/*.ts', 'local/**/*.ts'],
  coverageProvider: 'v8',
} satisfies Config
