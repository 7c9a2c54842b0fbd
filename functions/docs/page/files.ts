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

/** For a file whose name changes with its content. */
const forGood = 'public, max-age=31536000, immutable'

/** The highest quality saves a tenth, for twenty times the work; `npm start` builds the page on each request. */
const brotliQualities = { quick: 9, small: 11 } as const

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

type Compression = keyof typeof brotliQualities

interface Text {
  readonly text: string
  readonly contentType: string
  /** Besides type and tag. */
  readonly headers: Readonly<Record<string, string>>
}

function fileOf({ text, contentType, headers }: Text, compression: Compression): ServedFile {
  const quality = brotliQualities[compression]
  const codings = {
    br: () => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
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
    file: { text, contentType: `${contentType}; charset=utf-8`, headers: { 'cache-control': forGood } },
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

/** A program that reads the document from a file knows no other address. */
const serverAt = (address: string) => [{ url: address, description: 'This deployment' }]

interface Served {
  /** The service's address, without a trailing slash. Defaults to the root of the host that serves the document. */
  readonly address?: string | undefined
  /** Changes the committed OpenAPI document, JSON. */
  readonly describe?: (openApi: string) => string
  /** `quick` by default. */
  readonly compression?: Compression
}

export function docsFiles({
  address = '/',
  describe = (openApi) => openApi,
  compression = 'quick',
}: Served = {}): ServedFiles {
  const document: Document = { ...JSON.parse(describe(projectFile('openapi.json'))), servers: serverAt(address) }
  const { script, snippets, style } = loadedFiles()
  const guides = guidePages(style.path, projectFile)
  const page = pageText(document, {
    script: script.path,
    snippets: snippets.path,
    style: style.path,
    description: docsRoutes.description,
    guides,
  })
  const html = (text: string): Text => ({
    text,
    contentType: 'text/html; charset=utf-8',
    headers: { 'cache-control': briefly, 'content-security-policy': docsPolicy },
  })
  const json: Text = {
    text: JSON.stringify(document),
    contentType: 'application/json',
    headers: { 'cache-control': briefly },
  }
  const texts: readonly (readonly [path: string, text: Text])[] = [
    [docsRoutes.page, html(page)],
    [script.path, script.file],
    [snippets.path, snippets.file],
    [style.path, style.file],
    ...guides.map(({ path, text }) => [path, html(text)] as const),
    [docsRoutes.description, json],
  ]
  return new Map(texts.map(([path, text]) => [path, fileOf(text, compression)]))
}
