// The optional upstream: its contribution, and how an answer says that something is missing.
import { awaitedLater } from '../chain/awaited-later.ts'
import type { ChainView, Indexer } from '../chain/port.ts'
import type { Success, Version } from '../http/answer.ts'
import type { CachePolicy } from '../http/answer-headers.ts'
import { indexerBusy, WireError, type WireFault } from '../upstream/errors.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Variables } from '../upstream/wire.ts'

/** A value that should have come, and did not. */
export interface Missing {
  readonly state: 'missing'
  readonly fault: WireFault
  readonly reason: string
}

/** A value, or why it did not come. */
export type Attempted<T> = { readonly state: 'known'; readonly value: T } | Missing

/**
 * Turns indexer trouble into a value.
 *
 * @param task may throw WireError
 * @throws whatever else the task throws: that is our own fault
 */
export async function attempt<T>(task: () => Promise<T>): Promise<Attempted<T>> {
  try {
    return { state: 'known', value: await task() }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return { state: 'missing', fault: error.fault, reason: error.message }
  }
}

/** Only an indexer knows the thing, and gives no answer: it may exist or not. */
export const undecided = ({ fault, reason }: Missing): WireError =>
  new WireError(fault === 'mismatched' ? fault : 'busy', reason, { isOfIndexer: true })

/** Asks an indexer equal questions once: several blocks of a page share an epoch and a genesis block. */
export function askingOnce(indexer: Indexer): Indexer {
  const answers = new Map<string, Promise<unknown>>()
  return {
    ask<Data>(operation: Operation<Data>, variables: Variables) {
      const key = JSON.stringify([operation.name, variables])
      const answer = answers.get(key) ?? awaitedLater(indexer.ask(operation, variables))
      answers.set(key, answer)
      // The operation's name is in the key, and determines the type.
      return answer as Promise<{ readonly data: Data }>
    },
  }
}

/** An indexer that is further behind the node's tip is out of date: its counters count as missing. */
export const maxBlocksBehind = 10

/** Asks an indexer; its trouble comes back as a value. */
export const queryIndexer = <Data>(
  indexer: Indexer,
  operation: Operation<Data>,
  variables: Variables,
): Promise<Attempted<Data>> => attempt(async () => (await indexer.ask(operation, variables)).data)

/** An indexer's answer, which nothing else can replace. @throws WireError `busy` for any trouble of the indexer */
export async function requireIndexed<Data>(
  indexer: Indexer,
  question: Operation<Data>,
  variables: Variables,
): Promise<Data> {
  const answer = await queryIndexer(indexer, question, variables)
  if (answer.state === 'missing') throw indexerBusy(answer.reason)
  return answer.value
}

/** Fields that the indexer should have given and did not, or that the answer has only in part. */
export interface MissingFields {
  /**
   * Paths below the block, account or transaction, otherwise below the body: `receivedTime`,
   * `protocolState.blockchainState.snarkedLedgerHash`.
   */
  readonly fields: readonly string[]
  readonly reason: string
  /** True if later answers will lack them too. */
  readonly isLasting?: boolean
}

/** Fields that later answers lack too: no upstream shows them, or the contract cannot express what is left out. */
export const lasting = (fields: readonly string[]): readonly MissingFields[] =>
  fields.length === 0 ? [] : [{ fields: [...new Set(fields)], reason: 'nothing shows them', isLasting: true }]

/**
 * An answer that names its missing fields.
 *
 * @param caching of an answer that a more complete one may soon replace
 */
export function withMissingFields<Body>(
  answer: Success<Body>,
  missing: readonly MissingFields[],
  caching: CachePolicy,
): Success<Body> {
  if (missing.length === 0) return answer
  const names = new Set(missing.flatMap(({ fields }) => fields))
  const headers = { ...answer.headers, 'x-missing-fields': [...names].join(',') }
  const passing = missing.filter(({ isLasting = false }) => !isLasting)
  // The version is that of the complete answer: a caller must not keep this one under its tag.
  const { version, ...incomplete } = answer
  if (passing.length === 0)
    return { ...incomplete, headers, ...(version && { version: [...version, ...names] as const }) }
  return { ...incomplete, caching, headers, note: [...new Set(passing.map(({ reason }) => reason))].join('; ') }
}

/**
 * The version of an answer with what indexers show, unless there are several: each received a block at another time, so
 * the answer depends on the one that gives it.
 */
export const versionFrom = ({ indexers }: ChainView, ...version: Version): { readonly version?: Version } =>
  indexers.length > 1 ? {} : { version }

/** The sources of a complete answer whose main part comes from the node. */
export const sourceOf = ({ indexers }: ChainView): 'node' | 'node and indexer' =>
  indexers.length > 0 ? 'node and indexer' : 'node'
