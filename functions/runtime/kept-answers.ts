// Answers that never change are asked for once in the life of an instance.
import type { Ask, Reply } from '../../shared/endpoint.ts'

/** About 20 MB of staking ledger rows, of a function's 512 MB. */
const mostRows = 20_000

/**
 * The port, keeping answers of operations that say so (`rowsToKeep`); the longest unused go first.
 *
 * @param rowLimit how many rows are kept in all
 */
export function keepingAnswers(ask: Ask, rowLimit = mostRows): Ask {
  const kept = new Map<string, { readonly reply: Reply; readonly rows: number }>()
  let rowsKept = 0

  const keep = (key: string, reply: Reply, rows: number) => {
    kept.set(key, { reply, rows })
    rowsKept += rows
    for (const [oldest, { rows }] of kept) {
      if (rowsKept <= rowLimit) return
      kept.delete(oldest)
      rowsKept -= rows
    }
  }

  return async (operation, variables, limitMs) => {
    if (operation.rowsToKeep === undefined) return ask(operation, variables, limitMs)
    const key = JSON.stringify([operation.name, variables])
    const known = kept.get(key)
    if (known !== undefined) {
      kept.delete(key)
      kept.set(key, known)
      return known.reply
    }
    const reply = await ask(operation, variables, limitMs)
    if (reply.errors.length === 0 && !kept.has(key)) {
      const rows = operation.rowsToKeep(operation.data.read(reply.data, operation.name), variables)
      if (rows > 0) keep(key, reply, rows)
    }
    return reply
  }
}
