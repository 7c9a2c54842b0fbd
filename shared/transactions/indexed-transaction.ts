// A command in a block older than those searched at a node, from the indexer. Its hashes may be wrong if its block
// files have none, and its tip may be a sibling of the node's, so the node's own block decides while it is held.

import { usesNonce } from '../chain/actions/recent-commands.ts'
import { settledDepth } from '../chain/limits.ts'
import type { ChainView, Indexer } from '../chain/port.ts'
import {
  forkParentIn,
  forkParentOperations,
  type KeptBranch,
  keptBranch,
  lacksOldChain,
} from '../indexer/before-fork.ts'
import { type Attempted, attempt, queryIndexer } from '../indexer/indexed.ts'
import { type IndexerTip, otherChain } from '../indexer/indexer-tip.ts'
import {
  type Evidence,
  isAskedFor,
  isNearTip,
  judgementFields,
  judgementVariables,
  keptChain,
  otherBranch,
} from '../indexer/judge.ts'
import { type Absence, firstFound, type IndexerOfChain, type NotFound } from '../indexer/responsible-indexers.ts'
import { blockOf, eachOnce, type IndexedCommand, indexedCommand } from '../mapping/indexer-command.ts'
import { indexerBusy, nodeBusy, type WireError } from '../upstream/errors.ts'
import { indexerQuery } from '../upstream/indexer-query.ts'
import { finalHeightBelow, kOf, type Network, networkQuery } from '../upstream/network.ts'
import { nodeQuery, tipBlockFields } from '../upstream/node-query.ts'
import type { Tip } from '../upstream/query.ts'
import { called, listOf, shape, type Wire } from '../upstream/wire.ts'
import { blockCommands, type CommandInBlock, type Inclusion, type RecentBlock, shownIn } from './shown-commands.ts'
import { matchOf, matchOfIndexed, type Terms, type TermsMatch } from './terms.ts'

type Hit = IndexedCommand

const rowVariables = `$limit: Int!, ${judgementVariables}`

const byHash = called(
  'transactions(query: {hash: $hash, canonical: $canonical}, limit: $limit)',
  listOf(indexedCommand),
  (hits, asked) =>
    hits.length <= Number(asked.limit) && hits.every((hit) => isAskedFor(hit, asked) && hit.hash === asked.hash),
)

const byNonce = called(
  'transactions(query: {from: $from, nonce: $nonce, canonical: $canonical}, limit: $limit)',
  listOf(indexedCommand),
  (hits, asked) =>
    hits.length <= Number(asked.limit) &&
    hits.every((hit) => isAskedFor(hit, asked) && hit.sender === asked.from && hit.nonce === asked.nonce),
)

const indexedByHash = indexerQuery(
  'indexedTransaction',
  `$hash: String!, ${rowVariables}`,
  shape({ byHash, ...judgementFields }),
)

/**
 * A question by the nonce walks over all commands of the sender, so it gets more time, on a connection where it holds up
 * nothing else.
 */
const walk = { isPatient: true, hasOwnConnection: true }

/** Asks which command used a nonce. */
const indexedByNonce = indexerQuery(
  'indexedNonce',
  `$hash: String!, $from: String!, $nonce: Int!, ${rowVariables}`,
  shape({ byHash, byNonce, ...judgementFields }),
  walk,
)

const commandsAtHeight = nodeQuery('commandsAtHeight', '$height: Int!', {
  block: called(
    'block(height: $height)',
    shape({ ...tipBlockFields, transactions: blockCommands }),
    ({ protocolState }, { height }) => protocolState.consensusState.blockHeight === height,
  ),
})

export const indexedTransactionOperations = [
  ...[indexedByHash, indexedByNonce, commandsAtHeight, networkQuery],
  ...forkParentOperations,
]

/** A command in a block that the node holds: the one that was asked for, or one with its sender and nonce. */
export type HeldCommand = Inclusion & { readonly match: TermsMatch }

/** A command in a block that the indexer alone has. */
export interface DeepCommand {
  readonly match: TermsMatch
  readonly block: Pick<RecentBlock, 'stateHash' | 'height' | 'atMs'>
  readonly depth: number
  readonly hit: Hit
  /** The network's k if no reorganisation can reach it: below both tips by k, or kept by a hard fork. */
  readonly finalDepth: number | undefined
}

