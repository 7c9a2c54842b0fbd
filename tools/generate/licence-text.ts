// The licence that an installed package names, and its text.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package in a bundle. */
export interface ShippedPackage {
  readonly name: string
  readonly version: string
  /** The names of the packages that it declares to need. */
  readonly needs: readonly string[]
  /** As an SPDX expression. */
  readonly licence: string
  readonly text: string
}

const markdownLink = /\[([^\]]*)\]\([^)]*\)/g

/** @returns the first line of a text that names holders of the copyright, without links */
const copyrightIn = (text: string): string | undefined =>
  /Copyright \(c\) \d{4}.*/i.exec(text.replaceAll(markdownLink, '$1'))?.[0].trim()

/** Packages may leave out the licence's text, and it must be in every copy all the same. */
function mitText(holders: string): string {
  const ours = readFileSync(join(import.meta.dirname, '../../LICENSE'), 'utf8')
  return ours.replace(/^Copyright .*$/m, () => holders).trim()
}

/**
 * @param folder of an installed package
 * @throws Error for a package without a licence, or without its text unless that is the MIT licence's
 */
export function shippedPackage(folder: string): ShippedPackage {
  const {
    name,
    version,
    license,
    author,
    dependencies = {},
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder)
  const read = (pattern: RegExp): string | undefined => {
    const file = files.find((file) => pattern.test(file))
    return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
  }
  if (typeof license !== 'string') throw new Error(`${name} names no licence`)
  const own = read(/^licen[cs]e(?:\.\w+)?$/i)
  if (own === undefined && license !== 'MIT') throw new Error(`${name} has no text of its licence, ${license}`)
  const holders = copyrightIn(read(/^readme(?:\.\w+)?$/i) ?? '') ?? `Copyright (c) ${author?.name ?? author}`
  const notice = read(/^notice(?:\.\w+)?$/i)
  return {
    name,
    version,
    needs: Object.keys(dependencies),
    licence: license,
    text: [own ?? mitText(holders), ...(notice === undefined ? [] : [notice])].join('\n\n'),
  }
}
