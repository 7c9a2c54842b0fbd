// The service's functions as the stack deploys them, and the same endpoints by hand, with the same bundler flags.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { buildConstants, esbuildOptions } from '../../../infra/api/bundling.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { fileNameOf } from '../../../shared/http/routes.ts'

export interface Variant {
  readonly title: string
  /** A file of `peers/`; without one it is the service itself. */
  readonly peer?: string
}

/** The others are a ratio to it. */
export const baseline: Variant = { title: 'hand-written, built-in fetch', peer: 'fetch.ts' }

export const variants: readonly Variant[] = [
  { title: 'this service' },
  baseline,
  { title: 'hand-written, node:http', peer: 'node-http.ts' },
]

const entryOf = ({ name }: Endpoint, peer: string): string => `
  import { handlerFor } from './verification/bench/cold/peers/${peer}'
  import { ${name} } from './shared/endpoints/${fileNameOf(name)}.ts'
  import schema from './functions/runtime/validators/${fileNameOf(name)}.js'
  export const handler = handlerFor(${name}, schema)`

/** Writes `index.mjs`, and returns its size in bytes. */
export async function bundle({ peer }: Variant, endpoint: Endpoint, folder: string): Promise<number> {
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
      }))
  return statSync(outfile).size
}