type FoundCommand = ({ readonly state: 'held' } & HeldCommand) | ({ readonly state: 'deep' } & DeepCommand)

/** `none`: the indexers, which have all blocks that the nodes were not searched for, do not have it. */
type IndexedTransaction = FoundCommand | NotFound

/** A command that has the sender and the nonce of the question, and may be another one. */
interface WithRival {
  readonly rival?: FoundCommand
}

/** The same at one indexer. */
type AtIndexer = FoundCommand | ((Absence | Extract<NotFound, { readonly state: 'unknown' }>) & WithRival)

interface Question {
  readonly hash: string
  readonly terms: Terms | undefined
  /** The sender's ledger is past the nonce, and no block that the nodes were searched for shows by which command. */
  readonly isNonceOpen: boolean
  /** Height of the earliest block that the nodes were searched for. */
  readonly fromHeight: number
  /** The earliest block shown by the node whose answer counts. */
  readonly oldest: Pick<RecentBlock, 'stateHash' | 'height'>
  /** The tip of that node. */
  readonly tip: Tip
}

/** The command of a hit in the node's block at its height. */
function heldIn(
  block: Wire<typeof commandsAtHeight.data>['block'],
  hit: Hit,
  { hash: asked, terms, tip: nodeTip }: Question,
) {
  if (block.stateHash !== hit.block.stateHash) throw indexerBusy('the node has another block at its height')
  const { blockHeight } = block.protocolState.consensusState
  const commands = shownIn(block.transactions)
  const header = { stateHash: block.stateHash, height: blockHeight, atMs: block.protocolState.blockchainState.date }
  const held = (shown: CommandInBlock, match: TermsMatch) =>
    ({ state: 'held', match, block: header, depth: nodeTip.height - blockHeight, shown }) as const
  const own = commands.find((command) => command.hash === asked)
  if (own !== undefined) return held(own, 'same')
  const user = terms && commands.find(usesNonce(terms.from, String(terms.nonce)))
  if (terms === undefined || user === undefined) {
    throw indexerBusy('the node does not have it in the block that the indexer names')
  }
  return held(user, matchOf(terms, user))
}

/** An indexer's answer. */
interface Looked extends Evidence {
  readonly byHash: readonly Hit[]
  readonly byNonce?: readonly Hit[]
}

/** The rows of one command: each block that holds it, the abandoned ones too, under each of its hashes. */
const maxInclusions = 20

/** Asks for the hash and, if the nonce is open, for the command that used it. */
async function askIndexer(
  { hash: asked, terms, isNonceOpen }: Question,
  rows: { readonly canonical: true | null; readonly proofHeight: number },
  indexer: Indexer,
): Promise<Attempted<Looked>> {
  const variables = { hash: asked, limit: maxInclusions, ...rows }
  if (terms === undefined || !isNonceOpen) return queryIndexer(indexer, indexedByHash, variables)
  return queryIndexer(indexer, indexedByNonce, { ...variables, from: terms.from, nonce: terms.nonce })
}

/** @throws WireError `busy` for rows that contradict each other */
function oneOf(byItsHash: readonly Hit[], byItsNonce: readonly Hit[]) {
  eachOnce([...byItsHash, ...byItsNonce])
  return { byItsHash: byItsHash[0], user: byItsNonce[0] }
}

/**
 * The command in a block that a hard fork kept.
 *
 * @throws WireError `busy` if the indexer may lack it
 */
function keptHits(looked: Looked, branch: KeptBranch) {
  const { byHash: byItsHash, byNonce: byItsNonce = [] } = looked
  const chain = keptChain(branch, looked)
  const isKept = (hit: Hit) => chain.isKept(blockOf(hit))
  const kept = oneOf(byItsHash.filter(isKept), byItsNonce.filter(isKept))
  if (kept.byItsHash === undefined) chain.requireWhole()
  return kept
}

/** The command with the hash that was asked for, even if the indexer gives it for the nonce alone. */
const namedHit = ({ hash: asked }: Question, byItsHash: Hit | undefined, user: Hit | undefined): Hit | undefined =>
  byItsHash ?? (user?.hash === asked ? user : undefined)

