import { type AnswersOfAll, areOfNetwork, askAll } from '../chain/actions/ask-all.ts'
import { searchedBlocks } from '../chain/actions/recent-commands.ts'
import type { AnsweredAtTip } from '../chain/outcome.ts'
import type { ChainView } from '../chain/port.ts'
import type { getTransactionContract } from '../contract/endpoints/get-transaction.ts'
import { oldTransactionHashForm, transactionHashForm } from '../contract/forms.ts'
import { transactionQuery } from '../contract/query/get-transaction.ts'
import { absenceFaults } from '../contract/query/levels.ts'
import type { Searched } from '../contract/transaction.ts'
import type { Failure } from '../http/answer.ts'
import { current, failureCaching, finalCaching, noStaleness } from '../http/answer-headers.ts'
import { lasting, withMissingFields } from '../indexer/indexed.ts'
import { isTransactionHash } from '../mapping/base58check.ts'
import {
  keyOption,
  memoOption,
  nanominaOption,
  numberOption,
  type QueryOf,
  queryReader,
} from '../mapping/query-values.ts'
import { askPayers, type BestTip, bestTipOf, payerNonces, type TipAnswer } from '../transactions/best-tip.ts'
import { indexedTransaction, indexedTransactionOperations } from '../transactions/indexed-transaction.ts'
import {
  hashFields,
  joinedTo,
  type PoolData,
  pooledIn,
  poolNoncesIn,
  type RecentData,
  recentChain,
  recentOf,
  senderFields,
} from '../transactions/shown-commands.ts'
import type { Terms } from '../transactions/terms.ts'
import {
  cutTermsOf,
  fateFromIndexer,
  fateFromNodes,
  fateOfHeld,
  type TransactionFate,
  termsBody,
  undecided,
} from '../transactions/transaction-body.ts'
import {
  type Evidence,
  isTipUnread,
  readAtTip,
  type TipEvidence,
  type TransactionState,
  transactionState,
} from '../transactions/transaction-state.ts'
import { nodeBusy } from '../upstream/errors.ts'
import { nodeQuery, nodeTipQuery, type TipBlock, tipOf, tooFullBlocks } from '../upstream/node-query.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Tip } from '../upstream/query.ts'
import type { Variables } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'

/** A question that lists blocks, whose length depends on others. */
const withBlocks = { tooLong: tooFullBlocks }

const commandByHash = nodeQuery(
  'commandByHash',
  '$hash: String!, $maxLength: Int!',
  { ...hashFields, ...recentChain },
  withBlocks,
)

/** No pool knows a hash from before the Berkeley fork. */
const latestCommands = nodeQuery('latestCommands', '$maxLength: Int!', recentChain, withBlocks)

const commandByTerms = nodeQuery(
  'commandByTerms',
  '$hash: String!, $publicKey: PublicKey!, $maxLength: Int!',
  { ...hashFields, ...senderFields, ...recentChain },
  withBlocks,
)

/** The commands of a sender, if no pool knows the hash. */
const commandsOfSender = nodeQuery(
  'commandsOfSender',
  '$publicKey: PublicKey!, $maxLength: Int!',
  { ...senderFields, ...recentChain },
  withBlocks,
)

/** Without blocks, for the other daemons behind an address: pool, and tip, which shows whether its chain was read. */
const poolByHash = nodeQuery('poolByHash', '$hash: String!', hashFields)
const poolByTerms = nodeQuery('poolByTerms', '$hash: String!, $publicKey: PublicKey!', {
  ...hashFields,
  ...senderFields,
})
const poolOfSender = nodeQuery('poolOfSender', '$publicKey: PublicKey!', senderFields)

const caching = {
  open: { ...current, when: 'it may change with the next command or block' },
  included: { maxAgeSeconds: 15, ...noStaleness, when: 'the command is in a block' },
  final: finalCaching('its block', noStaleness),
}

const message = 'No transaction found for that hash.'

const byTerms =
  'Ask with from, nonce, valid_until, to, fee, memo, and amount of a payment, to find it whatever its hash.'

