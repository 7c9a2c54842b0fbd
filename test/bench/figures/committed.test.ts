// docs/figures.md and its charts belong to the figures that are committed.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { charts } from '../../../bench/figures/charts/all.ts'
import { drawn, printed, readFigures } from '../../../bench/figures/files.ts'
import { outcomeOf } from '../../../bench/figures/outcome.ts'
import { page } from '../../../bench/figures/page.ts'
import { runs } from '../../../bench/figures/runs.ts'

const docs = join(import.meta.dirname, '../../../docs')
const read = (path: string): string => readFileSync(join(docs, path), 'utf8')
const figures = readFigures()
const files = await drawn(figures)

test('npm run bench -- charts would change nothing', () => {
  const changed = [...files].filter(([path, text]) => read(path) !== text)
  expect(changed.map(([path]) => path)).toEqual([])
})

test('a second drawing is the same to the byte', async () => {
  const again = await drawn(figures)
  expect([...files].filter(([path, text]) => again.get(path) !== text)).toEqual([])
})

test('there is no chart that the page does not show', () => {
  const paths = readdirSync(join(docs, 'figures')).map((file) => `figures/${file}`)
  expect(paths.sort()).toEqual([...files.keys(), 'figures/figures.json'].filter((path) => path !== 'figures.md').sort())
})

test('the page shows each chart under its title, with a text in its place and the commands that measure it', () => {
  const sections = read('figures.md').split(/^## /m)
  const found = charts.map(({ name, title, of }) => {
    const section = sections.find((each) => each.startsWith(`${title}\n`)) ?? ''
    const [, alt = ''] = section.match(`!\\[(.+)\\]\\(figures/${name}\\.svg\\)`) ?? []
    const commands = of.map((run) => outcomeOf(figures, run).command)
    return { name, hasAlt: /\d/.test(alt), missing: commands.filter((command) => !section.includes(`\`${command}\``)) }
  })
  expect(found).toEqual(charts.map(({ name }) => ({ name, hasAlt: true, missing: [] })))
})

test('the committed figures are in the order of the runs, and printed as the command prints them', () => {
  const names = figures.map(({ name }) => name)
  expect(names).toEqual(runs.map(({ name }) => name).filter((name) => names.includes(name)))
  expect(read('figures/figures.json')).toBe(printed(figures))
})

test('the page says of a run that it missed a target', () => {
  const [first, ...others] = figures
  if (first === undefined) throw new Error('no figures')
  const text = page([{ ...first, isGood: false }, ...others])
  expect(text).toContain(`### \`${first.command}\`\n\n**Missed a target, or did not end.**`)
})
