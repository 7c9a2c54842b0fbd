import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { docsFiles } from '../../../../functions/docs/page/files.ts'
import { type ServedFile, type ServedFiles, storedFiles, storeFiles } from '../../../../functions/docs/served-files.ts'
import { admit } from '../../../../shared/admission/admit.ts'
import { docsRules } from '../../../../shared/admission/routes.ts'
import { temporaryFolder } from '../../../serving.ts'
import { asked } from '../../../shared/admission/hostile.ts'

const files = docsFiles()
const paths = [...files.keys()]
const textOf = (path: string | undefined): string =>
  brotliDecompressSync(files.get(path ?? '')?.encoded('br') ?? '').toString()

describe('the files of the docs page', () => {
  test('are the page, what it loads under names of the contents, the guides, and the OpenAPI document', () => {
    const forAYear = 'public, max-age=31536000, immutable'
    const etag = expect.stringMatching(/^W\/"[0-9a-f]{16}"$/)
    const page = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self'; /),
      etag,
    }
    expect([...files].map(([path, { headers }]) => [path, headers])).toEqual([
      ['/docs', { ...page, 'cache-control': 'public, max-age=60' }],
      [
        expect.stringMatching(/^\/docs\/page-[0-9a-f]{16}\.js$/),
        { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': forAYear, etag },
      ],
      [
        expect.stringMatching(/^\/docs\/snippets-[0-9a-f]{16}\.js$/),
        { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': forAYear, etag },
      ],
      [
        expect.stringMatching(/^\/docs\/page-[0-9a-f]{16}\.css$/),
        { 'content-type': 'text/css; charset=utf-8', 'cache-control': forAYear, etag },
      ],
      ...['broadcasting', 'recipes', 'exchanges', 'client'].map((name) => [
        `/docs/${name}.html`,
        { ...page, 'cache-control': 'public, max-age=60' },
      ]),
      ['/openapi.json', { 'content-type': 'application/json', 'cache-control': 'public, max-age=60', etag }],
    ])
  })

  test('refer to each other by addresses that the service has, and to nothing else', () => {
    const addresses = Array.from(textOf('/docs').matchAll(/(?:src|href)="([^"#]+)"/g), ([, address]) => address)
    expect(addresses).toEqual(['data:,', paths[3], paths[2], paths[1], ...paths.slice(4)])
    expect(textOf(paths[1])).toContain(` from '.${paths[2]?.slice('/docs'.length)}'`)
  })

  test('are guides whose links all lead to a heading that there is', () => {
    const pages = new Map(paths.filter((path) => path.endsWith('.html')).map((path) => [path, textOf(path)]))
    const headings = [...pages].flatMap(([path, text]) => [
      path,
      ...Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => `${path}#${id}`),
    ])
    const links = [...pages].flatMap(([path, text]) =>
      Array.from(text.matchAll(/<a href="([^"]+)"/g), ([, to = '']) => (to.startsWith('#') ? `${path}${to}` : to)),
    )
    expect(new Set(headings).size).toBe(headings.length)
    const known = [...headings, '/docs', 'https://semver.org']
    expect(links.filter((link) => !known.includes(link) && !link.startsWith('https://docs.minaprotocol.com/'))).toEqual(
      [],
    )
    expect(links.filter((link) => link.includes('#')).length).toBeGreaterThan(10)
  })

  test('are guides without a sign of Markdown outside of their code', () => {
    for (const path of paths.filter((one) => one.endsWith('.html'))) {
      const prose = textOf(path)
        .replace(/<code>[^<]*<\/code>/g, '')
        .replace(/<[^>]*>/g, '')
      expect(prose.match(/`|\*\*|\]\(|^\s*(?:[-*|]|#+|\d+\.) .*/gm) ?? []).toEqual([])
    }
  })

  test('are all admitted, in this spelling', () => {
    const admitted = paths.map((path) => admit(docsRules, asked('GET', path)))
    expect(admitted).toMatchObject(paths.map((path) => ({ kind: 'admitted', path })))
  })

  test('describe the deployment that serves them, by its address where that is known', () => {
    const serversOf = (served: ServedFiles) =>
      JSON.parse(brotliDecompressSync(served.get('/openapi.json')?.encoded('br') ?? '').toString()).servers
    const address = 'https://chain.example'
    const known = docsFiles({ address })
    expect([serversOf(files), serversOf(known)]).toEqual(
      ['/', address].map((url) => [{ url, description: 'This deployment' }]),
    )
    const page = brotliDecompressSync(known.get('/docs')?.encoded('br') ?? '').toString()
    expect(page).toContain(`curl -sS &#39;${address}/summary&#39;`)
    expect(page).not.toContain('&#60;host&#62;')
  })
})

test('the stored docs files are the same as the generated ones, in both codings', () => {
  const folder = temporaryFolder()
  storeFiles(join(folder, 'docs-files'), files)
  const stored = storedFiles(join(folder, 'docs-files'))
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const contents = ([path, { headers, encoded }]: readonly [string, ServedFile]) => {
    return [path, headers, digest(brotliDecompressSync(encoded('br'))), digest(gunzipSync(encoded('gzip')))]
  }
  expect([...stored].map(contents)).toEqual([...files].map(contents))
})