/** Explains why a node may know a command by another hash than its wallet, and what to ask. */
const hints = {
  old: `Ckp… is the form of hashes before June 2024: nodes and blocks name a command 5J… since then, which mina-signer 2.1.1 and later compute with hashPayment(signed, { berkeley: true }). ${byTerms}`,
  current: `No node knows the 5J… that mina-signer computes without { berkeley: true }, or before 2.1.1. ${byTerms}`,
}

const noTransaction = { status: 404, body: { message }, caching: current } as const satisfies Failure

interface Input {
  readonly hash: string
  readonly terms: Terms | undefined
}

/** The terms of a question, whose options are given together or not at all. */
function termsOf({ from, nonce, valid_until: validUntil, to, fee, memo, amount }: QueryOf<typeof transactionQuery>) {
  if (from === undefined || nonce === undefined || validUntil === undefined) return undefined
  const first = { from, nonce, validUntil }
  return to === undefined || fee === undefined || memo === undefined
    ? first
    : { ...first, content: { to, fee, memo, amount } }
}

interface Seen extends Evidence {
  readonly node: number
  readonly tip: Tip
  /** Nonces in the ledger of its tip, by public key. */
  readonly nonces: TipAnswer['nonces']
  /** Its blocks are too few to prove an absence by the hash alone. */
  readonly isShort: boolean
}

/** What the nodes show, and the tip that decides what still waits in their pools. */
interface Sight {
  /** Its pools hold only commands that can still be included at that tip. */
  readonly evidence: readonly Seen[]
  readonly best: BestTip
  readonly found: TransactionState
}

interface AccountData {
  readonly account?: { readonly nonce: number } | null
}

/** An answer with the latest blocks, or with pools and tip alone. */
type Data = AccountData & PoolData & { readonly bestChain: readonly TipBlock[] | null }

const isOld = (hash: string): boolean => hash.length === oldTransactionHashForm.length

/** The fewest blocks that are listed again for a tip that has moved. */
const rereadBlocks = 4

/** The most blocks read again: with the tips of its other answers, a request reads at most forty. */
const maxRereadBlocks = 15

/** The questions for a command, and for pools and tip alone. */
function operationsFor({ hash, terms }: Input): readonly [whole: Operation<Data>, repeat: Operation<Data>, Variables] {
  if (terms === undefined) {
    return isOld(hash) ? [latestCommands, nodeTipQuery, {}] : [commandByHash, poolByHash, { hash }]
  }
  const publicKey = terms.from
  return isOld(hash)
    ? [commandsOfSender, poolOfSender, { publicKey }]
    : [commandByTerms, poolByTerms, { hash, publicKey }]
}

/** The evidence of an answer without its blocks. */
function pooledAt({ node, data, tip }: AnsweredAtTip<Data>, terms: Terms | undefined, chain: ChainView): Seen {
  const { account } = data
  const nonce = account === null ? null : account?.nonce
  const nonces = new Map(poolNoncesIn(data))
  if (terms !== undefined && nonce !== undefined) nonces.set(terms.from, nonce ?? 0)
  const ofTip = { node, nonce, nonces, isAtTip: !chain.isStaleHeight(tip.height), tip }
  return { ...ofTip, blocks: undefined, pooled: pooledIn(data), isShort: true }
}

const seenAt = (answer: AnsweredAtTip<Data>, terms: Terms | undefined, chain: ChainView): Seen & TipEvidence => ({
  ...pooledAt(answer, terms, chain),
  ...recentOf(answer.data as RecentData),
  isShort: false,
})

/**
 * The evidence of all answers. Blocks that were read again are joined to those below them. If they join none, because the first
 * answer came from a daemon on another branch or far below, they count alone.
 */
function seenInAll(answers: AnswersOfAll<Data>, terms: Terms | undefined, chain: ChainView): readonly Seen[] {
  const whole = answers.whole.map((answer) => seenAt(answer, terms, chain))
  const read = whole.map(({ blocks }) => blocks)
  const reread = answers.reread.map((answer) => {
    const shown = seenAt(answer, terms, chain)
    const joined = joinedTo(read, shown.blocks)
    read.push(joined ?? shown.blocks)
    return joined === undefined ? { ...shown, isShort: true } : { ...shown, blocks: joined }
  })
  return [...whole, ...answers.repeated.map((answer) => pooledAt(answer, terms, chain)), ...reread]
}

