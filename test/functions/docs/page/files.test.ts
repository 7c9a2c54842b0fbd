import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { docsFiles } from '../../../../functions/docs/page/files.ts'
import { type ServedFile, storedFiles, storeFiles } from '../../../../functions/docs/served-files.ts'
import { admit } from '../../../../shared/admission/admit.ts'
import { docsRules } from '../../../../shared/admission/routes.ts'
import { temporaryFolder } from '../../../serving.ts'
import { asked } from '../../../shared/admission/hostile.ts'

const files = docsFiles()
const paths = [...files.keys()]
const textOf = (path: string | undefined): string =>
  brotliDecompressSync(files.get(path ?? '')?.encoded('br') ?? '').toString()

describe('the files of the docs page', () => {
  test('are the page, its script and style under names of their contents, and the OpenAPI document', () => {
    const forAYear = 'public, max-age=31536000, immutable'
    const etag = expect.stringMatching(/^W\/"[0-9a-f]{16}"$/)
    expect([...files].map(([path, { headers }]) => [path, headers])).toEqual([
      [
        '/docs',
        {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'public, max-age=60',
          'content-security-policy': expect.stringMatching(
            /^default-src 'none'; script-src 'self'; style-src 'self'; /,
          ),
          etag,
        },
      ],
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
      ['/openapi.json', { 'content-type': 'application/json', 'cache-control': 'public, max-age=60', etag }],
    ])
  })

  test('refer to each other by addresses that the service has, and to nothing else', () => {
    const addresses = Array.from(textOf('/docs').matchAll(/(?:src|href)="([^"#]+)"/g), ([, address]) => address)
    expect(addresses).toEqual(['data:,', paths[3], paths[2], paths[1], '/openapi.json'])
    expect(textOf(paths[1])).toContain(` from '.${paths[2]?.slice('/docs'.length)}'`)
  })

  test('are all admitted, in this spelling', () => {
    const admitted = paths.map((path) => admit(docsRules, asked('GET', path)))
    expect(admitted).toMatchObject(paths.map((path) => ({ kind: 'admitted', path })))
  })

  test('describe the deployment that serves them', () => {
    expect(JSON.parse(textOf('/openapi.json'))).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: '/', description: 'This deployment' }],
    })
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
