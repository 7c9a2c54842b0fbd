// The files of the docs page: the page, what it loads, and the OpenAPI document that it shows.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { docsPolicy, docsRoutes } from '../../../shared/http/docs-page.ts'
import type { ServedFile, ServedFiles } from '../served-files.ts'
import type { Document } from './document.ts'
import { guidePages } from './guides.ts'
import { pageText } from './page.ts'

/** Page and guides name the files that they load, so caches must not keep old copies for long. */
const briefly = 'public, max-age=60'

/** Under a name that changes with the content. */
const forGood = 'public, max-age=31536000, immutable'

/** Two more steps of quality save a tenth, for twenty times the work; `npm start` makes the page at each request. */
const brotliQuality = 9

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** @param headers beside type and tag */
function fileOf(text: string, contentType: string, headers: Readonly<Record<string, string>>): ServedFile {
  const codings = {
    br: () => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    gzip: () => gzipSync(text, { level: 9 }),
  }
  const kept: { br?: Buffer; gzip?: Buffer } = {}
  return {
    headers: { 'content-type': contentType, etag: `W/"${digestOf(text)}"`, ...headers },
    encoded(coding) {
      kept[coding] ??= codings[coding]()
      return kept[coding]
    },
  }
}

const projectFile = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')

const browserFile = (name: string): string => projectFile(`functions/docs/browser/${name}`)

/** A file that the page loads, and its address. */
function loadedFile(name: string, ending: '.js' | '.css', contentType: string, text = browserFile(`${name}${ending}`)) {
  const file = `${name}-${digestOf(text)}${ending}`
  return {
    name: file,
    path: docsRoutes.file.replace('{file}', file),
    file: fileOf(text, `${contentType}; charset=utf-8`, { 'cache-control': forGood }),
  }
}

const javascript = 'text/javascript'

function loadedFiles() {
  const snippets = loadedFile('snippets', '.js', javascript)
  const importing = browserFile('page.js').replace('./snippets.js', `./${snippets.name}`)
  return {
    script: loadedFile('page', '.js', javascript, importing),
    snippets,
    style: loadedFile('page', '.css', 'text/css'),
  }
}

/** Of the deployment that serves it, wherever that is. */
const ownServer = [{ url: '/', description: 'This deployment' }]

/** @param describe changes the committed OpenAPI document, JSON */
export function docsFiles(describe = (openApi: string) => openApi): ServedFiles {
  const document: Document = { ...JSON.parse(describe(projectFile('openapi.json'))), servers: ownServer }
  const { script, snippets, style } = loadedFiles()
  const guides = guidePages(style.path, projectFile)
  const page = pageText(document, {
    script: script.path,
    snippets: snippets.path,
    style: style.path,
    description: docsRoutes.description,
    guides,
  })
  const html = (text: string) =>
    fileOf(text, 'text/html; charset=utf-8', { 'cache-control': briefly, 'content-security-policy': docsPolicy })
  return new Map([
    [docsRoutes.page, html(page)],
    [script.path, script.file],
    [snippets.path, snippets.file],
    [style.path, style.file],
    ...guides.map(({ path, text }) => [path, html(text)] as const),
    [docsRoutes.description, fileOf(JSON.stringify(document), 'application/json', { 'cache-control': briefly })],
  ])
}