const unknown = (reason: string) => ({ state: 'unknown', error: indexerBusy(reason) }) as const

/**
 * Looks for a command in the chain before the node's hard fork, as the fork's parent shows it. What the fork discarded
 * counts as not found. The new chain's blocks are known from the nodes alone: an absence counts while they were searched
 * down to its genesis.
 */
async function beforeFork(
  question: Question,
  own: IndexerTip,
  place: IndexerOfChain,
  network: Network | undefined,
): Promise<AtIndexer> {
  const { fromHeight, tip: nodeTip } = question
  const parent = forkParentIn(network)
  if (parent === undefined) return { state: 'unknown', error: otherChain(own) }
  const branch = await attempt(() => keptBranch(place, parent))
  if (branch.state === 'missing') return unknown(branch.reason)
  const rows = { canonical: null, proofHeight: branch.value.lowest }
  const answer = await askIndexer(question, rows, place.indexer)
  if (answer.state === 'missing') return unknown(answer.reason)
  const kept = await attempt(async () => keptHits(answer.value, branch.value))
  if (kept.state === 'missing') return unknown(kept.reason)
  const { byItsHash, user } = kept.value
  const found = namedHit(question, byItsHash, user)
  const isWhole = fromHeight <= parent.height + 1
  const absence: Absence = { state: 'none', ...(!isWhole && { openSince: otherChain(own) }) }
  const hit = found ?? user
  if (hit === undefined) return absence
  const depth = nodeTip.height - hit.blockHeight
  // A block that a fork kept is final, and an indexer that holds the fork's parent is on the node's chain.
  const deep = deepCommand(question, hit, found !== undefined, depth, network?.constants?.k)
  return deep.match === 'same' ? deep : { ...absence, rival: deep }
}

/** A command in a block that the indexer alone has. Only what is final proves another one. */
function deepCommand(
  { terms }: Question,
  hit: Hit,
  isNamed: boolean,
  depth: number,
  finalDepth: number | undefined,
): { readonly state: 'deep' } & DeepCommand {
  const block = { stateHash: hit.block.stateHash, height: hit.blockHeight, atMs: hit.block.dateTime }
  const match = isNamed || terms === undefined ? 'same' : matchOfIndexed(terms, hit)
  const isProven = match !== 'another' || finalDepth !== undefined
  return { state: 'deep', match: isProven ? match : 'unproven', block, depth, hit, finalDepth }
}

/** What an indexer on the node's network has shown. */
interface Sighting {
  readonly question: Question
  readonly place: IndexerOfChain
  readonly own: IndexerTip
  /** The command with the hash that was asked for. */
  readonly found: Hit | undefined
  /** The indexer has settled the earliest block that the node showed. */
  readonly isSettled: boolean
  /** The indexer is on an abandoned branch, where another command may have used the nonce. */
  readonly elsewhere: WireError | undefined
}

const networkFor = ({ tip }: Question, { chain }: IndexerOfChain) => chain.networks.of(tip.genesisStateHash)

/** The answer of an indexer that does not have the command, as far as its word counts. */
async function absentAt({ question, place, own, elsewhere }: Sighting, rival?: FoundCommand): Promise<AtIndexer> {
  const beside = rival === undefined ? {} : { rival }
  if (elsewhere !== undefined) return { state: 'unknown', error: elsewhere, ...beside }
  // Its last blocks may be abandoned ones: the nodes must have been searched for those that replaced them.
  const isWhole = own.blockHeight >= Math.min(question.tip.height, question.fromHeight + settledDepth)
  if (!isWhole) return { ...unknown(`the indexer is at block ${own.blockHeight}`), ...beside }
  const openBefore = await attempt(() => lacksOldChain(place, () => networkFor(question, place)))
  if (openBefore.state === 'missing') return { ...unknown(openBefore.reason), ...beside }
  return { state: 'none', openBefore: openBefore.value, ...beside }
}

/**
 * A command in a block that no node at the tip shows, if its depth or a hard fork's parent proves the indexer's word.
 *
 * @param isHeldBehind a node behind the tip still holds a block at its height
 * @throws WireError `busy` if nothing proves it
 */
