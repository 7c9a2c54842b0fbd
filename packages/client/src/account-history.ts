// An account's history, page after page, through reorganisations.
import { type HistoryOptions, type HistoryPage, type Labelled, type Reads, unless404 } from './reads.ts'
import { ServiceError } from './service-error.ts'

export interface WalkedPage extends HistoryPage {
  /** A reorganisation took back commands of earlier pages: forget all of them. This is the first of all pages anew. */
  readonly restarted?: true | undefined
}

/** Which part of a history to walk: commands of blocks from `from` on and before `to`, by the times of the blocks. */
export interface HistoryWalkOptions extends HistoryOptions {
  readonly from?: Date | string | undefined
  readonly to?: Date | string | undefined
}

/** A healthy network reorganises once or twice in a walk; a service that only says so must not hold its caller forever. */
const maxFruitlessBeginnings = 10

/**
 * The pages of an account's history. It begins again after a 409, and after the last page if the newest command of
 * several pages has left the best chain. So the pages since the last that `restarted`, if any did, are those of one
 * chain.
 *
 * @throws RangeError where `from` or `to` is not a time
 * @throws ServiceError as the reads, with 409 where ten new beginnings have not come further, and with 503 after the last page
 *   where the service knows no more, since the indexer that showed earlier pages is gone
 */
export async function* historyPages(
  reads: Pick<Reads, 'accountTransactions' | 'block'>,
  publicKey: string,
  options: HistoryWalkOptions = {},
): AsyncGenerator<Labelled<WalkedPage>, void, undefined> {
  // Throws for an invalid time. Up to the year 5138 these strings sort in the order of the times.
  const iso = (time: Date | string | number) => new Date(time).toISOString()
  const [since, until] = [iso(options.from ?? 0), iso(options.to ?? 1e14)]
  let furthest = 0
  let wasIndexed = false
  for (let fruitless = 0, restarted: true | undefined; fruitless <= maxFruitlessBeginnings; fruitless++) {
    let before: string | undefined
    let newest: HistoryPage['transactions'][number] | undefined
    for (let pages = 1; ; pages++) {
      const page = await reads.accountTransactions(publicKey, { ...options, before }).catch((error) => {
        if (Object(error).status !== 409 || before === undefined) throw error
      })
      if (!page) break
      if (pages > furthest) fruitless = 0
      furthest = Math.max(furthest, pages)
      const { next, ...value } = page.value
      const { transactions } = value
      newest ??= transactions[0]
      const isPast = transactions.some(({ block }) => block.dateTime < since)
      value.transactions = transactions.filter(({ block }) => !(block.dateTime < since || block.dateTime >= until))
      yield { ...page, value: restarted && pages === 1 ? { ...value, restarted } : value }
      before = isPast ? undefined : next
      wasIndexed ||= value.searched.indexer
      if (before !== undefined) continue
      // An older service does not say that it knows no more.
      if (!isPast && value.endOfKnown && wasIndexed && !value.searched.indexer) {
        throw new ServiceError('the indexer of this history is gone', { status: 503, chain: page.chain })
      }
      if (pages === 1 || !newest || newest.final) return
      if ((await unless404(reads.block(newest.block.stateHash, options)))?.canonical) return
      break
    }
    restarted = true
  }
  throw new ServiceError('too many reorganisations between the pages', { status: 409 })
}