/** @param asked further answers, of nonces alone */
function sightOf({ hash, terms }: Input, all: readonly Seen[], asked: readonly TipAnswer[] = []): Sight {
  const shown = all.map(({ node, tip, nonces, blocks = [] }) => ({ node, tip, nonces, blocks }))
  const best = bestTipOf(shown, asked)
  const evidence = all.map((each) => ({ ...each, pooled: each.pooled.filter((command) => !best.isOver(command)) }))
  return { evidence, best, found: transactionState(hash, terms, evidence) }
}

/**
 * The nodes' evidence. If the blocks decide, one node is enough. A command in a pool needs the others: one of them may
 * have it in a block. If no answer at the best tip shows its fee payer's nonce, that is asked for.
 *
 * @throws WireError if nothing at the best tip shows that nonce
 */
async function look(input: Input, chain: ChainView): Promise<Sight> {
  const { terms } = input
  const isEnough = (answers: readonly AnsweredAtTip<Data>[]) => {
    const all = answers.map((answer) => seenAt(answer, terms, chain))
    const { found } = sightOf(input, all)
    return found.state === 'included' || found.state === 'replaced' || found.state === 'expired'
  }
  const [operation, pools, variables] = operationsFor(input)
  const listing = (maxLength: number) => ({ operation, variables: { ...variables, maxLength } })
  const repeat = { operation: pools, variables }
  let mayList = maxRereadBlocks
  /** The new blocks, and the one below them, which shows that they are of one chain. */
  const rereading = (behind: number) => {
    const maxLength = Math.min(mayList, Math.max(rereadBlocks, behind + 1))
    mayList -= maxLength
    return maxLength > 0 ? listing(maxLength) : undefined
  }
  const question = { ...listing(searchedBlocks), repeat, rereading, isEnough }
  const all = seenInAll(await askAll(chain, question), terms, chain)
  const sight = sightOf(input, all)
  if (sight.found.state !== 'pending' || sight.best.isChecked(sight.found.shown)) return sight

  const payers = [sight.found.shown.from, ...(terms === undefined ? [] : [terms.from])]
  const { answers: asked, error } = await askPayers(payers, sight.best, chain, 1)
  if (asked.length === 0) {
    throw error ?? nodeBusy('nothing at the best tip shows whether the command still waits')
  }
  const ofAsked = asked.map(({ node, tip, nonces }): Seen => {
    const nonce = terms && nonces.get(terms.from)
    const ofTip = { node, nonce, nonces, isAtTip: true, tip }
    return { ...ofTip, blocks: undefined, pooled: [], isShort: false }
  })
  const atTip = (each: Seen): Seen => ({ ...each, isAtTip: !chain.isStaleHeight(each.tip.height) })
  return sightOf(input, [...all, ...ofAsked].map(atTip), asked)
}

/** The places that were searched, by the answers that count. */
function searchedBy({ hash, terms }: Input, evidence: readonly Seen[]): Omit<Searched, 'indexer'> {
  const atTip = readAtTip(evidence)
  const all = evidence.filter((each): each is Seen & TipEvidence => each.blocks !== undefined)
  const read = (atTip.length > 0 ? atTip : all).map(({ blocks }) => blocks)
  return {
    pool: !isOld(hash) || terms !== undefined,
    fromHeight: Math.max(...read.map(([oldest]) => oldest.height)),
    toHeight: Math.max(...read.map((blocks) => tipOf(blocks).height)),
    nodes: new Set(evidence.map(({ node }) => node)).size,
  }
}

/**
 * The tip of the answer: of the node that shows the block, of the one that shows that the command waits, or else of one
 * at the greatest height.
 */
function countedFrom({ found, evidence, best }: Sight): Tip | undefined {
  if (found.state === 'pending') return best.answers[0]?.tip
  const read = evidence.filter((each): each is Seen & TipEvidence => each.blocks !== undefined)
  const stateHash = found.state === 'included' || found.state === 'replaced' ? found.block.stateHash : undefined
  const holder = read.find(({ isAtTip, blocks }) => isAtTip && blocks.some((block) => block.stateHash === stateHash))
  const highest = read.toSorted((left, right) => right.tip.height - left.tip.height)[0]
  return (holder ?? read.find(({ isAtTip }) => isAtTip) ?? highest)?.tip
}

