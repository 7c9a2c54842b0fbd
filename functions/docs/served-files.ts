// Files that are compressed before they are served, and their form on disk beside a bundle.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContentCoding } from './content-coding.ts'

export interface ServedFile {
  /** `content-type`, `cache-control`, `etag`; for a page its content security policy. */
  readonly headers: Readonly<Record<string, string>>
  /** The UTF-8 text of the file in a coding. */
  encoded(coding: ContentCoding): Buffer
}

/** By path: `/docs`. */
export type ServedFiles = ReadonlyMap<string, ServedFile>

type Listed = readonly (readonly [path: string, headers: ServedFile['headers']])[]

const listIn = (folder: string): string => join(folder, 'list.json')
const fileIn = (folder: string, index: number, coding: ContentCoding): string => join(folder, `${index}.${coding}`)

/**
 * The files in a folder written by `storeFiles`. Each is read on request.
 *
 * @throws Error with the system's `code` if the folder does not exist
 */
export function storedFiles(folder: string): ServedFiles {
  const list: Listed = JSON.parse(readFileSync(listIn(folder), 'utf8'))
  return new Map(
    list.map(([path, headers], index) => {
      const encoded = (coding: ContentCoding) => readFileSync(fileIn(folder, index, coding))
      return [path, { headers, encoded }]
    }),
  )
}

/** Writes every form of the files to a folder, and creates the folder. */
export function storeFiles(folder: string, files: ServedFiles): void {
  mkdirSync(folder, { recursive: true })
  for (const [index, { encoded }] of [...files.values()].entries()) {
    writeFileSync(fileIn(folder, index, 'br'), encoded('br'))
    writeFileSync(fileIn(folder, index, 'gzip'), encoded('gzip'))
  }
  const list: Listed = [...files].map(([path, { headers }]) => [path, headers])
  writeFileSync(listIn(folder), JSON.stringify(list))
}
