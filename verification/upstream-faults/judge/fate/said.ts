// The facts that the upstreams stated about one command: blocks, pools, ledger, tips and depth, whichever question an answer
// belongs to. An answer that breaks its promise or contradicts itself states nothing; it excuses an error.
import { at } from '../../exact-json.ts'
import type { AskedTransaction } from '../../setting/fates.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { greatestTipHeight, isGapless, tipIn } from '../bodies/best-chain.ts'
import { hasConsistentCommands, heightOf } from '../bodies/block-bodies.ts'
import { isConsistent, pendingCommand } from '../bodies/commands.ts'
import { commandOf, isZkapp as isIndexedZkapp, zkappCommandOf } from '../bodies/old-block-body.ts'
import { bareZkapp, isCut, reasonOf } from '../bodies/zkapp-commands.ts'
import { lacksConstantsOnly, shown } from '../rights/right.ts'
import { isContradictory } from '../rights/right-old-block.ts'
import { digitsOf } from '../sent/scalars.ts'
import { sentIn } from '../sent/sent.ts'
import { flag, integer, isoTime, list, text } from '../sent/values.ts'

/** A command with the hash of the question, or with its sender and nonce. */
export interface Sighting {
  readonly hash: string
  /** `open`: the terms do not tell it from the command of the question, or who shows it may err about its content. */
  readonly likeness: 'same' | 'other' | 'open'
  /** Undefined in a pool. */
  readonly block?: { readonly stateHash: string; readonly blockHeight: bigint; readonly dateTime: string }
  /** `list`: the node's latest blocks; `height`: the node's block at a height; `indexer`: nobody else has the block. */
  readonly by: 'list' | 'pool' | 'height' | 'indexer'
  /** In the contract's shape. */
  readonly shown: { readonly status: string; readonly failureReason?: string; readonly command: object }
  /** The contract cannot show all that it declares. */
  readonly isCut: boolean
}

export interface Said {
  readonly sightings: readonly Sighting[]
  /** The latest blocks of the best chain, oldest first; empty if no answer lists them. */
  readonly blocks: readonly unknown[]
  readonly isPoolAsked: boolean
  /** The nonces that the sender's commands in the pool have. */
  readonly queued: ReadonlySet<string>
  /** The sender's in the ledger of the tip; null without an account, undefined if none was asked for. */
  readonly ledgerNonce: bigint | null | undefined
  readonly indexerTip: bigint | undefined
  /** True if the indexer has every block that the node may have forgotten or may still replace. */
  readonly isIndexerWhole: boolean
  /** It calls a block canonical that the node shows, ten or more below its own tip. */
  readonly isIndexerOnChain: boolean
  readonly k: bigint | undefined
  /** The node showed two tips or two ledgers, or a greater height before. */
  readonly isUnsteady: boolean
  /** The error statuses that each upstream's answers make right. */
  readonly excuses: Readonly<Record<'node' | 'indexer', readonly number[]>>
}

/** So many blocks at the end of an indexer's chain may be abandoned ones. */
const maxAbandoned = 10n

const payerOf = (zkapp: unknown): unknown => at(zkapp, 'zkappCommand', 'feePayer', 'body')
const isZkapp = (command: unknown): boolean => payerOf(command) !== undefined
const senderOf = (command: unknown): unknown => at(payerOf(command), 'publicKey') ?? at(command, 'from')
const nonceOf = (command: unknown): string | undefined =>
  digitsOf(at(payerOf(command), 'nonce') ?? at(command, 'nonce'))

const byHashFields = ['userCommandsByHash', 'zkappCommandsByHash', 'byHash'] as const
const bySenderFields = ['pooledUserCommands', 'pooledZkappCommands'] as const
const poolFields = ['userCommandsByHash', 'zkappCommandsByHash', ...bySenderFields] as const

const listsIn = (data: unknown, keys: readonly string[]): readonly unknown[] => keys.flatMap((key) => list(data, key))

const commandsOf = (block: unknown): readonly unknown[] =>
  ['userCommands', 'zkappCommands'].flatMap((key) => list(block, 'transactions', key))

