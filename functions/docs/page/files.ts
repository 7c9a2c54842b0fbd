// The files of the docs page: the page, what it loads, and the OpenAPI document that it shows.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { docsPolicy, docsRoutes, docsScripts } from '../../../shared/http/docs-page.ts'
import type { ServedFile, ServedFiles } from '../served-files.ts'
import { viewerScript } from './viewer.ts'

/** The page names the files that it loads, so an old page must soon be gone. */
const briefly = 'public, max-age=60'

/** Under a name that changes with the content. */
const forGood = 'public, max-age=31536000, immutable'

/** Two more steps of quality save a tenth of the viewer, for twenty times the work in every build. */
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

const scriptOf = (text: string): ServedFile =>
  fileOf(text, 'text/javascript; charset=utf-8', { 'cache-control': forGood })

const ownFile = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

/** Of the deployment that serves it, wherever that is. */
const ownServer = [{ url: '/', description: 'This deployment' }]

/**
 * The OpenAPI document of the service that serves it.
 *
 * @param describe changes the committed document, JSON
 */
export function descriptionFile(describe = (openApi: string) => openApi): ServedFile {
  const described = { ...JSON.parse(describe(ownFile('../../../openapi.json'))), servers: ownServer }
  return fileOf(JSON.stringify(described), 'application/json', { 'cache-control': briefly })
}

/** @param describe changes the committed document, JSON */
export function docsFiles(describe?: (openApi: string) => string): ServedFiles {
  const texts = { page: ownFile('page.js'), viewer: viewerScript() }
  const { names, ending } = docsScripts
  const scripts = names.map((name) => ({
    name: `${name}${ending}`,
    path: docsRoutes.file.replace('{file}', `${name}-${digestOf(texts[name])}${ending}`),
    file: scriptOf(texts[name]),
  }))
  const page = scripts
    .reduce((html, { name, path }) => html.replace(`"${name}"`, `"${path}"`), ownFile('page.html'))
    .replace('"openapi.json"', `"${docsRoutes.description}"`)
  return new Map([
    [
      docsRoutes.page,
      fileOf(page, 'text/html; charset=utf-8', { 'cache-control': briefly, 'content-security-policy': docsPolicy }),
    ],
    ...scripts.map(({ path, file }) => [path, file] as const),
    [docsRoutes.description, descriptionFile(describe)],
  ])
}
