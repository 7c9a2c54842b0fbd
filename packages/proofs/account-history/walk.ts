// A walk through an account's history page by page, as a wallet does it, and what it must have found.

/** A command of the account in a block of the best chain. */
export interface ChainCommand {
  readonly hash: string
  readonly stateHash: string
  readonly height: number
  readonly relation: string
}

interface Item {
  readonly command: { readonly hash: string }
  readonly block: { readonly stateHash: string; readonly blockHeight: number }
  readonly direction?: string
  readonly role?: string
}

export interface Page {
  readonly transactions: readonly Item[]
  readonly searched: { readonly fromHeight: number; readonly toHeight: number }
  readonly next?: string
}

/** Asks for a page by the query of its address. */
export type AskPage = (query: string) => Promise<{ readonly status: number; readonly body: unknown }>

export interface Walk {
  /** In the order of the pages, those of one walk without a new beginning. */
  readonly given: readonly ChainCommand[]
  /** By hash, over all beginnings: the later place counts. */
  readonly merged: ReadonlyMap<string, ChainCommand>
  readonly pages: number
  /** 409s, after which it began again. */
  readonly beginnings: number
}

const placedOf = ({ command, block, direction, role }: Item): ChainCommand => ({
  hash: command.hash,
  stateHash: block.stateHash,
  height: block.blockHeight,
  relation: direction ?? role ?? 'none',
})

/** More pages than any history here has. */
const maxPages = 20_000

/**
 * Walks to the end. After a 409 it begins again, and merges by hash.
 *
 * @param between called after each page, before the next one, with the height of the cursor's block
 * @throws Error for any answer but 200 and 409, and for a page that leaves a gap
 */
export async function walk(
  ask: AskPage,
  limit: number,
  between: (below: number) => void = () => undefined,
): Promise<Walk> {
  let given: ChainCommand[] = []
  const merged = new Map<string, ChainCommand>()
  let before = ''
  let beginnings = 1
  let below = Number.POSITIVE_INFINITY
  for (let pages = 1; pages <= maxPages; pages++) {
    const { status, body } = await ask(`?limit=${limit}${before}`)
    if (status === 409) {
      given = []
      before = ''
      beginnings += 1
      below = Number.POSITIVE_INFINITY
      continue
    }
    if (status !== 200) throw new Error(`HTTP ${status} after ${given.length} commands: ${JSON.stringify(body)}`)
    const { transactions, searched, next } = body as Page
    if (Number.isFinite(below) && searched.toHeight !== below - 1) {
      throw new Error(`a gap: the page begins at ${searched.toHeight}, the one before ended at ${below}`)
    }
    for (const item of transactions) {
      const placed = placedOf(item)
      given.push(placed)
      merged.set(placed.hash, placed)
    }
    if (next === undefined) return { given, merged, pages, beginnings }
    before = `&before=${next}`
    below = searched.fromHeight
    between(below)
  }
  throw new Error(`no end after ${maxPages} pages`)
}

/** The faults of a walk. */
export interface Differences {
  readonly lost: number
  readonly doubled: number
  /** In another block, or with another relation to the account. */
  readonly displaced: number
  readonly strange: number
  /** Pairs that are not newest first. */
  readonly disordered: number
}

export const noDifferences: Differences = { lost: 0, doubled: 0, displaced: 0, strange: 0, disordered: 0 }

/** @param truth every command of the account in the best chain, by hash */
export function differencesOf({ given, merged }: Walk, truth: ReadonlyMap<string, ChainCommand>): Differences {
  const isSame = (left: ChainCommand, right: ChainCommand) =>
    left.stateHash === right.stateHash && left.height === right.height && left.relation === right.relation
  const found = [...merged.values()]
  return {
    lost: [...truth.keys()].filter((hash) => !merged.has(hash)).length,
    doubled: given.length - new Set(given.map(({ hash }) => hash)).size,
    displaced: found.filter((one) => truth.has(one.hash) && !isSame(one, truth.get(one.hash) ?? one)).length,
    strange: found.filter(({ hash }) => !truth.has(hash)).length,
    disordered: given.filter(({ height }, index) => height > (given[index - 1]?.height ?? height)).length,
  }
}
