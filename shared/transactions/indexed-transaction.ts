// A command in a block older than those that a node is searched for, from the indexer. Its hashes may be wrong where its
// block files have none, and its tip a sibling of the node's: so the node's own block decides as long as it is held.

import {
  blockCommands,
  type Inclusion,
  type RecentBlock,
  shownIn,
  usesNonce,
} from '../chain/actions/recent-commands.ts'
import type { ChainPort } from '../chain/port.ts'
import { queryIndexer } from '../indexer/indexed.ts'
import { nodeGenesis } from '../indexer/old-block-questions.ts'
import { type IndexedCommand, indexedCommand } from '../mapping/indexer-command.ts'
import { WireError } from '../upstream/errors.ts'
import { nodeQuery } from '../upstream/node-query.ts'
import { operation } from '../upstream/operation.ts'
import type { NodeLabel } from '../upstream/query.ts'
import { called, count, hash, instant, listOf, nullable, shape, text, type Wire } from '../upstream/wire.ts'
import type { Terms } from './transaction-state.ts'

type Hit = IndexedCommand

const tip = called('block', nullable(shape({ blockHeight: count, genesisStateHash: text })))

const byHash = called(
  'transactions(query: {hash: $hash, canonical: true}, limit: 1)',
  listOf(indexedCommand),
  (hits, asked) => hits.every((hit) => hit.canonical && hit.hash === asked.hash),
)

const byNonce = called(
  'transactions(query: {from: $from, nonce: $nonce, canonical: true}, limit: 1)',
  listOf(indexedCommand),
  (hits, { from, nonce }) => hits.every((hit) => hit.canonical && hit.sender === from && hit.nonce === nonce),
)

const indexedByHash = operation('indexer', 'query', 'indexedTransaction', '$hash: String!', shape({ byHash, tip }))

/** For a nonce that is used up: by which command? */
const indexedByNonce = operation(
  'indexer',
  'query',
  'indexedNonce',
  '$hash: String!, $from: String!, $nonce: Int!',
  shape({ byHash, byNonce, tip }),
)

const commandsAtHeight = nodeQuery('commandsAtHeight', '$height: Int!', {
  block: called(
    'block(height: $height)',
    shape({
      protocolState: shape({
        blockchainState: shape({ date: instant }),
        consensusState: shape({ blockHeight: count }),
      }),
      stateHash: hash,
      transactions: blockCommands,
    }),
    ({ protocolState }, { height }) => protocolState.consensusState.blockHeight === height,
  ),
})

export const indexedTransactionOperations = [indexedByHash, indexedByNonce, commandsAtHeight, nodeGenesis]

export type IndexedTransaction =
  /** Undefined reason: no indexer is configured. */
  | { readonly state: 'unknown'; readonly error: WireError | undefined }
  /** The indexer, which has all blocks that the nodes were not searched for, does not have it. */
  | { readonly state: 'none' }
  /** In a block that the node holds; `shown` has another hash where another command used the nonce. */
  | ({ readonly state: 'held' } & Inclusion)
  | {
      readonly state: 'deep'
      readonly block: Pick<RecentBlock, 'stateHash' | 'height' | 'atMs'>
      readonly depth: number
      readonly hit: Hit
      /** True if it is below both tips by the network's k. */
      readonly isFinal: boolean
    }

interface Question {
  readonly hash: string
  readonly terms: Terms | undefined
  /** The sender's ledger is past the nonce. */
  readonly nonceIsUsed: boolean
  /** Height of the earliest block that the nodes were searched for. */
  readonly fromHeight: number
  /** Of the node whose answer counts. */
  readonly tip: NodeLabel
}

/** So many blocks at the end of the indexer's chain may be abandoned ones. */
const maxAbandoned = 10

const busy = (reason: string) => new WireError('busy', `not in the latest blocks; ${reason}`)

