import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { parseLockedSupply } from '../../shared/mapping/locked-supply.ts'
import { projectRoot } from '../project-root.ts'
import { descriptions } from './kinds.ts'

/** A third of the summary's bundle. */
const maxTableBytes = 12_000

/** @throws Error with the reason why a file is not a table */
function readTable(path: string): string {
  const bytes = readFileSync(resolve(projectRoot, path))
  if (bytes.byteLength > maxTableBytes) throw new Error(`it has ${bytes.byteLength} bytes`)
  // Drops the byte order mark that spreadsheets put first.
  const csv = new TextDecoder().decode(bytes)
  parseLockedSupply(csv)
  return csv
}

/** The table of the locked supply: a path from the project's folder, read as the text of that file. */
export const lockedSupplyTable = z
  .string()
  .transform((path, { addIssue }) => {
    try {
      return readTable(path)
    } catch (error) {
      addIssue({ code: 'custom', params: { reason: String(error).replace(/^Error: /, '') } })
      return z.NEVER
    }
  })
  .register(descriptions, {
    wants: `the path of a CSV file of locked supply, at most ${maxTableBytes} bytes: slot,locked and then ascending slots with MINA`,
    example: 'config/locked-supply.csv',
  })
