// How a function becomes one file: once in esbuild's own terms, once in the CDK's, which starts esbuild by command line.
import { type BundlingOptions, OutputFormat, SourceMapMode } from 'aws-cdk-lib/aws-lambda-nodejs'
import type { BuildOptions } from 'esbuild'
import { projectRoot } from '../project-root.ts'

/** For esbuild's `build`, so that a test measures exactly what the stack deploys. */
export const esbuildOptions = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  // Small, and the only way to a readable stack in the log. The sources themselves stay at home.
  sourcemap: true,
  sourcesContent: false,
  // Without "module" esbuild takes CommonJS builds, of which it can drop nothing.
  mainFields: ['module', 'main'],
  alias: { graphql: './functions/runtime/graphql-stub.mjs', 'is-unsafe': './functions/runtime/is-unsafe-stub.mjs' },
  logLevel: 'warning',
} satisfies BuildOptions

/**
 * What is known at build time only, as esbuild's `define`. Every function is built with it: where a constant is not
 * named, it changes nothing.
 *
 * @param lockedSupplyTable CSV text; empty for none
 */
export const buildConstants = (lockedSupplyTable: string): Record<string, string> =>
  lockedSupplyTable === '' ? {} : { LOCKED_SUPPLY_CSV: JSON.stringify(lockedSupplyTable) }

/**
 * The same for NodejsFunction.
 *
 * @param define as from `buildConstants`
 */
export const bundling = (define: Record<string, string>): BundlingOptions => ({
  target: esbuildOptions.target,
  format: OutputFormat.ESM,
  minify: esbuildOptions.minify,
  sourceMap: esbuildOptions.sourcemap,
  sourceMapMode: SourceMapMode.DEFAULT,
  sourcesContent: esbuildOptions.sourcesContent,
  mainFields: esbuildOptions.mainFields,
  define,
  // The CDK would leave the AWS SDK out of the bundle; nothing here uses it, and if something did, a size test should tell.
  externalModules: [],
  esbuildArgs: {
    '--alias:graphql': esbuildOptions.alias.graphql,
    '--alias:is-unsafe': esbuildOptions.alias['is-unsafe'],
    '--log-level': esbuildOptions.logLevel,
  },
})
