import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { releaseOf } from '../../infra/release.ts'

const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-release-'))
afterAll(() => rmSync(folder, { recursive: true }))

const git = (...words: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=test', '-c', 'user.email=test@example.org', ...words], {
    encoding: 'utf8',
  })

test('the commit is the checked-out one, with -dirty after changes, and unknown outside a git checkout', () => {
  writeFileSync(join(folder, 'package.json'), '{ "version": "9.8.7" }')
  expect(releaseOf(folder)).toEqual({ version: '9.8.7', commit: 'unknown' })
  git('init', '-q')
  git('add', 'package.json')
  git('commit', '-q', '-m', 'first')
  const commit = git('rev-parse', '--short=12', 'HEAD').trim()
  expect(releaseOf(folder)).toEqual({ version: '9.8.7', commit })
  writeFileSync(join(folder, 'stage.ts'), '')
  expect(releaseOf(folder)).toEqual({ version: '9.8.7', commit: `${commit}-dirty` })
})
