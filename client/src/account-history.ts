// An account's history, page after page, through reorganisations.
import type { HistoryOptions, HistoryPage, Labelled, Reads } from './reads.ts'

/** A healthy network reorganises once or twice in a walk; a service that only says so must not hold its caller forever. */
const maxFruitlessBeginnings = 10

/**
 * The pages of an account's history. After a 409 it begins again; a command that it has given is left out, by its hash.
 *
 * @throws ServiceError as the read, but for a 409 below a cursor
 */
export async function* historyPages(
  read: Reads['accountTransactions'],
  publicKey: string,
  options: HistoryOptions | undefined,
): AsyncGenerator<Labelled<HistoryPage>, void, undefined> {
  const given = new Set<string>()
  let before: string | undefined
  let fruitless = 0
  while (true) {
    let page: Awaited<ReturnType<typeof read>>
    try {
      page = await read(publicKey, { ...options, before })
    } catch (error) {
      fruitless += 1
      if (Object(error).status !== 409 || before === undefined || fruitless > maxFruitlessBeginnings) throw error
      before = undefined
      continue
    }
    const { next, ...value } = page.value
    const transactions = value.transactions.filter(({ command }) => !given.has(command.hash))
    if (transactions.length > 0) fruitless = 0
    for (const { command } of transactions) given.add(command.hash)
    yield { ...page, value: { ...value, transactions } }
    if (next === undefined) return
    before = next
  }
}
