// The code that CloudFront runs before its cache, so that each question has one cache key.
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { routeRules } from '../../shared/admission/routes.ts'
import { crossOriginHeaders, preflightHeaders } from '../../shared/http/cors.ts'
import type { EdgeRules } from './viewer-request.ts'

/**
 * ES 5.1 and the additions that the documentation of CloudFront's JavaScript runtime 2.0 names. esbuild rewrites some newer
 * syntax and fails on the rest.
 */
export const dialect = {
  target: 'es5',
  supported: { arrow: true, 'const-and-let': true, 'template-literal': true },
} as const

const known: EdgeRules = { rules: routeRules, preflightHeaders, crossOriginHeaders }

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

const isCompound = (value: Json): value is readonly Json[] | { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null

/** True if a reference is shorter than the value. */
const isLong = (value: Json): boolean => isCompound(value) || (typeof value === 'string' && value.length > 12)

/**
 * Declares data as a constant. An object, a list or a long text that stands in it several times becomes a constant before it.
 *
 * @example
 * declared('known', { left: [1], right: [1] }) // const part0 = [1]; const known = {"left":part0,"right":part0};
 */
function declared(name: string, data: Json): string {
  const uses = new Map<string, number>()
  const countUses = (value: Json): void => {
    if (!isLong(value)) return
    const text = JSON.stringify(value)
    const earlier = uses.get(text) ?? 0
    uses.set(text, earlier + 1)
    if (earlier === 0 && isCompound(value)) Object.values(value).forEach(countUses)
  }
  countUses(data)

  const parts = new Map<string, string>()
  const contentsOf = (value: Json): string => {
    if (!isCompound(value)) return JSON.stringify(value)
    return Array.isArray(value)
      ? `[${value.map(written)}]`
      : `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${written(each)}`)}}`
  }
  const written = (value: Json): string => {
    const text = JSON.stringify(value)
    if (!isLong(value) || parts.has(text)) return parts.get(text) ?? text
    const inside = contentsOf(value)
    if (uses.get(text) === 1) return inside
    const part = `part${parts.size}`
    declarations.push(`const ${part} = ${inside};`)
    parts.set(text, part)
    return part
  }
  const declarations: string[] = []
  const whole = written(data)
  return [...declarations, `const ${name} = ${whole};`].join(' ')
}

const entry = `import { handled } from './viewer-request.ts'
${declared('known', JSON.parse(JSON.stringify(known)))}
answerTo = (request) => handled(request, known)`

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
