// The service's functions as the stack deploys them, and the same endpoints by hand, with the same bundler flags.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { buildConstants, entryFile, esbuildOptions, functionBuild } from '../../../infra/api/bundling.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { fileNameOf } from '../../../shared/http/routes.ts'

export interface Variant {
  readonly title: string
  /** The expression of `by-hand.ts` that reaches the node; without one it is the service itself. */
  readonly post?: string
}

/** The others are a ratio to it. */
export const baseline: Variant = { title: 'hand-written, built-in fetch', post: 'byFetch' }

export const variants: readonly Variant[] = [
  { title: 'this service' },
  baseline,
  { title: 'hand-written, node:http', post: 'byNodeHttp()' },
]

const entryOf = ({ name }: Endpoint, post: string): string => `
  import { byFetch, byNodeHttp, handlerWith } from './verification/bench/cold/by-hand.ts'
  import { ${name} } from './shared/endpoints/${fileNameOf(name)}.ts'
  import schema from './functions/runtime/validators/${fileNameOf(name)}.js'
  export const handler = handlerWith(${name}, schema, ${post})`

/** Writes `index.mjs`, and returns its size in bytes. */
export async function bundle({ post }: Variant, endpoint: Endpoint, folder: string): Promise<number> {
  const outfile = join(folder, entryFile)
  await (post === undefined
    ? build({ ...functionBuild(`functions/${fileNameOf(endpoint.name)}.ts`, folder), define: buildConstants('') })
    : build({
        ...esbuildOptions,
        outfile,
        // These stand in for what the service does not use, and a function by hand would not have.
        alias: {},
        inject: [],
        stdin: { contents: entryOf(endpoint, post), resolveDir: esbuildOptions.absWorkingDir },
      }))
  return statSync(outfile).size
}
