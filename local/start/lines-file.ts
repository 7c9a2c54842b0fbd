// The lines of deployed functions in a file, on which the runbook's queries can be tried.
import { appendFileSync } from 'node:fs'
import { type Log, logTo } from '../../functions/runtime/log.ts'

/** The name of the service in its metrics. */
const service = 'chain-explorer-laptop'

/**
 * Adds each line to a file.
 *
 * @throws Error of one line where the file cannot be written
 */
export function linesFile(file: string): Log {
  try {
    appendFileSync(file, '')
  } catch (error) {
    throw new Error(`--lines: ${file} cannot be written (${Object(error).code})`)
  }
  return logTo((text) => appendFileSync(file, text), service)
}

/** Writes each line twice. */
export const alsoTo =
  (first: Log, second: Log): Log =>
  (line) => {
    first(line)
    second(line)
  }