/** GET /transactions/{hash}: whether a command was included, still can be, or never will be. */
export const getTransaction: Endpoint<typeof getTransactionContract, Input> = {
  name: 'getTransaction',
  method: 'GET',
  path: '/transactions/{hash}',
  tag: 'transactions',
  summary: 'The fate of a command by its hash',
  isCostly: true,
  caching: { 200: caching, 404: { missing: current }, '5xx': { failure: failureCaching } },
  operations: [
    ...[commandByHash, latestCommands, commandByTerms, commandsOfSender],
    ...[poolByHash, poolByTerms, poolOfSender, nodeTipQuery, payerNonces],
    ...indexedTransactionOperations,
  ],
  identifier: { parameter: 'hash', forms: [transactionHashForm, oldTransactionHashForm], unknown: noTransaction },

  query: queryReader(
    transactionQuery,
    { key: keyOption, number: numberOption, nanomina: nanominaOption, memo: memoOption },
    absenceFaults,
  ),

  input: ({ path: { hash }, query }) => (isTransactionHash(hash) ? { hash, terms: termsOf(query) } : undefined),

  async run(input, chain) {
    const { hash, terms } = input
    const sight = await look(input, chain)
    const { evidence, found } = sight
    const tip = countedFrom(sight)
    const searched = searchedBy(input, evidence)
    const hinted = terms?.content === undefined ? { hint: isOld(hash) ? hints.old : hints.current } : {}
    const answer = ({ cutFields = [], ...fate }: TransactionFate, indexer: boolean) => {
      const ofAbsent = fate.state === 'absent' ? hinted : {}
      const others = { ...ofAbsent, ...termsBody(terms), searched: { ...searched, indexer } }
      const shown = {
        status: 200 as const,
        body: { transaction: { hash, ...fate, ...others } },
        tip,
        caching: fate.final ? caching.final : fate.state === 'included' ? caching.included : caching.open,
      }
      const lacking = [...cutFields.map((field) => `command.${field}`), ...cutTermsOf(terms)]
      return withMissingFields(shown, lasting(lacking), shown.caching)
    }
    const fate = fateFromNodes(hash, found)
    const isShown = found.state === 'included' || found.state === 'pending'
    if (fate !== undefined && (isShown || (fate.state !== 'absent' && chain.indexers.length === 0))) {
      return answer(fate, false)
    }

    const best = evidence.find((each): each is Seen & TipEvidence => each.isAtTip && each.blocks !== undefined)
    if (best === undefined || (fate === undefined && (best.isShort || isTipUnread(evidence)))) {
      if (fate !== undefined) return answer(fate, false)
      throw nodeBusy('the nodes that answer lie behind a height that was seen, or disagree')
    }
    const isNonceOpen = found.state === 'absent' && found.sending === 'nonce-used' && found.by === undefined
    const [oldest] = best.blocks
    const { fromHeight } = searched
    const question = { hash, terms, isNonceOpen, fromHeight, oldest, tip: best.tip }
    const indexed = await indexedTransaction(question, chain)
    // Without a pin, the first listed node decides which network it is, and may have answered only now.
    if (!areOfNetwork(chain, evidence)) throw nodeBusy('the nodes that answered are of another network')
    if (indexed.state === 'held') return answer(fateOfHeld(hash, indexed), true)
    if (indexed.state === 'deep') return answer(fateFromIndexer(hash, indexed), true)
    const isIndexed = indexed.state === 'none' && chain.indexers.length > 0
    // The terms may be wrong: what the indexer knows by the hash comes before a lasting fate.
    if (fate !== undefined) return answer(isIndexed || fate.state === 'absent' ? fate : undecided(found), isIndexed)
    if (indexed.state === 'unknown') throw indexed.error
    const body = { message, ...hinted, searched: { ...searched, indexer: isIndexed } }
    return { status: 404, body, caching: current, tip }
  },
}
