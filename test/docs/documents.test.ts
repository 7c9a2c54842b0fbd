// The documents name and link only to files and sections that exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')
// Folders by their names: a clone may hold others that are not the project's.
const pages = globSync(['*.md', '{packages,docs,findings,test}/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
})
const documents = pages.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** As GitHub makes them: lower case, hyphens for blanks, without punctuation. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (text: string): readonly string[] => [
  ...Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchorOf(heading)),
  ...Array.from(text.matchAll(/<a id="([^"]+)"/g), ([, id = '']) => id),
]

const folders = 'config|docs|functions|infra|local|packages|shared|test|tools'
const namedPath = new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g')

describe.each(documents)('$path', ({ path, text }) => {
  test('names only files and folders that exist', () => {
    const named = Array.from(text.matchAll(namedPath), ([, name = '']) => name)
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })

  test('links only to files and sections that exist', () => {
    const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link)
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : normalize(join(dirname(path), file))
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchorsOf(readFileSync(join(root, target), 'utf8')).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})

test('each alert for Prometheus leads to a section of the runbook', () => {
  const rules = readFileSync(join(root, 'docs/monitoring/rules.yml'), 'utf8')
  const alerts = rules.match(/- alert: /g) ?? []
  const links = Array.from(rules.matchAll(/^ +runbook_url: (\S+)#(\S+)$/gm), ([, file, anchor]) => [file, anchor])
  const there = anchorsOf(readFileSync(join(root, 'docs/runbook.md'), 'utf8'))
  expect([links.length, alerts.length > 0]).toEqual([alerts.length, true])
  expect(links.filter(([file, anchor = '']) => file !== 'docs/runbook.md' || !there.includes(anchor))).toEqual([])
})

test('docs/README.md lists every page of its folder', () => {
  const { text } = documents.find(({ path }) => path === 'docs/README.md') ?? { text: '' }
  const listed = Array.from(text.matchAll(/^\| \[([\w-]+\.md)\]/gm), ([, name = '']) => name)
  const there = globSync('*.md', { cwd: join(root, 'docs') }).filter((name) => name !== 'README.md')
  expect(listed.sort()).toEqual(there.sort())
})
