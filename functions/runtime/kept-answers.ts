// Answers that never change are asked for once an hour, not once a request.
import type { Ask, Reply } from '../../shared/endpoint.ts'

/** About 20 MB of staking ledger rows, of a function's 512 MB. */
const mostRows = 20_000

/** What an instance kept by mistake shall not last as long as the instance. */
const longestKeptMs = 3_600_000

/**
 * The port, keeping answers of operations that say so (`rowsToKeep`); the longest unused go first.
 *
 * @param rowLimit how many rows are kept in all
 * @param now milliseconds on the clock of the wall, since an instance sleeps between requests
 */
export function keepingAnswers(ask: Ask, rowLimit = mostRows, now: () => number = Date.now): Ask {
  const kept = new Map<string, { readonly reply: Reply; readonly rows: number; readonly keptAt: number }>()
  let rowsKept = 0

  const forget = (key: string) => {
    rowsKept -= kept.get(key)?.rows ?? 0
    kept.delete(key)
  }

  const keep = (key: string, reply: Reply, rows: number) => {
    forget(key)
    kept.set(key, { reply, rows, keptAt: now() })
    rowsKept += rows
    for (const oldest of kept.keys()) {
      if (rowsKept <= rowLimit) return
      forget(oldest)
    }
  }

  return async (operation, variables, limits) => {
    if (operation.rowsToKeep === undefined) return ask(operation, variables, limits)
    const key = JSON.stringify([operation.name, variables])
    const known = kept.get(key)
    if (known !== undefined && now() - known.keptAt < longestKeptMs) {
      // Used last, so forgotten last.
      kept.delete(key)
      kept.set(key, known)
      return known.reply
    }
    const reply = await ask(operation, variables, limits)
    if (reply.errors.length === 0) {
      const rows = operation.rowsToKeep(operation.data.read(reply.data, operation.name, variables))
      if (rows > 0) keep(key, reply, rows)
    }
    return reply
  }
}
