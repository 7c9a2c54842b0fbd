// The form of the scripts in findings/. What they say of programs of others is run by npm run check:findings.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'

const folder = join(import.meta.dirname, '../findings')
const files = readdirSync(folder).filter((file) => file.endsWith('.sh'))

const lineOf = (label: string) => `# ${label}: .+\\n(?:#   .+\\n)*`
const form = new RegExp(
  `^#!/usr/bin/env bash\\n${['Most expect', 'True', 'Package', 'Why here'].map(lineOf).join('')}set -euo pipefail\\n` +
    'expected="\\$\\{EXPECTED:-.+\\}"\\nfolder="\\$\\(mktemp -d\\)"\\ntrap \'rm -rf "\\$folder"\' EXIT\\ncd "\\$folder"\\n',
)

test('the table has a row for each script, and no other', () => {
  const rows = Array.from(readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| .*\]\((\S+\.sh)\)/gm))
  expect(rows.map(([, file]) => file).toSorted()).toEqual(files.toSorted())
})

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(folder, file), 'utf8')
  const [, packages = ''] = /^# Package: (.+)/m.exec(text) ?? []

  test('says what most expect, what is true, of which package and why, and works in a folder that it removes', () => {
    expect(text).toMatch(form)
    expect(text).toMatch(/^\[ "\$seen" = "\$expected" \] \|\| \{ echo "another behaviour, [^\n]+" >&2; exit 1; \}\n$/m)
  })

  test('can be run', () => {
    // Windows knows no such bit.
    const isRunnable = process.platform === 'win32' || (statSync(join(folder, file)).mode & 0o111) === 0o111
    expect(isRunnable).toBe(true)
  })

  test('installs the versions that it names, and nothing without a version', () => {
    const named: readonly string[] = packages.replace(/\(.*?\)/g, '').match(/\d+\.\d+\.\d+[\w.-]*/g) ?? []
    const body = text.replace(/^# .*$/gm, '')
    const pinned: readonly string[] = body.match(/(?<=@v?|==|"=|<version>)\d+\.\d+\.\d+[\w.-]*/g) ?? []
    const installs: readonly string[] = body.replaceAll('\\\n', ' ').match(/(?:npm|pip .*) install .*/g) ?? []
    const wanted = installs
      .flatMap((line) => (line.split(' install ')[1] ?? '').split(' '))
      .filter((word) => /^\w|^@/.test(word))
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((version) => !pinned.includes(version))).toEqual([])
    expect(wanted.filter((word) => !/(?:@|==)\d+\.\d+\.\d+/.test(word))).toEqual([])
  })

  test('names no host but this machine, and no folder of one', () => {
    const hosts = Array.from(text.matchAll(/\w+:\/\/([^/:\s"'`$]+)/g), ([, host]) => host)
    expect(hosts.filter((host) => host !== '127.0.0.1')).toEqual([])
    expect(text.match(/(?<![\w.])\/(?:root|home|work|tmp|Users)\b/g) ?? []).toEqual([])
  })
})
