// Reads: repeated if that can help, answered from memory if the service says 304, and labelled.
import { typed } from './amounts.ts'
import { type ChainLabel, chainLabelOf } from './chain-label.ts'
import type { Signal } from './clock.ts'
import { parseExact } from './exact-json.ts'
import { checkNumbers } from './numbers.ts'
import {
  type Account,
  type AccountTransactionsOptions,
  type AccountTransactionsResponse,
  accountTransactionsQuery,
  type Block,
  type BlockHeader,
  type BlocksBefore,
  type BlocksBeforeOptions,
  type BlocksOptions,
  blocksBeforeQuery,
  blocksQuery,
  type Fees,
  type HeadersBefore,
  type Health,
  type Network,
  type PoolOptions,
  type PoolResponse,
  poolQuery,
  type Summary,
  type TokenBalance,
  type TransactionTerms,
} from './schema.ts'
import { isAbsence, isPassing, ServiceError } from './service-error.ts'
import type { DelegationToSend, PaymentToSend } from './signed-command.ts'
import { type Transaction, transactionPath, withQuery } from './transaction.ts'
import { type Answer, failureOf, type Transport } from './transport.ts'

/** A value, and what the service says about it. */
export interface Labelled<Value> {
  readonly value: Value
  /** Undefined if no node was asked. */
  readonly chain: ChainLabel | undefined
  /** Age of that tip when the service answered, by the service's clock. */
  readonly ageMs: number | undefined
  /** Fields that an upstream failed to supply: they are absent from the value, or less exact. */
  readonly missingFields: readonly string[]
  /** Of `network`: the `baseUrl` to which a redirect leads that lets no broadcast through. */
  readonly movedTo?: string | undefined
}

export interface CallOptions {
  readonly signal?: Signal | undefined
}

/** A page of an account's commands, each with the block and the confirmations that it had when it was given. */
export type HistoryPage = Omit<AccountTransactionsResponse, 'next'>

export type HistoryOptions = CallOptions & Omit<AccountTransactionsOptions, 'before'>

/** A block by its height and its state hash. */
export interface BlockName {
  readonly height: number
  readonly stateHash: string
}

/** The form of each block: whole, or as a header. */
export type BlockView = NonNullable<BlocksBeforeOptions['view']>

/** A block in a view. */
export type Viewed<View extends BlockView> = View extends 'header' ? BlockHeader : Block

/** A page of blocks in a view. */
export type PageOf<View extends BlockView> = View extends 'header' ? HeadersBefore : BlocksBefore

