import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseLockedSupply } from '../../shared/mapping/locked-supply.ts'
import { projectRoot } from '../project-root.ts'
import { quoted, type Rule } from './setting-rules.ts'

/** A third of the summary's bundle, and far below what a command line can hand to esbuild. */
const largestTableBytes = 12_000

/** The table of the locked supply: given as a path from the project's folder, taken as the text of that file. */
export const lockedSupplyTable: Rule<string> = {
  wants: `the path of a CSV file of at most ${largestTableBytes} bytes: slot,locked and then slots, ascending, with MINA`,
  example: 'config/locked-supply.csv',
  fallback: '',
  parse(path) {
    if (typeof path !== 'string') return undefined
    const bytes = readFileSync(resolve(projectRoot, path))
    if (bytes.byteLength > largestTableBytes) throw new Error(`it has ${bytes.byteLength} bytes`)
    // Drops the byte order mark that spreadsheets put first.
    const csv = new TextDecoder().decode(bytes)
    parseLockedSupply(csv)
    return csv
  },
  show: quoted,
}
