// The service's functions as the stack deploys them, and the same endpoints by hand, with the same bundler flags.
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { entryFile, esbuildOptions } from '../../../../infra/api/bundling.ts'
import { projectRoot } from '../../../../infra/project-root.ts'
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import { fileNameOf } from '../../../../shared/http/routes.ts'

export interface Variant {
  readonly title: string
  readonly bundle: (endpoint: Endpoint, outdir: string) => Promise<unknown>
}

/** The function that a checkout of this project deploys, by the bundler flags of that checkout. */
const deployedBy = (title: string, checkout: string): Variant => ({
  title,
  async bundle({ name }, outdir) {
    const { buildConstants, functionBuild } = await import(join(checkout, 'infra/api/bundling.ts'))
    await build({ ...functionBuild(`functions/${fileNameOf(name)}.ts`, outdir), define: buildConstants('') })
  },
})

const entryOf = ({ name }: Endpoint, post: string): string => `
  import { byFetch, byNodeHttp, handlerWith } from './packages/proofs/bench/cold/by-hand.ts'
  import { ${name} } from './shared/endpoints/${fileNameOf(name)}.ts'
  import schema from './functions/runtime/validators/${fileNameOf(name)}.js'
  export const handler = handlerWith(${name}, schema, ${post})`

/** @param post the expression of `by-hand.ts` that reaches the node */
const byHand = (title: string, post: string): Variant => ({
  title,
  bundle: (endpoint, outdir) =>
    build({
      ...esbuildOptions,
      outfile: join(outdir, entryFile),
      // These stand in for what the service does not use, and a function by hand would not have.
      alias: {},
      inject: [],
      stdin: { contents: entryOf(endpoint, post), resolveDir: projectRoot },
    }),
})

/** The others are a ratio to it. */
export const baseline = byHand('hand-written, built-in fetch', 'byFetch')

/** Its answers may be different ones. */
export const otherTitle = 'the other checkout'

/** The functions of this checkout, as the stack deploys them. */
export const thisService = deployedBy('this service', projectRoot)

/** @param otherCheckout a folder with another state of this project, installed; it is measured too */
export const variantsBeside = (otherCheckout?: string): readonly Variant[] => [
  thisService,
  ...(otherCheckout === undefined ? [] : [deployedBy(otherTitle, resolve(otherCheckout))]),
  baseline,
  byHand('hand-written, node:http', 'byNodeHttp()'),
]

/** Bytes of a bundled function, with the files that it loads later. */
export const sizeOf = (outdir: string): number =>
  readdirSync(outdir).reduce((sum, file) => sum + statSync(join(outdir, file)).size, 0)
