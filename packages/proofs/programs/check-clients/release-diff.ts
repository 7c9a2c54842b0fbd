// The document beside that of the last release: what an answer no longer promises is named in the changelog.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from './tools.ts'

/** One difference, as oasdiff prints it. */
export interface Difference {
  readonly id: string
  readonly text: string
  /** 3 breaks a client, 2 may, 1 does not. */
  readonly level: number
  readonly operation: string
  readonly path: string
}

/** The part of the changelog about what is not released yet. */
const unreleasedOf = (changelog: string): string => changelog.split(/^## /m)[1] ?? ''

/**
 * The differences that take a promise back, a field no longer `required`, of which no unreleased line says so by the
 * field's name.
 */
export function unnamedIn(changelog: string, differences: readonly Difference[]): readonly Difference[] {
  const lines = unreleasedOf(changelog)
    .split('\n')
    .filter((line) => line.includes('no longer `required`'))
  return differences
    .filter(({ id }) => /^response-.*became-optional$/.test(id))
    .filter(({ text }) => {
      const field = /`([^`]+)`/.exec(text)?.[1]?.split('/').at(-1)
      return !lines.some((line) => field !== undefined && new RegExp(`[\`.]${field}\``).test(line))
    })
}

/** @returns undefined for a changelog without a release */
export const lastRelease = (changelog: string): string | undefined => /^## \[(\d[^\]]*)\]/m.exec(changelog)?.[1]

type Execute = (command: Command) => Promise<string>

/** The commit of a release: that of its tag, or without one the commit in which the changelog first had its heading. */
async function commitOf(version: string, execute: Execute): Promise<string | undefined> {
  const git = (...args: readonly string[]) => execute({ program: 'git', args }).catch(() => '')
  const tagged = (await git('rev-parse', '--verify', '--quiet', `v${version}^{commit}`)).trim()
  if (tagged !== '') return tagged
  const [first] = (await git('log', '--reverse', '--format=%H', `-S## [${version}]`, '--', 'CHANGELOG.md')).split('\n')
  return first || undefined
}

interface Places {
  readonly folder: string
  readonly document: string
}

/** @returns what the table says, and if every promise that was taken back is named */
export async function compareWithRelease(
  { folder, document }: Places,
  tool: string,
  execute: Execute,
): Promise<{ readonly isRight: boolean; readonly text: string }> {
  const changelog = await readFile(join(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8')
  const version = lastRelease(changelog)
  const commit = version && (await commitOf(version, execute))
  if (!commit) return { isRight: true, text: 'not run: the history of this clone has no release' }
  const released = join(folder, 'released.json')
  await writeFile(released, await execute({ program: 'git', args: ['show', `${commit}:openapi.json`] }))
  const args = ['run', tool, 'changelog', released, document, '--format', 'json']
  const differences: readonly Difference[] = JSON.parse(await execute({ program: 'go', args }))
  const unnamed = unnamedIn(changelog, differences)
  for (const { operation, path, text } of unnamed) {
    console.error(`  oasdiff: ${operation} ${path}: ${text}: CHANGELOG.md has no line "no longer \`required\`" with it`)
  }
  const removed = differences.filter(({ id }) => /^response-.*became-optional$/.test(id)).length
  return {
    isRight: unnamed.length === 0,
    text: `${removed} fields of answers no longer required since ${version}, ${unnamed.length} of them not in the changelog`,
  }
}