/** The command of a hit in the node's block at its height. */
function heldIn(
  block: Wire<typeof commandsAtHeight.data>['block'],
  hit: Hit,
  { hash: asked, terms, tip: nodeTip }: Question,
) {
  if (block.stateHash !== hit.block.stateHash) throw busy('the node has another block at its height')
  const { blockHeight } = block.protocolState.consensusState
  const commands = shownIn(block.transactions)
  const isRival = terms === undefined ? () => false : usesNonce(terms.from, String(terms.nonce))
  const shown = commands.find((command) => command.hash === asked) ?? commands.find(isRival)
  if (shown === undefined) throw busy('the node does not have it in the block that the indexer names')
  const place = { stateHash: block.stateHash, height: blockHeight, atMs: block.protocolState.blockchainState.date }
  return { state: 'held', block: place, depth: nodeTip.height - blockHeight, shown } as const
}

/**
 * Looks for a command that the nodes' pools and latest blocks do not show.
 *
 * @throws WireError `busy` for a hit that cannot be believed yet: above the node's tip, on a fork, or neither in the
 *   node's frontier nor deep enough below the indexer's own tip; and when the node does not answer
 */
export async function indexedTransaction(question: Question, chain: ChainPort): Promise<IndexedTransaction> {
  const { hash: asked, terms, nonceIsUsed, fromHeight, tip: nodeTip } = question
  const isAboutNonce = terms !== undefined && nonceIsUsed
  const answer = isAboutNonce
    ? await queryIndexer(chain, indexedByNonce, { hash: asked, from: terms.from, nonce: terms.nonce })
    : await queryIndexer(chain, indexedByHash, { hash: asked })
  if (answer.state === 'unconfigured') return { state: 'unknown', error: undefined }
  if (answer.state === 'missing') return { state: 'unknown', error: busy(answer.reason) }
  const {
    tip: own,
    byHash: [found],
  } = answer.value
  if (own === null) return { state: 'unknown', error: busy('the indexer has no block yet') }
  if (own.genesisStateHash !== nodeTip.genesisStateHash) {
    return { state: 'unknown', error: busy(`the indexer is on another chain, of genesis ${own.genesisStateHash}`) }
  }
  const rivals: readonly Hit[] = 'byNonce' in answer.value ? (answer.value.byNonce as readonly Hit[]) : []
  const hit = found ?? rivals[0]
  // Its last blocks may be abandoned ones: the nodes must have been searched for those that replaced them.
  const isWhole = own.blockHeight >= Math.min(nodeTip.height, fromHeight + maxAbandoned - 1)
  const none: IndexedTransaction = isWhole
    ? { state: 'none' }
    : { state: 'unknown', error: busy(`the indexer is at block ${own.blockHeight}`) }
  if (hit === undefined) return none
  const height = hit.blockHeight
  if (height > nodeTip.height) throw busy("the indexer has it above the node's tip")
  const { data, label } = await chain.find(commandsAtHeight, { height })
  if (data !== undefined) {
    if (label === undefined || label.height < nodeTip.height) throw busy('the node that has a block there lies behind')
    return heldIn(data.block, hit, question)
  }
  // Its hash may be a wrong one of the very command that was asked for.
  if (found === undefined) return none
  const { data: node } = await chain.ask(nodeGenesis, {})
  const k = node.daemonStatus.consensusConfiguration?.k ?? Number.POSITIVE_INFINITY
  const fitsTerms = terms === undefined || (hit.sender === terms.from && hit.nonce === terms.nonce)
  if (own.blockHeight - height < k || !fitsTerms)
    throw busy('no depth shows that the block of the indexer is canonical')
  const lowerTip = Math.min(own.blockHeight, nodeTip.height)
  const block = { stateHash: hit.block.stateHash, height, atMs: hit.block.dateTime }
  return { state: 'deep', block, depth: lowerTip - height, hit, isFinal: lowerTip - height >= k }
}
