// How a function is bundled into one file: as options of esbuild, and as options of the CDK, which runs esbuild's command
// line.
import { join } from 'node:path'
import { type BundlingOptions, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs'
import type { BuildOptions } from 'esbuild'
import { projectRoot } from '../project-root.ts'

/** For esbuild's `build`. Tests use it to measure exactly what the stack deploys. */
export const esbuildOptions = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  // With `--enable-source-maps` a cold start takes a twelfth longer: `npm run map-stack` reads a logged stack instead.
  sourcemap: false,
  // Without "module" esbuild takes CommonJS builds, which it cannot tree-shake.
  mainFields: ['module', 'main'],
  alias: {
    graphql: './functions/runtime/stubs/graphql.mjs',
    'is-unsafe': './functions/runtime/stubs/is-unsafe.mjs',
    'node:http': './functions/runtime/stubs/node-http.mjs',
  },
  inject: ['./functions/runtime/stubs/headers.mjs'],
  logLevel: 'warning',
} satisfies BuildOptions

/** graphql-request falls back on the built-in fetch, which nothing in a bundle may load. */
const withoutFetch = { fetch: 'undefined', 'globalThis.fetch': 'undefined' }

/**
 * Constants of the build, as esbuild's `define`. Every function is built with them; code that names none is the same with
 * and without.
 *
 * @param lockedSupplyTable CSV text; empty for none
 */
export const buildConstants = (lockedSupplyTable: string): Record<string, string> => ({
  ...withoutFetch,
  ...(lockedSupplyTable !== '' && { LOCKED_SUPPLY_CSV: JSON.stringify(lockedSupplyTable) }),
})

/** A command line that runs a file of the project under the Node that runs the CDK's program, on Windows too. */
export const scriptOnFolder = (file: string, folder: string): string =>
  [process.execPath, join(projectRoot, file), folder].map((word) => `"${word}"`).join(' ')

const none = (): string[] => []

/**
 * The same options for NodejsFunction. The notices of what the bundle holds of others are put beside it.
 *
 * @param define as from `buildConstants`
 * @param furtherCommands run after it, with the folder of the bundle
 */
export const bundling = (
  define: Record<string, string>,
  furtherCommands: (folder: string) => string[] = none,
): BundlingOptions => ({
  target: esbuildOptions.target,
  format: OutputFormat.ESM,
  minify: esbuildOptions.minify,
  sourceMap: esbuildOptions.sourcemap,
  mainFields: esbuildOptions.mainFields,
  define,
  inject: esbuildOptions.inject,
  // The CDK would leave the AWS SDK out of the bundle. Nothing uses it; if something did, the size test should fail.
  externalModules: [],
  esbuildArgs: {
    ...Object.fromEntries(Object.entries(esbuildOptions.alias).map(([name, file]) => [`--alias:${name}`, file])),
    '--log-level': esbuildOptions.logLevel,
  },
  commandHooks: {
    beforeBundling: none,
    beforeInstall: none,
    afterBundling: (_project, folder) => [
      scriptOnFolder('infra/api/copy-notices.ts', folder),
      ...furtherCommands(folder),
    ],
  },
})
