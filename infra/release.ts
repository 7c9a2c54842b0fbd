// The version of the project that is synthesised.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Release } from './api-stack.ts'
import { projectRoot } from './project-root.ts'

/** `unknown` outside a git checkout or without git. */
function commitOf(folder: string): string {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD')
    return git('status', '--porcelain') === '' ? commit : `${commit}-dirty`
  } catch {
    return 'unknown'
  }
}

/**
 * The version in a folder's package.json and the commit that is checked out there. The commit ends with `-dirty` where a
 * file was changed or added since.
 */
export function releaseOf(folder = projectRoot): Release {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { version, commit: commitOf(folder) }
}
