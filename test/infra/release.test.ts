import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { releaseOf } from '../../infra/release.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-explorer-release-'))
  writeFileSync(join(folder, 'package.json'), '{ "version": "9.8.7" }')
})
afterEach(() => rmSync(folder, { recursive: true }))

const git = (...words: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=test', '-c', 'user.email=test@example.org', ...words], {
    encoding: 'utf8',
  })

test('outside a git checkout the commit is unknown', () => {
  expect(releaseOf(folder)).toEqual({ version: '9.8.7', commit: 'unknown' })
})

test('in a git checkout the commit is the checked-out one, with -dirty after changes', () => {
  git('init', '-q')
  git('add', 'package.json')
  git('commit', '-q', '-m', 'first')
  const commit = git('rev-parse', '--short=12', 'HEAD').trim()
  expect(releaseOf(folder)).toEqual({ version: '9.8.7', commit })
  writeFileSync(join(folder, 'package.json'), '{ "version": "9.8.8" }')
  expect(releaseOf(folder)).toEqual({ version: '9.8.8', commit: `${commit}-dirty` })
  git('checkout', '-q', 'package.json')
  writeFileSync(join(folder, 'stage.ts'), '')
  expect(releaseOf(folder)).toEqual({ version: '9.8.7', commit: `${commit}-dirty` })
})
