// A long series of histories in parts. Each part is kept in a file, so that a series goes on where it was ended.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Counts = ReadonlyMap<string, number | string> | Readonly<Record<string, number>>
/** What a part of a series has counted. */
export type Counted = object

const written = (_key: string, value: unknown) => (value instanceof Map ? { entries: [...value] } : value)
const read = (_key: string, value: unknown) => {
  const entries = Object(value).entries
  return Array.isArray(entries) ? new Map(entries) : value
}

const sum = (left: number | string | undefined, right: number | string) =>
  typeof left === 'number' && typeof right === 'number' ? left + right : (left ?? right)

function joined(left: Counts, right: Counts): Counts {
  const [all, more] = [left, right].map((each) => (each instanceof Map ? each : new Map(Object.entries(each))))
  const counts = new Map(all)
  for (const [key, value] of more ?? []) counts.set(key, sum(counts.get(key), value))
  return left instanceof Map ? counts : (Object.fromEntries(counts) as Readonly<Record<string, number>>)
}

/** What two parts have counted together: sums, of a `most…` the greater, of an example the first. */
function both<Tally extends Counted>(one: Tally, other: Tally): Tally {
  const parts = Object.entries(one).map(([key, left]) => {
    const right = other[key as keyof Tally] as number | Counts
    if (typeof left !== 'number' || typeof right !== 'number') return [key, joined(left, right as Counts)]
    return [key, key.startsWith('most') ? Math.max(left, right) : left + right]
  })
  return Object.fromEntries(parts) as Tally
}

/** Some minutes. */
const partHistories = 500

/**
 * Runs histories with seeds `first`, `first + 1` …
 *
 * @param folder where the parts are kept; undefined for a series in one piece
 * @param run runs a part
 */
export async function inParts<Tally extends Counted>(
  folder: string | undefined,
  first: number,
  histories: number,
  run: (first: number, histories: number) => Promise<Tally>,
): Promise<Tally> {
  if (folder === undefined) return run(first, histories)
  mkdirSync(folder, { recursive: true })
  let all: Tally | undefined
  for (let at = first; at < first + histories; at += partHistories) {
    const count = Math.min(partHistories, first + histories - at)
    const file = join(folder, `${at}-${at + count - 1}.json`)
    let part: Tally
    try {
      part = JSON.parse(readFileSync(file, 'utf8'), read)
    } catch {
      part = await run(at, count)
      writeFileSync(file, JSON.stringify(part, written))
    }
    all = all === undefined ? part : both(all, part)
  }
  if (all === undefined) throw new RangeError('a series of no histories')
  return all
}
