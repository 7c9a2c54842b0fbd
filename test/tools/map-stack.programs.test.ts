import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { buildConstants, entryFile, functionBuild } from '../../infra/api/bundling.ts'
import { releaseOf } from '../../infra/release.ts'
import { temporaryFolder } from '../serving.ts'

const root = join(import.meta.dirname, '../..')
const folder = temporaryFolder()
/** Of a function whose context cannot say how much time is left. */
let line: string

beforeAll(async () => {
  const bundle = join(folder, entryFile)
  await build({ ...functionBuild('functions/get-summary.ts', folder), define: buildConstants('') })
  const code = `
    const { handler } = await import(${JSON.stringify(bundle)})
    const headers = { 'x-origin-secret': 'secret' }
    await handler({ version: '2.0', headers, requestContext: { http: { method: 'GET' } } }, {})
    process.exit()`
  const env = {
    NODE_GRAPHQL_URL: 'http://127.0.0.1:9/graphql',
    ORIGIN_SECRETS: 'secret',
    RELEASE: '1.2.3+0123456789ab',
    SERVICE_NAME: 'chain-explorer-devnet',
  }
  line = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { env, encoding: 'utf8' })
})

/** The place of a text in a source, as a stack trace shows it. */
function placeOf(file: string, text: string): string {
  const before = readFileSync(join(root, file), 'utf8').split(text)[0]?.split('\n') ?? []
  return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

function mapped(content: string, ...options: readonly string[]) {
  const file = join(folder, 'logged.txt')
  writeFileSync(file, content)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/map-stack.ts', ...options, file], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, out: stdout.trimEnd().split('\n'), err: stderr.trimEnd().split('\n') }
}

const expectedPlace = () =>
  `    at ${placeOf('functions/runtime/serve.ts', 'getRemainingTimeInMillis() - answerMarginMs')}`

describe('a stack trace from the log', () => {
  test('is mapped to the sources, with a warning if another commit is checked out', () => {
    expect(JSON.parse(line).note).toMatch(/^TypeError: .*\n {4}at (?:\S+ \()?file:\/\/\/.*index\.mjs:\d+:\d+/)
    const { status, out, err } = mapped(line)
    expect([status, out[1]]).toEqual([0, expectedPlace()])
    expect(out.filter((text) => text.includes('index.mjs'))).toEqual([])
    expect(out.some((text) => text.includes('node_modules/@middy/core/'))).toBe(true)
    expect(err).toEqual([
      `The stack trace is of 0123456789ab, and ${releaseOf().commit} is checked out: the places below may be wrong.`,
    ])
  })

  test('is mapped alone too, if the options say where it is from', () => {
    const { note } = JSON.parse(line)
    const onLambda = note.replaceAll(/file:\/\/\/\S*index\.mjs/g, 'file:///var/task/index.mjs')
    const { status, out, err } = mapped(onLambda, '--endpoint', 'getSummary', '--commit', releaseOf().commit)
    expect({ status, place: out[1], err }).toEqual({ status: 0, place: expectedPlace(), err: [''] })
  })

  test('of an unknown endpoint is refused', () => {
    const { status, out, err } = mapped('Error: x')
    expect({ status, out, reason: err[0] }).toEqual({ status: 2, out: [''], reason: 'Which endpoint? Got none.' })
  })
})
