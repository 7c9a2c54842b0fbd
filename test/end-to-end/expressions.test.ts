// The cost in steps of the regular expressions of the deployed bundles over long hostile text. The process answers nobody
// while one runs: over 200 KB one that is quadratic takes seconds.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { parse } from '@babel/parser'
import { describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { buildConstants, esbuildOptions } from '../../infra/api/bundling.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { fileNameOf } from '../../shared/http/routes.ts'
import { temporaryFolder } from '../serving.ts'
import { CountedExpression, hostileTexts } from './expression-steps.ts'

const shorter = 100

/** Twice the text may cost twice the steps, and some that do not depend on it. */
const mayCost = (stepsForHalf: number): number => 2.5 * stepsForHalf + 400

/** A text for which twice the length costs more than twice the steps; undefined for an expression that has none. */
function costlyText(expression: RegExp): string | undefined {
  const counted = new CountedExpression(expression)
  const [half, whole] = [hostileTexts(counted, shorter), hostileTexts(counted, 2 * shorter)]
  return whole.find((text, index) => {
    const allowed = mayCost(counted.count(half[index] ?? '', 1e5).steps)
    return allowed === Number.POSITIVE_INFINITY || counted.count(text, allowed).steps > allowed
  })
}

describe('the count of steps', () => {
  test.each([/=+$/, /\s+$/, /(a+)+b/, /^(?:a|a)*b/, /x*y/, /<[^>]*>/, /^\s*(\w+\s*)+;/, /[ab]{1,4000}c/, /\d+\.\d+$/])(
    'finds that %s is worse than linear',
    (expression) => {
      expect(costlyText(expression)).toEqual(expect.any(String))
    },
  )

  test.each([
    /=$/,
    /^=+$/,
    /[^a-z]/g,
    /^1+/,
    /"([^"]*)"/,
    /^[\w+/=-]{1,4000}$/,
    /\r\n?/,
    /:\s*-?(?:\d{16}|\d{1,15}[.e])/,
  ])('finds that %s is linear', (expression) => {
    expect(costlyText(expression)).toBeUndefined()
  })

  test('refuses an expression that it does not understand', () => {
    for (const source of ['(a)\\1', '(?<=a)b', '\\p{L}+']) {
      expect(() => new CountedExpression(new RegExp(source, 'u'))).toThrow('not understood')
    }
  })
})

const folder = temporaryFolder()
const names = [...endpoints.map(({ name }) => fileNameOf(name)), 'docs', 'broadcast-heartbeat']
await build({
  ...esbuildOptions,
  define: buildConstants('slot,locked\n0,1.5\n'),
  entryPoints: names.map((name) => `functions/${name}.ts`),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
})
const files = names.map((name) => `${folder}/${name}.mjs`)
/** That of the docs page reads its files when it is loaded, and takes no text of others. */
const loadable = files.filter((file) => !file.endsWith('/docs.mjs'))

async function literalsIn(file: string): Promise<readonly RegExp[]> {
  const { tokens } = parse(await readFile(file, 'utf8'), { sourceType: 'module', tokens: true })
  return (tokens ?? []).flatMap(({ type, value }) =>
    type.label === 'regexp' ? [new RegExp(value.pattern, value.flags)] : [],
  )
}

/** Those that are made of text when a bundle is loaded. */
async function constructedIn(bundles: readonly string[]): Promise<readonly RegExp[]> {
  const program = `
    const made = []
    globalThis.RegExp = new Proxy(RegExp, {
      construct(target, given) {
        const expression = new target(...given)
        made.push([expression.source, expression.flags])
        return expression
      },
    })
    for (const file of process.argv.slice(1)) await import(file)
    process.stdout.write(JSON.stringify(made))`
  const env = { NODE_GRAPHQL_URL: 'http://127.0.0.1:1/graphql' }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program, ...bundles],
    { env },
  )
  const made: readonly [string, string][] = JSON.parse(stdout)
  return made.map(([source, flags]) => new RegExp(source, flags))
}

const all = [...(await Promise.all(files.map(literalsIn))).flat(), ...(await constructedIn(loadable))]
const expressions = [...new Map(all.map((expression) => [String(expression), expression])).values()]

/** Expressions of packages that are never run over a text of others. */
const unused: readonly string[] = [
  // strnum reads numbers for fast-xml-parser, which is told to leave texts as they are (functions/runtime/xml-body.ts).
  String.raw`/^([\-\+])?(0*)([0-9]*(\.[0-9]*)?)$/`,
  String.raw`/^([-+])?(0*)(\d*(\.\d*)?[eE][-\+]?\d+)$/`,
]

test('the bundles have the expressions of our code and of their packages, and no longer listed exception', () => {
  const sources = expressions.map(String)
  expect(sources).toEqual(expect.arrayContaining([String.raw`/^-?\d+$/`, '/^[0-9A-Fa-f]{128}$/u', ...unused]))
})

describe.each(expressions.map((expression) => [String(expression).slice(0, 100), expression] as const))(
  '%s of the bundles',
  (_title, expression) => {
    test('takes steps in proportion to the text, however hostile', () => {
      const costly = unused.includes(String(expression)) ? undefined : costlyText(expression)
      expect(costly).toBeUndefined()
    })

    test('is counted as the engine matches', () => {
      const counted = new CountedExpression(expression)
      const searching = new RegExp(expression.source, expression.flags.replace(/[gy]/g, ''))
      const otherwise = hostileTexts(counted, 24).flatMap((text) => {
        const { span, steps } = counted.count(text, 1e5)
        const found = steps === Number.POSITIVE_INFINITY ? null : searching.exec(text)
        const isSame = span?.[0] === found?.index && (span?.[1] ?? 0) - (span?.[0] ?? 0) === (found?.[0].length ?? 0)
        return isSame ? [] : [{ text, span, found }]
      })
      expect(otherwise).toEqual([])
    })
  },
)
