// Options for bundling a function into one file.
import { basename } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { projectRoot } from '../project-root.ts'

/** Names, licences and licence texts of the software of others in the bundles: in the repository and in each bundle. */
export const noticesFile = 'THIRD-PARTY-NOTICES.txt'

const stubs = './functions/runtime/stubs.mjs'
const timersStub = './functions/runtime/timers-stub.mjs'

/**
 * For esbuild's `build`. Our package.json says that no module has side effects, so those are left out of which nothing is used.
 */
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
  alias: { graphql: stubs, 'is-unsafe': stubs, 'node:http': stubs, 'node:timers': timersStub },
  inject: [stubs],
  logLevel: 'warning',
} satisfies BuildOptions

/** The file that Lambda loads. What the function loads by `import()` later is beside it. */
export const entryFile = 'index.mjs'

/**
 * For esbuild's `build`: one function as it is deployed.
 *
 * @param file from the project's root
 * @param outdir the folder of `index.mjs` and the files that it loads
 */
export const functionBuild = (file: string, outdir: string) =>
  ({
    ...esbuildOptions,
    entryPoints: { [basename(entryFile, '.mjs')]: file },
    outdir,
    splitting: true,
    chunkNames: '[name]',
    outExtension: { '.js': '.mjs' },
  }) satisfies BuildOptions

/** graphql-request falls back on the built-in fetch, which nothing in a bundle may load. */
const withoutFetch = { fetch: 'undefined', 'globalThis.fetch': 'undefined' }

/**
 * Constants of the build, as esbuild's `define`. Every function is built with them; code that names none of them
 * is not affected.
 *
 * @param lockedSupplyTable CSV text; empty for none
 */
export const buildConstants = (lockedSupplyTable: string): Record<string, string> => ({
  ...withoutFetch,
  ...(lockedSupplyTable !== '' && { LOCKED_SUPPLY_CSV: JSON.stringify(lockedSupplyTable) }),
})
