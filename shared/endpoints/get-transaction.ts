import { survey } from '../chain/actions/ask-all.ts'
import { hashFields, type RecentData, recentChain, recentOf, senderFields } from '../chain/actions/recent-commands.ts'
import { findCommandQuery } from '../chain/broadcast/pool-check.ts'
import type { ChainPort, Surveyed } from '../chain/port.ts'
import type { getTransactionContract } from '../contract/endpoints/get-transaction.ts'
import { max32Bits, oldTransactionHashForm, transactionHashForm } from '../contract/forms.ts'
import { numberOption, publicKeyOption, togetherOrNone } from '../contract/query-option.ts'
import type { Searched } from '../contract/transaction.ts'
import type { Failure } from '../http/answer.ts'
import { type CachePolicy, failureCaching, noStaleness } from '../http/answer-headers.ts'
import { isTransactionHash } from '../mapping/base58check.ts'
import { checksumFaults } from '../mapping/checksum-faults.ts'
import { indexedTransaction, indexedTransactionOperations } from '../transactions/indexed-transaction.ts'
import {
  fateFromIndexer,
  fateFromNodes,
  fateInBlock,
  type TransactionFate,
  termsBody,
} from '../transactions/transaction-body.ts'
import { type Evidence, type Terms, transactionState } from '../transactions/transaction-state.ts'
import { WireError } from '../upstream/errors.ts'
import { nodeQuery, tipOf } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { NodeLabel } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'

const commandByHash = nodeQuery('commandByHash', '$hash: String!', { ...hashFields, ...recentChain })

/** No pool knows a hash of before the Berkeley fork. */
const latestCommands = nodeQuery('latestCommands', '', recentChain)

const commandByTerms = nodeQuery('commandByTerms', '$hash: String!, $publicKey: PublicKey!', {
  ...hashFields,
  ...senderFields,
  ...recentChain,
})

/** A wallet acts on the answer, so it is never served past its age. */
const current: CachePolicy = { maxAgeSeconds: 2, ...noStaleness }

const caching = {
  open: { ...current, when: 'it may change with the next command or block' },
  included: { maxAgeSeconds: 15, ...noStaleness, when: 'the command is in a block' },
  final: {
    maxAgeSeconds: 86_400,
    ...noStaleness,
    when: "its block is so deep that it is final, by the network's own k",
  },
}

const message = 'No transaction found for that hash.'

const noTransaction: Failure = { status: 404, body: { message }, caching: current }

interface Input {
  readonly hash: string
  readonly terms: Terms | undefined
}

const options = togetherOrNone([
  publicKeyOption('from'),
  numberOption('nonce', max32Bits),
  numberOption('valid_until', max32Bits),
])

interface Seen extends Evidence {
  readonly node: number
  readonly tip: NodeLabel
}

type Data = RecentData & { readonly account?: { readonly nonce: number } | null }

const isOld = (hash: string): boolean => hash.length === oldTransactionHashForm.length

function questionOf({ hash, terms }: Input): readonly [Operation<Data>, Variables] {
  if (terms === undefined) return isOld(hash) ? [latestCommands, {}] : [commandByHash, { hash }]
  const publicKey = terms.from
  return isOld(hash) ? [findCommandQuery, { publicKey }] : [commandByTerms, { hash, publicKey }]
}

const seen = ({ node, data, tip, isAtTip }: Surveyed<Data>): Seen => {
  const { account } = data
  return { node, recent: recentOf(data), nonce: account === null ? null : account?.nonce, isAtTip, tip }
}

/** The nodes' evidence; only one is asked where it shows enough. */
async function look(input: Input, chain: ChainPort): Promise<readonly Seen[]> {
  const [operation, variables] = questionOf(input)
  const isEnough = (answer: Surveyed<Data>) => {
    const { state } = transactionState(input.hash, input.terms, [seen(answer)])
    return state !== 'absent' && state !== 'not-found'
  }
  return (await chain.survey({ operation, variables, isEnough, procedure: survey })).map(seen)
}

/** The places that were searched, by the answers that count. */
function searchedBy({ hash, terms }: Input, evidence: readonly Seen[]): Omit<Searched, 'indexer'> {
  const atTip = evidence.filter(({ isAtTip }) => isAtTip)
  const read = (atTip.length > 0 ? atTip : evidence).map(({ recent }) => recent.blocks)
  return {
    pool: !isOld(hash) || terms !== undefined,
    fromHeight: Math.max(...read.map(([oldest]) => oldest.height)),
    toHeight: Math.max(...read.map((blocks) => tipOf(blocks).height)),
    nodes: new Set(evidence.map(({ node }) => node)).size,
  }
}

/** GET /transactions/{hash}: whether a command was included, still can be, or never will be. */
export const getTransaction: Endpoint<typeof getTransactionContract, Input> = {
  name: 'getTransaction',
  method: 'GET',
  path: '/transactions/{hash}',
  tag: 'transactions',
  summary: 'The fate of a command by its hash',
  caching: { 200: caching, 404: { missing: current }, '5xx': { failure: failureCaching } },
  operations: [commandByHash, latestCommands, commandByTerms, findCommandQuery, ...indexedTransactionOperations],
  identifier: { parameter: 'hash', forms: [transactionHashForm, oldTransactionHashForm], unknown: noTransaction },

  options,
  faults: checksumFaults(options),

  input: ({ path, query: { from, nonce, valid_until: validUntil } }) => ({
    hash: path.hash ?? '',
    terms: from === undefined ? undefined : { from, nonce: Number(nonce), validUntil: Number(validUntil) },
  }),

  async run(input, chain) {
    const { hash, terms } = input
    if (!isTransactionHash(hash)) return noTransaction
    const evidence = await look(input, chain)
    const found = transactionState(hash, terms, evidence)
    const searched = searchedBy(input, evidence)
    const answer = (fate: TransactionFate, indexer: boolean) => ({
      status: 200 as const,
      body: { transaction: { hash, ...fate, ...termsBody(terms), searched: { ...searched, indexer } } },
      caching: fate.final ? caching.final : fate.state === 'included' ? caching.included : caching.open,
    })
    const fate = fateFromNodes(hash, found)
    if (fate !== undefined && fate.state !== 'absent') return answer(fate, false)

    const best = evidence.find(({ isAtTip }) => isAtTip)
    if (best === undefined) {
      if (fate !== undefined) return answer(fate, false)
      throw new WireError('busy', 'the nodes that answer lie behind a height that was seen')
    }
    const nonceIsUsed = fate?.sending === 'nonce-used'
    const indexed = await indexedTransaction({ hash, terms, nonceIsUsed, tip: best.tip, ...searched }, chain)
    if (indexed.state === 'held') return answer(fateInBlock(hash, indexed), true)
    if (indexed.state === 'deep') return answer(fateFromIndexer(indexed), true)
    const isIndexed = indexed.state === 'none'
    if (fate !== undefined) return answer(fate, isIndexed)
    if (indexed.state === 'unknown' && indexed.error !== undefined) throw indexed.error
    const body = { message, searched: { ...searched, indexer: isIndexed } }
    return { status: 404, body, caching: current }
  },
}