/** True for a command with all terms of the question; undefined where they leave it open. */
function hasContent(command: unknown, terms: NonNullable<AskedTransaction['terms']>): boolean | undefined {
  if (terms.to === undefined) return undefined
  const texts = (['to', 'memo'] as const).every((key) => at(command, key) === terms[key])
  if (isZkapp(command) || !texts || digitsOf(at(command, 'fee')) !== terms.fee) return false
  const isPayment = at(command, 'kind') === 'PAYMENT'
  if (terms.amount !== undefined && (!isPayment || digitsOf(at(command, 'amount')) !== terms.amount)) return false
  if (terms.amount === undefined && at(command, 'kind') !== 'STAKE_DELEGATION') return undefined
  return digitsOf(at(command, 'validUntil')) === terms.valid_until || undefined
}

/** Undefined for a command that has nothing to do with the question. */
function likenessOf(command: unknown, { hash, terms }: AskedTransaction): Sighting['likeness'] | undefined {
  if (at(command, 'hash') === hash) return 'same'
  if (terms === undefined || senderOf(command) !== terms.from || nonceOf(command) !== terms.nonce) return undefined
  const isSame = hasContent(command, terms)
  return isSame === undefined ? 'open' : isSame ? 'same' : 'other'
}

const endOf = (reason: unknown) =>
  typeof reason === 'string' ? { status: 'failed', failureReason: reason } : { status: 'applied' }

const bodyOf = (command: unknown): Sighting['shown'] => ({
  ...endOf(isZkapp(command) ? reasonOf(command) : at(command, 'failureReason')),
  command: isZkapp(command) ? bareZkapp(command) : pendingCommand(command),
})

/** The indexer's command as a node would send it; its id is unknown. */
function indexedBodyOf(row: unknown): Sighting['shown'] {
  const end = endOf(at(row, 'failureReason'))
  if (isIndexedZkapp(row)) return { ...end, command: bareZkapp(zkappCommandOf(row)) }
  const { id: _, ...command } = pendingCommand(commandOf(row))
  return { ...end, command }
}

/** An indexer's texts may be wrong, so that a memo proves another command as little as an amount that was not given. */
function indexedLikenessOf(row: unknown, { hash, terms }: AskedTransaction): Sighting['likeness'] {
  if (at(row, 'hash') === hash) return 'same'
  if (terms?.to === undefined) return 'open'
  if (isIndexedZkapp(row)) return 'other'
  const command = { ...commandOf(row), validUntil: terms.valid_until }
  const isSame = hasContent(command, terms)
  if (isSame !== false) return isSame === true ? 'same' : 'open'
  return hasContent({ ...command, memo: terms.memo }, terms) === false ? 'other' : 'open'
}

const blockOf = (block: unknown): NonNullable<Sighting['block']> => ({
  stateHash: text(block, 'stateHash'),
  blockHeight: heightOf(block),
  dateTime: isoTime(integer(block, 'protocolState', 'blockchainState', 'date')),
})

const hasCommands = (block: unknown): boolean => at(block, 'transactions') !== undefined

/** True if the parts of a node's answer do not fit each other or the question. */
function contradictsItself(data: unknown, { variables }: Exchange, { hash, terms }: AskedTransaction): boolean {
  const [chain, block, account] = [list(data, 'bestChain'), at(data, 'block'), at(data, 'account') ?? null]
  const isOwnAccount = at(account, 'publicKey') === terms?.from && at(account, 'nonce') !== null
  return (
    !isGapless(chain) ||
    [...chain, ...(block === undefined ? [] : [block])].some((one) => !hasConsistentCommands(one)) ||
    (block !== undefined && String(heightOf(block)) !== String(variables.height)) ||
    listsIn(data, poolFields).some((command) => !isZkapp(command) && !isConsistent(command)) ||
    listsIn(data, byHashFields).some((command) => at(command, 'hash') !== hash) ||
    listsIn(data, bySenderFields).some((command) => senderOf(command) !== terms?.from) ||
    (account !== null && !isOwnAccount)
  )
}

/** True if a row of an indexer's answer answers something else, or contradicts itself. */
function isStray(data: unknown, { variables }: Exchange, { hash, terms }: AskedTransaction): boolean {
  const [byHash, byNonce] = [list(data, 'byHash'), list(data, 'byNonce')]
  const isOther = (row: unknown) => at(row, 'sender') !== terms?.from || digitsOf(at(row, 'nonce')) !== terms?.nonce
  return (
    (at(data, 'proof', 'stateHash') ?? variables.proof) !== variables.proof ||
    [...byHash, ...byNonce].some((row) => !flag(row, 'canonical') || isContradictory(row)) ||
    byHash.some((row) => at(row, 'hash') !== hash) ||
    byNonce.some(isOther)
  )
}

