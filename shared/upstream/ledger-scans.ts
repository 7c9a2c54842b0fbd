// The questions that make an indexer walk a whole staking ledger: one at a time for an instance, each answer kept.

/** A row of a staking ledger, amounts in nanomina. */
export interface StakesRow {
  readonly balanceNanomina: bigint
  readonly delegate: string
  readonly epoch: number
  readonly nonce: number
  readonly public_key: string
  readonly receipt_chain_hash: string
  readonly token: number
  readonly voting_for: string
}

/** The row of a key, with what is delegated to the key. */
export interface OwnRow extends StakesRow {
  readonly delegationTotals: { readonly countDelegates: number; readonly totalDelegatedNanomina: bigint }
}

/** The entry of one key in a staking ledger. */
export interface KeptRows {
  readonly own: OwnRow
  /** Undefined until they have been read. */
  readonly delegators?: readonly StakesRow[]
}

export interface LedgerScans {
  /** A light question that takes longer shows that the indexer is walking for another instance. */
  readonly maxLightMs: number
  /**
   * Waits for the turn to scan. Whoever gets it must call `endTurn`.
   *
   * @param giveUp starts when there is a wait; its end gives the turn up, the signal ends it early
   * @returns false if the wait was given up
   */
  takeTurn(giveUp: (signal: AbortSignal) => Promise<void>): Promise<boolean>
  endTurn(): void
  /**
   * After a light question that took long, or ran out of time: no walk for as long again, and at least a second. Without
   * that, all who waited would walk at once.
   */
  rest(tookMs: number): void
  isResting(): boolean
  /**
   * Notes that the indexer shows a ledger.
   *
   * @returns true if it was first seen so long ago that all of its rows are written
   */
  isIngested(ledgerHash: string): boolean
  kept(ledgerHash: string, publicKey: string): KeptRows | undefined
  keep(ledgerHash: string, publicKey: string, rows: KeptRows): void
}

/** About 20 MB of a function's 512 MB. */
const maxKeptRows = 20_000

const minRestMs = 1000

/** An indexer writes the rows of a whole ledger in less: 226,659 of them take 22 s. */
const ingestionMs = 60_000

/** The time that a light question may take if nothing holds the indexer up: 150 ms by default. */
export const maxLightMsOf = (timeoutMs: number): number => timeoutMs / 10

/**
 * The rows that an instance keeps between requests. A ledger never changes under its hash, so rows are dropped only for
 * want of room, those used least recently first.
 *
 * @example
 * if (await scans.takeTurn(wait)) {
 *   try {
 *     scans.keep(ledgerHash, publicKey, await walk())
 *   } finally {
 *     scans.endTurn()
 *   }
 * }
 *
 * @param now in milliseconds; never goes back, and continues while the instance is frozen
 * @param lightTimeoutMs time-out of a light question to the indexer
 */
export function createLedgerScans(now: () => number, lightTimeoutMs: number, maxRows = maxKeptRows): LedgerScans {
  const kept = new Map<string, KeptRows>()
  const waiting: (() => void)[] = []
  const firstSeenAt = new Map<string, number>()
  let isTaken = false
  let rowsKept = 0
  let restsUntil = Number.NEGATIVE_INFINITY

  const keyOf = (ledgerHash: string, publicKey: string) => `${ledgerHash} ${publicKey}`
  const sizeOf = (rows: KeptRows | undefined) => (rows === undefined ? 0 : 1 + (rows.delegators?.length ?? 0))

  const forget = (key: string): KeptRows | undefined => {
    const rows = kept.get(key)
    rowsKept -= sizeOf(rows)
    kept.delete(key)
    return rows
  }

  const remember = (key: string, rows: KeptRows) => {
    forget(key)
    kept.set(key, rows)
    rowsKept += sizeOf(rows)
  }

  return {
    maxLightMs: maxLightMsOf(lightTimeoutMs),
    async takeTurn(giveUp) {
      if (!isTaken) {
        isTaken = true
        return true
      }
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const enter = () => resolve(true)
      const settled = new AbortController()
      waiting.push(enter)
      giveUp(settled.signal).then(() => {
        const index = waiting.indexOf(enter)
        if (index === -1) return
        waiting.splice(index, 1)
        resolve(false)
      })
      const isMine = await promise
      settled.abort()
      return isMine
    },
    endTurn() {
      const next = waiting.shift()
      if (next === undefined) isTaken = false
      else next()
    },
    rest(tookMs) {
      restsUntil = now() + Math.max(minRestMs, tookMs)
    },
    isResting: () => now() < restsUntil,
    isIngested(ledgerHash) {
      const seenAt = firstSeenAt.get(ledgerHash) ?? now()
      firstSeenAt.set(ledgerHash, seenAt)
      return now() - seenAt >= ingestionMs
    },
    kept(ledgerHash, publicKey) {
      const key = keyOf(ledgerHash, publicKey)
      const rows = forget(key)
      if (rows !== undefined) remember(key, rows)
      return rows
    },
    keep(ledgerHash, publicKey, rows) {
      remember(keyOf(ledgerHash, publicKey), rows)
      for (const oldest of kept.keys()) {
        if (rowsKept <= maxRows) return
        forget(oldest)
      }
    },
  }
}
