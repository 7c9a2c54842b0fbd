// The version of the project that is synthesised.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Release } from './api-stack.ts'
import { projectRoot } from './project-root.ts'

/** The sources of every bundle. */
const sources = ['functions', 'shared', 'docs', 'openapi.json', 'package.json', 'package-lock.json']

/** Of every source, so that two changes on one commit are two releases: entity tags rest on the release. */
function sourcesHash(folder: string): string {
  const hash = createHash('sha256')
  const present = sources.filter((name) => existsSync(join(folder, name)))
  const files = present.flatMap((name) =>
    statSync(join(folder, name)).isDirectory()
      ? readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file))
      : [name],
  )
  for (const file of files.toSorted()) {
    if (statSync(join(folder, file)).isFile())
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(folder, file)))
        .update('\0')
  }
  return hash.digest('hex').slice(0, 12)
}

/** In a container the checkout often belongs to another user, and git refuses to look at it. Its code runs here anyway. */
const trusting = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false']

/** The last line that git or the system says. */
function reasonOf(error: unknown): string {
  const { stderr, message } = Object(error)
  return (String(stderr ?? '').trim() || String(message)).split('\n').at(-1) ?? ''
}

function commitOf(folder: string, warn: (line: string) => void): string {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', [...trusting, ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD')
    return git('status', '--porcelain') === '' ? commit : `${commit}-dirty-${sourcesHash(folder)}`
  } catch (error) {
    const commit = `sources-${sourcesHash(folder)}`
    warn(`git does not tell the commit (${reasonOf(error)}): the release is named ${commit}, after its files.`)
    return commit
  }
}

/**
 * The version in a folder's package.json and the commit that is checked out there. Where a file was changed or added since,
 * the commit ends with `-dirty` and a hash of the sources; where git tells no commit, that hash stands in its place.
 */
export function releaseOf(folder = projectRoot, warn = (line: string) => console.error(line)): Release {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { version, commit: commitOf(folder, warn) }
}
