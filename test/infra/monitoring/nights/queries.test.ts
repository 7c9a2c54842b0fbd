// Each jq line of the runbook finds in the lines of one bad night what its query in Logs Insights would find.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { queries as savedQueries } from '../../../../infra/monitoring/saved-queries.ts'
import type { MetricsLine } from './alarm-states.ts'
import { createRehearsal, type RehearsalOptions, type Trouble, well } from './rehearsal.ts'

const dead: Trouble['node'] = (request) => request.socket.destroy()
const otherNetwork = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'

async function linesOf(troubles: readonly Partial<Trouble>[], options: RehearsalOptions): Promise<MetricsLine[]> {
  const service = await createRehearsal(options)
  for (const trouble of troubles) {
    Object.assign(service, well, trouble)
    await service.round()
  }
  return [...service.lines]
}

const oneNode = [{}, { node: dead }, { indexer: dead }, { losesBroadcasts: true }, { clockOffMs: -900_000 }]
const lines = [
  ...(await linesOf(oneNode, { isLossy: true })),
  ...(await linesOf([{}, { node: dead }, { node: dead }], { hasSecondNode: true })),
  ...(await linesOf([{}, ...Array(4).fill({ secondStandsStill: true })], { hasSecondNode: true, isQuiet: true })),
  ...(await linesOf([{}], { settings: () => ({ ORIGIN_SECRETS: 'of the CDN' }) })),
  ...(await linesOf([{}], {
    settings: (chain) => ({ GENESIS_STATE_HASH: `${chain.genesisBlock().stateHash},${otherNetwork}` }),
  })),
]
// No upstream makes the service fail by a bug.
const night = lines.map((line, index) => (index === 0 ? { ...line, isBug: true, release: '1.0.0+0123456' } : line))

const folder = mkdtempSync(join(tmpdir(), 'night-'))
writeFileSync(join(folder, 'night.jsonl'), night.map((line) => `${JSON.stringify(line)}\n`).join(''))
afterAll(() => rmSync(folder, { recursive: true }))

const runbook = readFileSync(new URL('../../../../docs/runbook.md', import.meta.url), 'utf8')
const requestId = String(night.at(-1)?.requestId)

/** Section, jq line and query; a saved query has its section's name. */
const queries = runbook.split(/^##+ /m).flatMap((text) => {
  const [section = ''] = text.split('\n')
  const saved = Object.entries(savedQueries).find(([name]) => name === section.toLowerCase())?.[1]
  const own = Array.from(text.matchAll(/```\n(filter (?!status like)[^`]*)```/g), ([, query = '']) => query)
  const commands = Array.from(text.matchAll(/^\$ (jq .*)$/gm), ([, command = '']) => command)
  const all = saved === undefined ? own : [...own, saved]
  return Array.from({ length: Math.max(all.length, commands.length) }, (_, place) => {
    return [section, commands[place] ?? 'none', all[place] ?? 'none'].map((each) => each.replaceAll('<id>', requestId))
  })
})

/** `list.0` as `list?.[0]`, and `object.field` as `object?.field`. */
const optional = (field: string): string => field.replaceAll('.', '?.').replace(/\d+$/, '[$&]')

/** The condition of a query on a line, in JavaScript. */
function isFoundBy(query: string): (line: MetricsLine) => boolean {
  const [, filter = 'false'] = /^filter (.*)/.exec(query) ?? []
  const condition = filter
    .replace(/ispresent\(([\w.]+)\)/g, (_all, field) => `line.${optional(field)} !== undefined`)
    .replace(/([\w.]+) in (\[[^\]]*\])/g, '$2.includes(line.$1)')
    .replace(/([\w.]+) like (\/\w+\/)/g, '$2.test(line.$1)')
    .replace(/([\w.]+) (=|>) /g, (_all, field, sign) => `line.${optional(field)} ${sign === '=' ? '==' : sign} `)
    .replace(/not (line\S+ !== undefined)/g, '!($1)')
    .replaceAll(' and ', ' && ')
    .replaceAll(' or ', ' || ')
  return Function('line', `return ${condition}`) as (line: MetricsLine) => boolean
}

/** The lines behind an output: each row stands for one, or begins with the number of those that it stands for. */
const countedIn = (output: string): number =>
  output
    .split('\n')
    .filter((row) => row !== '')
    .reduce((total, row) => total + Number(/^(?: *|\[)(\d+)[ ,]/.exec(row)?.[1] ?? 1), 0)

// A locale that is not installed makes bash complain.
const env = { ...process.env, LC_ALL: 'C' }
const testWithJq = spawnSync('jq', ['--version']).status === 0 ? test : test.skip

testWithJq.each(queries)(
  'the runbook, "%s", finds with jq the lines of its query',
  (_section, command = '', query = '') => {
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8', env })
    const found = night.filter(isFoundBy(query))
    expect({ stderr, counted: countedIn(stdout) }).toEqual({ stderr: '', counted: found.length })
    expect(found.length).toBeGreaterThan(0)
    const fields = Array.from(command.matchAll(/(?<![\w"/])\.([A-Za-z]\w*)/g), ([, field = '']) => field)
    const unknown = fields.filter((field) => !query.includes(field) && !night.some((line) => field in line))
    expect(unknown).toEqual([])
  },
)

testWithJq('each row that the runbook finds of nodes out, or far behind, names one', () => {
  const [, command = ''] = queries.find(([section]) => section === 'Nodes out') ?? []
  const { stdout } = spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8', env })
  const rows = stdout.split('\n').filter((row) => row !== '')
  expect(rows.filter((row) => !/\b127\.0\.0\.1:\d+/.test(row))).toEqual([])
  expect(new Set(rows.flatMap((row) => row.match(/127\.0\.0\.1:\d+/g) ?? [])).size).toBe(2)
})