/** The reads. Each rejects with a `ServiceError`, or with the reason of its signal. */
export interface Reads {
  /**
   * The latest blocks of the best chain, newest first: `limit` of them, 1 by default, at most 10.
   *
   * @example
   * const { value: blocks, missingFields } = await client.blocks({ limit: 10 })
   */
  blocks(options?: CallOptions & BlocksOptions): Promise<Labelled<readonly Block[]>>
  /** One block of the best chain or of a fork. */
  block(stateHash: string, options?: CallOptions): Promise<Labelled<Block>>
  /** The block of the best chain at a height. Near the tip, another one may take its place. */
  blockAtHeight(height: number, options?: CallOptions): Promise<Labelled<Block>>
  /**
   * The blocks below one that you have, or below the `next` of a page: `limit` of them, 10 by default and at most. A 409 where it
   * is not canonical, a 404 below height 1. `walkBlocks` goes on. With `view: 'header'` the page has `headers`, up to 100.
   */
  blocksBefore<View extends BlockView = 'block'>(
    cursor: BlockName | string,
    options?: CallOptions & BlocksBeforeOptions & { readonly view?: View | undefined },
  ): Promise<Labelled<PageOf<View>>>
  account(publicKey: string, options?: CallOptions): Promise<Labelled<Account>>
  /**
   * What a key has of each token, MINA first; nothing without an account. A token's symbol is not unique, its id is.
   *
   * @example
   * const { value: tokens } = await client.accountTokens(publicKey)
   * for (const { tokenId, balance } of tokens) console.log(tokenId, BigInt(balance))
   */
  accountTokens(publicKey: string, options?: CallOptions): Promise<Labelled<readonly TokenBalance[]>>
  /** The chain at its best tip. */
  summary(options?: CallOptions): Promise<Labelled<Summary>>
  /** The service's network. Name yours in `createClient`, rather than sign for the one that a service names. */
  network(options?: CallOptions): Promise<Labelled<Network>>
  /** If reads and broadcasts can be answered now: `down` is an answer too, and rejects nothing. */
  health(options?: CallOptions): Promise<Labelled<Health>>
  /** What commands pay. To sign, take `suggestedFee`, which has a limit. */
  fees(options?: CallOptions): Promise<Labelled<Fees>>
  /** Pending commands. With `account`, only those that a key sends or receives, so incoming deposits too. */
  pool(options?: CallOptions & PoolOptions): Promise<Labelled<PoolResponse>>
  /** A page of an account's commands, newest first; `before` is the `next` of the page before. */
  accountTransactions(
    publicKey: string,
    options?: CallOptions & AccountTransactionsOptions,
  ): Promise<Labelled<AccountTransactionsResponse>>
  /**
   * The state of a command: `included`, `replaced`, `expired`, `pending` or `absent`.
   *
   * @param terms the signed command, or its terms: with them an absent command has `sending`, without them it is a 404
   *
   * @example
   * const { value } = await client.transaction(hash, signed)
   * if (value.state === 'absent' && value.sending === 'rival-pending') console.log(value.by)
   */
  transaction(
    hash: string,
    terms?: TransactionTerms | PaymentToSend | DelegationToSend | undefined,
    options?: CallOptions,
  ): Promise<Labelled<Transaction>>
}

/** The value of a read; undefined where the service says 404. */
export const unless404 = <Value>(reading: Promise<Labelled<Value>>): Promise<Value | undefined> =>
  reading.then(
    ({ value }) => value,
    (error) => {
      if (!isAbsence(error)) throw error
      return undefined
    },
  )

/** Limits the answers kept for asking again with their tags; one of ten full blocks has about 1 MB. */
const maxKept = 32

/** A longer `retry-after` is for the caller to decide on. */
const maxPauseSeconds = 60