/** A node without a frontier shows nothing of the chain, but still the network's constants. */
const ofNetworkIn = (data: unknown): unknown => {
  const [daemonStatus, genesisBlock] = [at(data, 'daemonStatus'), at(data, 'genesisBlock')]
  return daemonStatus === undefined ? undefined : { daemonStatus, genesisBlock }
}

interface Answer {
  readonly exchange: Exchange
  /** Undefined for an answer that states nothing. */
  readonly data: unknown
  readonly excuses: readonly number[]
  readonly isDoubtful?: true
  /** The node says that it does not have the block. */
  readonly isMissing?: true
}

function answerOf(exchange: Exchange, asked: AskedTransaction): Answer {
  const sent = sentIn(exchange)
  const nothing = (...excuses: readonly number[]): Answer => ({ exchange, data: undefined, excuses })
  if (sent.state === 'trouble') return nothing(...sent.statuses)
  if (sent.state === 'not-found') return { ...nothing(...sent.statuses), isMissing: true }
  const { data, findings } = sent
  const lacksK = lacksConstantsOnly(findings.broken)
  if (findings.broken.length > 0 && !lacksK) return nothing(502)
  if (exchange.upstream === 'indexer') {
    if (isStray(data, exchange, asked) || at(data, 'tip') === null) return nothing()
  } else {
    if (at(data, 'bestChain') !== undefined && tipIn(data) === undefined) {
      return { exchange, data: ofNetworkIn(data), excuses: [503] }
    }
    if (contradictsItself(data, exchange, asked)) return nothing(502)
  }
  if (findings.doubtful.length === 0 && !lacksK) return { exchange, data, excuses: [] }
  return { exchange, data, excuses: [502, 503], isDoubtful: true }
}

