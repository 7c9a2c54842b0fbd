// The code that CloudFront runs before its cache, so that each question has one cache key.
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { routeRules } from '../../shared/admission/routes.ts'
import { crossOriginHeaders, preflightHeaders } from '../../shared/http/cors.ts'
import type { Known } from './viewer-request.ts'

/**
 * ES 5.1 and the additions that the documentation of CloudFront's JavaScript runtime 2.0 names. esbuild rewrites some newer
 * syntax and fails on the rest.
 */
export const dialect = {
  target: 'es5',
  supported: { arrow: true, 'const-and-let': true, 'template-literal': true },
} as const

const known: Known = { rules: routeRules, preflightHeaders, crossOriginHeaders }

const entry = `import { handled } from './viewer-request.ts'
answerTo = (request) => handled(request, ${JSON.stringify(known)})`

/** CloudFront calls a function named `handler`. */
const frame = {
  banner: { js: 'var answerTo;' },
  footer: { js: 'function handler(event){return answerTo(event.request)}' },
}

let code: string | undefined

/**
 * A CloudFront Function for viewer requests: admission, bundled into one file. It is built once per process.
 *
 * @throws Error for syntax that CloudFront's runtime does not know
 */
export function viewerFunctionCode(): string {
  code ??= buildSync({
    ...dialect,
    ...frame,
    stdin: { contents: entry, resolveDir: import.meta.dirname, loader: 'ts' },
    absWorkingDir: join(import.meta.dirname, '..', '..'),
    bundle: true,
    format: 'iife',
    minify: true,
    charset: 'ascii',
    write: false,
    logLevel: 'silent',
  }).outputFiles[0]?.text
  return code ?? ''
}
