// Answers that never change are asked for once an hour, not once a request.
import type { QueryUpstream, Reply } from '../../../shared/upstream/query.ts'

/** About 20 MB of staking ledger rows, of a function's 512 MB. */
const mostRows = 20_000

/** A wrong ledger that slipped in must not stay for the life of the instance. */
const longestKeptMs = 3_600_000

/**
 * The port with a cache for operations that ask for one (`rowsToKeep`). The least recently used answers are dropped first.
 *
 * @param rowLimit how many rows are kept in all
 * @param now wall clock in milliseconds, since an instance is frozen between requests
 */
export function keepingAnswers(query: QueryUpstream, rowLimit = mostRows, now: () => number = Date.now): QueryUpstream {
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
    if (operation.rowsToKeep === undefined) return query(operation, variables, limits)
    const key = JSON.stringify([operation.name, variables])
    const known = kept.get(key)
    if (known !== undefined && now() - known.keptAt < longestKeptMs) {
      // Used last, so forgotten last.
      kept.delete(key)
      kept.set(key, known)
      return known.reply
    }
    const reply = await query(operation, variables, limits)
    if (reply.errors.length === 0) {
      const rows = operation.rowsToKeep(operation.data.read(reply.data, operation.name, variables))
      if (rows > 0) keep(key, reply, rows)
    }
    return reply
  }
}