export function createReads({ send, clock }: Transport, retries = 2): Reads {
  const kept = new Map<string, { readonly etag: string; readonly text: string; readonly isLabelled: boolean }>()

  /**
   * One request. A 304 is answered with the text of the copy; an answer without a tag is not kept. The tip under which the
   * copy was given is not the tip of a 304: one that names none is asked for again as a whole.
   */
  async function ask(path: string, signal: Signal | undefined): Promise<Answer> {
    const copy = kept.get(path)
    const headers = copy && { 'if-none-match': copy.etag }
    const answer = await send(path, { signal, headers, notesRedirects: path === '/network' })
    const { status, text, header } = answer
    const isLabelled = chainLabelOf(header) !== undefined
    if (copy && status === 304) {
      if (!copy.isLabelled || isLabelled) return { ...answer, text: copy.text }
      kept.delete(path)
      return ask(path, signal)
    }
    // That nothing works is what this one was asked.
    if (status !== 200 && !(status === 503 && path === '/health')) {
      const { message, ...details } = failureOf(answer, clock)
      throw new ServiceError(message, details)
    }
    const etag = header('etag')
    if (kept.size >= maxKept) kept.clear()
    if (etag) kept.set(path, { etag, text, isLabelled })
    return answer
  }

  /** An answer, asked for again where that can help. */
  async function askAgain(path: string, signal: Signal | undefined, attempt = 0): Promise<Answer> {
    try {
      return await ask(path, signal)
    } catch (error) {
      const { status, retryAfterSeconds = 0 }: ServiceError = Object(error)
      // Of an aborted signal it is the reason, which has no status.
      if (attempt >= retries || retryAfterSeconds > maxPauseSeconds || !isPassing(status)) throw error
      // A share of chance keeps clients that failed together from coming back together.
      await clock.wait(retryAfterSeconds * 1000 + 250 * 2 ** attempt * (1 + clock.random()), signal)
      return askAgain(path, signal, attempt + 1)
    }
  }

  /**
   * @param keys of the value in the body; several where the body is the value
   * @throws ServiceError without the value; the reason of the signal if that ended the read
   */
  async function read<Value>(
    path: string,
    keys: string | readonly string[],
    { signal }: CallOptions = {},
  ): Promise<Labelled<Value>> {
    const answer = await askAgain(path, signal)
    const { header, text, movedTo } = answer
    const time = header('x-chain-time')
    const answeredAtMs = Date.parse(header('date') ?? '') || clock.now()
    const heldMs = 1000 * (Number.parseInt(header('age') ?? '', 10) || 0)
    try {
      return {
        value: valueIn(Object(parseExact(text)), keys),
        chain: chainLabelOf(header),
        ageMs: time ? Math.max(0, answeredAtMs + heldMs - Date.parse(time)) : undefined,
        missingFields: header('x-missing-fields')?.match(/[^\s,]+/g) ?? [],
        movedTo,
      }
    } catch (cause) {
      const { message: _, ...details } = failureOf(answer, clock)
      throw new ServiceError('the answer cannot be read', { ...details, cause })
    }
  }

  const accountPath = (publicKey: string) => `/accounts/${encodeURIComponent(publicKey)}`
  return {
    account: (publicKey, call) => read(accountPath(publicKey), 'account', call),
    accountTokens: (publicKey, call) => read(`${accountPath(publicKey)}/tokens`, 'tokens', call),
    block: (stateHash, call) => read(`/blocks/${encodeURIComponent(stateHash)}`, 'block', call),
    blockAtHeight: async (height, call) => {
      checkNumbers({ height })
      return read(`/blocks/height/${height}`, 'block', call)
    },
    blocks: async (options) => read(withQuery('/blocks', blocksQuery, options), 'blocks', options),
    blocksBefore: async (cursor, options) => {
      if (typeof cursor !== 'string') checkNumbers(cursor)
      const name = typeof cursor === 'string' ? cursor : `${cursor.height}-${cursor.stateHash}`
      const path = withQuery(`/blocks/before/${encodeURIComponent(name)}`, blocksBeforeQuery, options)
      return read(path, [options?.view === 'header' ? 'headers' : 'blocks'], options)
    },
    fees: (call) => read('/fees', ['blocks', 'included', 'pool', 'suggested'], call),
    health: (call) => read('/health', ['status', 'nodes'], call),
    network: (call) => read('/network', ['networkName'], call),
    pool: async (options) => read(withQuery('/pool', poolQuery, options), ['count', 'commands', 'searched'], options),
    summary: (call) => read('/summary', ['blockchainLength', 'stateHash'], call),
    accountTransactions: async (publicKey, options) =>
      read(
        withQuery(`${accountPath(publicKey)}/transactions`, accountTransactionsQuery, options),
        ['transactions', 'searched'],
        options,
      ),
    transaction: async (hash, terms, call) => read(transactionPath(hash, terms), 'transaction', call),
  }
}

/** @throws TypeError if the value or a key of it is missing, or an amount in it is not an integer */
function valueIn<Value>(body: Readonly<Record<string, unknown>>, keys: string | readonly string[]): Value {
  const isWhole = typeof keys !== 'string'
  const found = isWhole ? body : body[keys]
  if (Object(found) !== found || (isWhole && keys.some((key) => body[key] === undefined)))
    throw new TypeError('no value')
  return typed(found) as Value
}
