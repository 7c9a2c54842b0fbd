// The supply that does not circulate, as a table by slot: upstreams do not know of off-chain locks.

/** The amount locked from a slot on, until the next entry of the table. */
export interface LockedSupply {
  /** Counted since genesis, over hard forks. */
  readonly slot: number
  readonly lockedNanomina: bigint
}

const header = 'slot,locked'

/** A slot is a 32-bit integer; MINA has at most nine fractional digits. */
const row = /^(?<slot>\d{1,10}),(?<mina>\d{1,20})(?:\.(?<fraction>\d{1,9}))?$/

const flaw = (lineNumber: number, got: string, wants: string): Error =>
  new Error(`line ${lineNumber}: got ${got}, wants ${wants}`)

const quoted = (line: string): string => JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line)

/**
 * A table from CSV text: the line `slot,locked`, then lines of a slot and an amount in MINA, slots ascending. Lines end
 * as on any system; a last empty one is ignored. Empty text is an empty table.
 *
 * @throws Error naming the first wrong line, what it holds and what it should hold
 * @example
 * parseLockedSupply('slot,locked\n36480,1.5\n') // [{ slot: 36480, lockedNanomina: 1500000000n }]
 */
export function parseLockedSupply(csv: string): readonly LockedSupply[] {
  if (csv === '') return []
  const [first = '', ...lines] = csv.replace(/\r?\n$/, '').split(/\r?\n/)
  if (first !== header) throw flaw(1, quoted(first), quoted(header))
  const table: LockedSupply[] = []
  for (const [index, line] of lines.entries()) {
    // The header is line 1.
    const lineNumber = index + 2
    const { slot, mina, fraction = '' } = row.exec(line)?.groups ?? {}
    if (slot === undefined || mina === undefined) {
      throw flaw(lineNumber, quoted(line), 'a slot and MINA such as "36480,194970949.707368199"')
    }
    const previous = table.at(-1)
    if (previous !== undefined && Number(slot) <= previous.slot) {
      throw flaw(lineNumber, `slot ${Number(slot)}`, `one above ${previous.slot}, the slot before it`)
    }
    table.push({ slot: Number(slot), lockedNanomina: BigInt(mina + fraction.padEnd(9, '0')) })
  }
  return table
}

/**
 * The amount locked at a slot, in nanomina: the last entry at or before it, 0 before the first.
 *
 * @param table with ascending slots
 * @param slot since genesis
 */
export const lockedNanominaAt = (table: readonly LockedSupply[], slot: number): bigint =>
  table.findLast((entry) => entry.slot <= slot)?.lockedNanomina ?? 0n
