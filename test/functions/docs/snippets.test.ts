// The requests of the docs page as code, run by the programs for which it is written.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { type HttpRequest, type Language, snippetOf } from '../../../functions/docs/browser/snippets.js'
import { type Document, requestsOf } from '../../../functions/docs/page/document.ts'
import { sampleRequest } from '../../../functions/docs/page/try-it.ts'
import { serve } from '../../serving.ts'

const document: Document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'))

/**
 * For each language, the program that runs all its snippets, and a command that succeeds if it is installed. One process runs
 * them all because Node and Python take a tenth of a second to start.
 */
const programs: readonly (readonly [Language, string, readonly string[], readonly string[]])[] = [
  ['curl', 'sh', ['-c', 'for code; do sh -c "$code"; echo; done', 'sh'], ['-c', 'curl --version']],
  // What Windows makes of the line is worked out here, and run by the curl of this machine.
  ['curl (Windows)', 'sh', ['-c', 'for code; do sh -c "$code"; echo; done', 'sh'], ['-c', 'curl --version']],
  [
    'JavaScript',
    process.execPath,
    [
      '--input-type=module',
      '-e',
      "for (const code of process.argv.slice(1)) await import('data:text/javascript,' + encodeURIComponent(code))",
    ],
    ['--version'],
  ],
  ['Python', 'python3', ['-c', 'import sys\nfor code in sys.argv[1:]: exec(code, {})'], ['--version']],
]

/**
 * The arguments that a program gets from a line pasted into Windows' `cmd`, by its rules as they are documented, where every
 * name between two per cent signs is a variable with a text of its own that has no caret in its name.
 *
 * @throws Error where `cmd` would do more than start a program
 */
function argumentsFromCmd(line: string): readonly string[] {
  // First the variables, in quotes too.
  const expanded = line.replace(/%([^%^]+)%/g, 'EXPANDED')
  // Then quotes and carets.
  let isQuoted = false
  let command = ''
  for (let index = 0; index < expanded.length; index += 1) {
    const sign = expanded.charAt(index)
    if (sign === '\n') throw new Error('the line ends here')
    if (sign === '"') isQuoted = !isQuoted
    if (!isQuoted && /[&|<>()]/.test(sign)) throw new Error(`${sign} in ${line}`)
    if (!isQuoted && sign === '^') index += 1
    command += !isQuoted && sign === '^' ? expanded.charAt(index) : sign
  }
  // Last the program's own rules, those of Microsoft's C runtime.
  const given: string[] = []
  const rest = /(?:[^\s"]|\\+|"(?:\\.|[^"\\])*")+/g
  for (const [found] of command.matchAll(rest)) given.push(argumentOf(found))
  return given
}

/** @param part of a command line, quotes and backslashes as they stand */
function argumentOf(part: string): string {
  let text = ''
  for (const [, slashes = '', quote = '', other = ''] of part.matchAll(/(\\*)(?:(")|([^\\"])|$)/g)) {
    if (quote === '') text += slashes + other
    else text += '\\'.repeat(slashes.length / 2) + (slashes.length % 2 === 1 ? '"' : '')
  }
  return text
}

/** What `cmd` would start, as a line for a shell. */
const shellLine = (line: string): string => {
  const [program = '', ...given] = argumentsFromCmd(line)
  return [program.replace('.exe', ''), ...given.map((one) => `'${one.replaceAll("'", "'\\''")}'`)].join(' ')
}

const hostile = `it's "quoted" \\ \\n $HOME \`id\` $(id) %s %PATH% ^ & | (x) \\\\% {x} </code> é 😀`

const requestsTo = (origin: string): readonly HttpRequest[] => [
  ...requestsOf(document).map((request) => sampleRequest(request, origin)),
  { method: 'GET', url: `${origin}/none`, headers: { 'if-none-match': `W/"it's $HOME \\"` } },
  { method: 'GET', url: `${origin}/none`, headers: { 'if-none-match': '%PATH%" %PATH% & ^ \\%PATH%\\' } },
  {
    method: 'POST',
    url: `${origin}/none?${new URLSearchParams({ text: hostile })}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ [hostile]: `${hostile}\n\t` }, null, 2),
  },
  { method: 'POST', url: `${origin}/none`, headers: { 'content-type': 'application/json' }, body: '@/etc/hostname' },
]

describe.each(programs)('the %s code of a request', (language, program, run, trial) => {
  const isThere = spawnSync(program, trial).status === 0

  ;(isThere ? test : test.skip)('sends the request as it is, and prints whatever is answered', async () => {
    const received: Readonly<Record<'method' | 'url' | 'type' | 'tag' | 'body', string | undefined>>[] = []
    const { url: origin } = await serve(async (request, response) => {
      const { method, url, headers } = request
      const { 'content-type': type, 'if-none-match': tag } = headers
      received.push({ method, url: `${origin}${url}`, type, tag, body: await text(request) })
      response.writeHead(url?.startsWith('/none') ? 404 : 200).end(`answer ${received.length}`)
    })
    const requests = requestsTo(origin)
    const { NODE_OPTIONS, ...env } = process.env
    const lines = requests.map((request) => snippetOf(language, request))
    const codes = language === 'curl (Windows)' ? lines.map(shellLine) : lines
    const { stdout } = await promisify(execFile)(program, [...run, ...codes], { env })
    const wasJson = (body: string | undefined) => (body?.startsWith('{') ? JSON.stringify(JSON.parse(body)) : body)
    // In the line for Windows the JSON has other escapes.
    const same = language === 'curl (Windows)' ? wasJson : (body: string | undefined) => body
    expect(received.map(({ body, ...rest }) => ({ ...rest, body: same(body) }))).toEqual(
      requests.map(({ method, url, headers, body }) => ({
        ...{ method, url, type: headers['content-type'], tag: headers['if-none-match'], body: wasJson(body) ?? '' },
      })),
    )
    const codeOf = (url: string) => (url.includes('/none') ? 404 : 200)
    expect(stdout.trim().split('\n')).toEqual(
      requests.map(({ url }, index) => `${language.startsWith('curl') ? '' : `${codeOf(url)} `}answer ${index + 1}`),
    )
  })
})