async function deepAt(seen: Sighting, hit: Hit, isHeldBehind: boolean): Promise<AtIndexer> {
  const { question, place, own, found, isSettled, elsewhere } = seen
  const { oldest, tip } = question
  const { blockHeight: height } = hit
  const network = await networkFor(question, place)
  const parent = forkParentIn(network)
  const k = kOf(network)
  // A node at the tip holds every block less than k below it. What only a node behind it still holds is judged by its depth.
  if (isHeldBehind && tip.height - height < k) throw nodeBusy('the node that has a block there lies behind')
  const isDeep = own.blockHeight - height >= k
  // The node holds no block below its genesis block: there the fork's parent decides, not the depth.
  if (!isDeep && parent !== undefined && height <= parent.height) return beforeFork(question, own, place, network)
  const doubt = isDeep ? elsewhere : indexerBusy('no depth shows that the block of the indexer is canonical')
  if (doubt !== undefined && found !== undefined) throw doubt
  if (doubt !== undefined) return absentAt(seen)
  const depth = Math.min(own.blockHeight, tip.height) - height
  const isFinal = height <= finalHeightBelow(own.blockHeight, tip.height, k)
  const deep = deepCommand(question, hit, found !== undefined, depth, isFinal ? k : undefined)
  if (deep.match === 'same') return deep
  return isSettled && height < oldest.height ? absentAt(seen, deep) : absentAt(seen)
}

/** @throws WireError `busy` for a hit that cannot be believed yet, and when the node does not answer */
async function atIndexer(question: Question, place: IndexerOfChain): Promise<AtIndexer> {
  const { oldest, tip: nodeTip } = question
  const answer = await askIndexer(question, { canonical: true, proofHeight: oldest.height }, place.indexer)
  if (answer.state === 'missing') return unknown(answer.reason)
  const { byHash: hits, byNonce: users = [], tip: own } = answer.value
  if (own === null) return unknown('the indexer has no block yet')
  if (own.genesisStateHash !== nodeTip.genesisStateHash) {
    return beforeFork(question, own, place, await networkFor(question, place))
  }
  const { byItsHash, user } = oneOf(hits, users)
  const found = namedHit(question, byItsHash, user)
  const hit = found ?? user
  const isSettled = !isNearTip(oldest.height, own)
  const elsewhere = isSettled ? otherBranch(oldest.stateHash, answer.value) : undefined
  const seen = { question, place, own, found, isSettled, elsewhere }
  if (hit === undefined) return absentAt(seen)
  const { blockHeight: height } = hit
  if (height > nodeTip.height) throw indexerBusy("the indexer has it above the node's tip")
  const { data, tip } = await place.chain.request(commandsAtHeight, { height })
  const isShown = data !== undefined && tip !== undefined && tip.height >= nodeTip.height
  if (!isShown) return deepAt(seen, hit, data !== undefined)
  const held = heldIn(data.block, hit, question)
  return held.match === 'same' ? held : absentAt(seen, held)
}

/**
 * Looks for a command that the nodes' pools and latest blocks do not show: at one indexer after the other. A command
 * that used its nonce counts as another one only if every indexer was asked for the hash, since the terms may be wrong.
 *
 * @throws WireError `busy` for a hit that cannot be believed yet: above the node's tip, on a fork, or neither in the
 *   node's frontier nor deep enough below the indexer's own tip; and when the node does not answer
 */
export async function indexedTransaction(question: Question, chain: ChainView): Promise<IndexedTransaction> {
  const { indexers } = chain
  const rivals: FoundCommand[] = []
  let answers = 0
  const found = await firstFound(indexers, async (indexer) => {
    const looked = await atIndexer(question, { chain, indexer })
    if ('rival' in looked && looked.rival !== undefined) rivals.push(looked.rival)
    if (looked.state === 'none') answers += 1
    return looked
  })
  if (found.state === 'held' || found.state === 'deep') return found
  // One that may be the command itself leaves it open, whatever another indexer shows.
  const open = rivals.find(({ match }) => match !== 'another')
  if (open !== undefined) return open
  return answers === indexers.length ? (rivals[0] ?? found) : found
}
