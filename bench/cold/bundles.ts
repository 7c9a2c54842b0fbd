// The service's functions as the stack deploys them, and the same endpoints under its peers, with the same bundler flags.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { buildConstants, esbuildOptions } from '../../infra/api/bundling.ts'
import { fileNameOf } from '../../shared/agreements/names.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'

export interface Variant {
  readonly title: string
  /** A file of `peers/`; without one it is the service itself. */
  readonly peer?: string
}

/** What the others are a ratio to. */
export const baseline: Variant = { title: 'hand-written, built-in fetch', peer: 'fetch.ts' }

export const service: Variant = { title: 'this service' }

export const plainVariants: readonly Variant[] = [
  service,
  baseline,
  { title: 'hand-written, node:http', peer: 'node-http.ts' },
]

/** Those whose packages must be installed. */
export const frameworks: readonly Variant[] = [
  { title: 'hono', peer: 'hono.mjs' },
  { title: 'express', peer: 'express.mjs' },
  { title: 'fastify', peer: 'fastify.mjs' },
]

const entryOf = ({ name }: Endpoint, peer: string): string => `
  import { handlerFor } from './bench/cold/peers/${peer}'
  import { ${name} } from './shared/endpoints/${fileNameOf(name)}.ts'
  import schema from './functions/runtime/validators/${fileNameOf(name)}.js'
  export const handler = handlerFor(${name}, schema)`

/** Express and fastify are CommonJS that requires Node's modules. */
const requireForCommonJs = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

/**
 * Writes `index.mjs`, and returns its size in bytes.
 *
 * @param packages where the peers' packages are installed
 */
export async function bundle(
  { peer }: Variant,
  endpoint: Endpoint,
  folder: string,
  packages: string | undefined,
): Promise<number> {
  const outfile = join(folder, 'index.mjs')
  const common = { ...esbuildOptions, outfile }
  await (peer === undefined
    ? build({ ...common, define: buildConstants(''), entryPoints: [`functions/${fileNameOf(endpoint.name)}.ts`] })
    : build({
        ...common,
        // These stand in for what the service does not use, and would not be the peers' own.
        alias: {},
        inject: [],
        stdin: { contents: entryOf(endpoint, peer), resolveDir: esbuildOptions.absWorkingDir },
        ...(frameworks.some((framework) => framework.peer === peer) && {
          nodePaths: [join(packages ?? '', 'node_modules')],
          banner: { js: requireForCommonJs },
        }),
      }))
  return statSync(outfile).size
}