/** @param believesDoubtful true if an indexer's answer counts although it holds values that no real indexer sends */
export function saidBy(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  asked: AskedTransaction,
  believesDoubtful: boolean,
): Said {
  const answers = exchanges.map((exchange) => answerOf(exchange, asked))
  const ofNode = answers.filter(({ exchange }) => exchange.upstream === 'node')
  const ofIndexer = answers.filter(({ exchange }) => exchange.upstream === 'indexer')
  const datas = ofNode.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const excuses = { node: ofNode.flatMap((answer) => answer.excuses), indexer: [] as number[] }

  const blocks = datas.map((data) => list(data, 'bestChain')).findLast((chain) => chain.some(hasCommands)) ?? []
  const nodeTip = blocks.length === 0 ? 0n : heightOf(blocks.at(-1))
  const tipHashes = datas
    .filter((data) => tipIn(data) !== undefined && at(data, 'block') === undefined)
    .map((data) => at(tipIn(data), 'stateHash'))
  const accounts = datas.map((data) => at(data, 'account')).filter((account) => account !== undefined)
  const nonces = accounts.map((account) => (account === null ? null : integer(account, 'nonce')))
  const isUnsteady =
    new Set(tipHashes).size > 1 || new Set(nonces).size > 1 || greatestTipHeight([...earlier, ...exchanges]) > nodeTip
  if (isUnsteady) excuses.node.push(503)

  /** A command that the contract cannot represent makes an error right. */
  const sighted = (make: () => readonly Sighting[], side: 'node' | 'indexer'): readonly Sighting[] => {
    const made = shown(make)
    if (made === undefined) excuses[side].push(502, 503)
    return made ?? []
  }
  const seen = (command: unknown, by: Sighting['by'], block?: unknown): readonly Sighting[] => {
    const likeness = likenessOf(command, asked)
    if (likeness === undefined) return []
    return sighted(() => {
      const place = block === undefined ? {} : { block: blockOf(block) }
      const shows = { shown: bodyOf(command), isCut: isZkapp(command) && isCut(command) }
      return [{ hash: text(command, 'hash'), likeness, ...place, by, ...shows }]
    }, 'node')
  }
  const inBlocks = blocks.flatMap((block) => commandsOf(block).flatMap((command) => seen(command, 'list', block)))
  const pooled = datas.flatMap((data) => listsIn(data, poolFields))
  const inPools = pooled.flatMap((command) => seen(command, 'pool'))
  const atHeights = datas.filter((data) => hasCommands(at(data, 'block')))
  const isBehind = (data: unknown) => tipIn(data) === undefined || heightOf(tipIn(data)) < nodeTip
  if (atHeights.some(isBehind)) excuses.node.push(503)
  const canonical = atHeights.filter((data) => !isBehind(data)).map((data) => at(data, 'block'))
  const inHeld = canonical.flatMap((block) => commandsOf(block).flatMap((command) => seen(command, 'height', block)))

  const genesis = datas.find((data) => at(data, 'daemonStatus') !== undefined)
  const k = digitsOf(at(genesis, 'daemonStatus', 'consensusConfiguration', 'k'))
  const ownGenesis = datas.map((data) => at(data, 'genesisBlock', 'stateHash')).find((hash) => hash !== undefined)
  const indexed = ofIndexer
    .filter(({ isDoubtful }) => !isDoubtful || believesDoubtful)
    .map(({ data }) => data)
    .find((data) => data !== undefined && at(data, 'tip', 'genesisStateHash') === ownGenesis)
  const indexerTip = indexed === undefined ? undefined : integer(indexed, 'tip', 'blockHeight')
  const oldest = blocks.length === 0 ? 0n : heightOf(blocks[0])
  const needed = oldest + maxAbandoned < nodeTip ? oldest + maxAbandoned : nodeTip
  const isSettled = indexerTip !== undefined && indexerTip - maxAbandoned >= oldest
  const isIndexerOnChain = isSettled && at(indexed, 'proof', 'canonical') === true
  const isElsewhere = isSettled && !isIndexerOnChain
  const isIndexerWhole = indexerTip !== undefined && indexerTip >= needed && !isElsewhere
  // Without terms only a whole search is an answer.
  if (!isIndexerWhole && asked.terms === undefined && ofIndexer.length > 0) excuses.indexer.push(503)

  /** True if the node says that it does not have a block there. */
  const isForgotten = (height: bigint) =>
    ofNode.some(({ isMissing, exchange }) => isMissing && String(exchange.variables.height) === String(height))
  const inDeep = listsIn(indexed, ['byHash', 'byNonce'])
    .slice(0, 1)
    .flatMap((row): readonly Sighting[] => {
      const height = integer(row, 'blockHeight')
      const own = canonical.find((block) => heightOf(block) === height)
      const isHash = at(row, 'hash') === asked.hash
      if (own !== undefined) {
        const isSame = at(own, 'stateHash') === at(row, 'block', 'stateHash')
        if (!isSame || !commandsOf(own).some((command) => likenessOf(command, asked))) excuses.indexer.push(502, 503)
        return []
      }
      const isProven = isForgotten(height) && k !== undefined && (indexerTip ?? 0n) - height >= BigInt(k)
      if (!isProven || isElsewhere) {
        if (isHash || height > nodeTip) excuses.indexer.push(503)
        return []
      }
      const place = () => {
        const dateTime = new Date(text(row, 'block', 'dateTime')).toISOString()
        return { stateHash: text(row, 'block', 'stateHash'), blockHeight: height, dateTime }
      }
      return sighted(() => {
        const likeness = indexedLikenessOf(row, asked)
        // On another branch, another command may have used the nonce.
        if (likeness !== 'same' && !isIndexerOnChain) return []
        const shows = { shown: indexedBodyOf(row), isCut: isIndexedZkapp(row) && isCut(zkappCommandOf(row)) }
        return [{ hash: text(row, 'hash'), likeness, block: place(), by: 'indexer', ...shows }]
      }, 'indexer')
    })

  return {
    sightings: [...inBlocks, ...inPools, ...inHeld, ...inDeep],
    blocks,
    isPoolAsked: datas.some((data) => poolFields.some((field) => at(data, field) !== undefined)),
    queued: new Set(
      pooled.filter((command) => senderOf(command) === asked.terms?.from).map((command) => nonceOf(command) ?? ''),
    ),
    ledgerNonce: nonces[0],
    indexerTip,
    isIndexerWhole,
    isIndexerOnChain,
    k: k === undefined ? undefined : BigInt(k),
    isUnsteady,
    excuses,
  }
}
