// Decides which answers are right for an account's history. A page is right if the upstreams described its whole stretch of
// the chain and it lists every command there; an error is right if an upstream's answer excuses it.
import type { Exchange } from '../../setting/fault-server.ts'
import type { AskedHistory } from '../../setting/histories.ts'
import { isUntouched, type Right, statuses } from '../rights/right.ts'
import { type Entry, newestFirst } from './entries.ts'
import { type Block, type Said, type Stretch, saidBy } from './said.ts'

/** Longest cache time in seconds: `final` for a page below a final block, `recent` for any other. */
const maxSeconds = { final: 86_400, recent: 5 }

/** A stretch that begins at the tip, or directly below the cursor. */
interface Covered extends Stretch {
  /** Height of the chain's first block, if the stretch reaches it. */
  readonly bottom?: bigint
  readonly isIndexed?: true
}

/** Extends a stretch downward by the indexer's rows below this block. */
function extended(covered: Covered, under: Block, { settled, readings }: Said): Covered {
  if (covered.bottom !== undefined || settled === undefined) return covered
  let lower = covered
  for (const { under: anchor, earliest, entries, ...reading } of readings) {
    if (anchor.height !== under.height) continue
    if (earliest === undefined || earliest >= covered.from) return { ...covered, bottom: covered.from }
    const isJoined = anchor.stateHash === under.stateHash && under.height <= settled && reading.below >= lower.from
    if (!isJoined || entries === undefined || reading.from >= lower.from) continue
    const isBelow = ({ height }: Block) => height < lower.from
    lower = {
      ...{ from: reading.from, isIndexed: true, ...(reading.from <= earliest && { bottom: earliest }) },
      entries: [...lower.entries, ...entries.filter(isBelow)],
      blocks: [...lower.blocks, ...reading.blocks.filter(isBelow)],
    }
  }
  return lower
}

/** The stretch that the node's blocks cover; undefined if the cursor's block is not among them. */
function coveredByNode({ ofNode }: Said, before: Block | undefined): Covered | undefined {
  if (ofNode === undefined) return undefined
  const isShown = ({ height, stateHash }: Block) => height === before?.height && stateHash === before.stateHash
  if (before !== undefined && !ofNode.blocks.some(isShown)) return undefined
  const isBelow = ({ height }: Block) => before === undefined || height < before.height
  return {
    ...ofNode,
    entries: ofNode.entries.filter(isBelow),
    blocks: ofNode.blocks.filter(isBelow),
    ...(ofNode.from <= 1n && { bottom: ofNode.from }),
  }
}

/** The stretch that the indexer's rows below the cursor cover. */
function coveredByIndexer(said: Said, before: Block | undefined): Covered | undefined {
  if (before === undefined) return undefined
  const covered = extended({ from: before.height, entries: [], blocks: [] }, before, said)
  return covered.isIndexed && covered
}

/** The blocks that may be a page's last; `undefined` means the chain ends there. Empty if the page needs a longer stretch. */
function endsOf(covered: Covered, given: readonly Entry[], limit: number): readonly (Block | undefined)[] {
  const last = given.at(-1)
  if (last !== undefined && given.length < covered.entries.length) return [last]
  if (covered.bottom !== undefined) return [undefined]
  const lowest = covered.blocks.toSorted((left, right) => Number(left.height - right.height))[0]
  if (given.length < limit) return covered.isIndexed && lowest !== undefined ? [lowest] : []
  return [last, lowest].filter((end) => end !== undefined)
}

function pagesOver(covered: Covered, { limit, before }: AskedHistory, said: Said): readonly Right[] {
  const { tipHeight = 0n, k, finalHeight = -1n, pending } = said
  const entries = newestFirst(covered.entries)
  const cut = entries[limit - 1]
  const given = cut === undefined ? entries : entries.filter(({ height }) => height >= cut.height)
  const hashes = new Set(given.map(({ hash }) => hash))
  const confirmed = ({ height, item }: Entry) => {
    const depth = tipHeight - height
    // A final block keeps k confirmations, so that caches may keep its page.
    if (height <= finalHeight) return { ...item, confirmations: k ?? depth, final: true }
    return { ...item, confirmations: k !== undefined && k < depth ? k : depth }
  }
  const isFirst = before === undefined
  const all = isFirst ? pending.filter(({ command }) => !hashes.has(command.hash)) : []
  const waiting = all.slice(0, 100)
  const isFinal = before !== undefined && BigInt(before.height) <= finalHeight
  return endsOf(covered, given, limit).map((end) => ({
    status: 200,
    body: {
      transactions: given.map(confirmed),
      ...(isFirst && { pending: waiting.map(({ command }) => ({ command })) }),
      ...(all.length > 100 && { pendingCount: all.length }),
      searched: {
        pool: isFirst,
        fromHeight: end?.height ?? covered.bottom,
        toHeight: isFirst ? tipHeight : BigInt(before.height) - 1n,
        nodes: 1n,
        indexer: said.settled !== undefined,
      },
      ...(end !== undefined && { next: `${end.height}-${end.stateHash}` }),
    },
    missing: [
      ...new Set(given.flatMap(({ missing }) => missing)),
      ...(waiting.some(({ isCut }) => isCut) ? ['pending.command.balanceChanges'] : []),
    ],
    isLasting: true,
    maxSeconds: isFinal ? maxSeconds.final : maxSeconds.recent,
  }))
}

/** A 409 if the chain has another block at the cursor's height. An upstream that is behind cannot show this. */
function replaced({ ofNode, readings, settled = -1n, isBehind }: Said, before: Block): readonly Right[] {
  const isOther = ({ height, stateHash }: Partial<Block>) =>
    height === before.height && stateHash !== undefined && stateHash !== before.stateHash
  const isOtherByNode = !isBehind && ofNode?.blocks.some(isOther)
  const isOtherByIndexer = before.height <= settled && readings.some(({ under }) => isOther(under))
  return isOtherByNode || isOtherByIndexer ? statuses(409) : []
}

function rightsFor(said: Said, asked: AskedHistory): readonly Right[] {
  const { tipHeight, ofNode, excuses } = said
  const before = asked.before && { ...asked.before, height: BigInt(asked.before.height) }
  if (tipHeight === undefined) return statuses(...excuses.node)
  const byNode = coveredByNode(said, before)
  const byIndexer = coveredByIndexer(said, before)
  const alone = byNode === undefined ? [] : pagesOver(byNode, asked, said)
  const joined = byNode && ofNode && alone.length === 0 ? [extended(byNode, ofNode.parent, said)] : []
  const pages = [...joined, ...(byIndexer ? [byIndexer] : [])].flatMap((covered) => pagesOver(covered, asked, said))
  const answers = [...alone, ...pages, ...(before ? replaced(said, before) : [])]
  // A page from the node's blocks alone does not need the indexer.
  const errors = statuses(...excuses.node, ...(alone.length > 0 ? [] : excuses.indexer))
  const isNothingShown = answers.length === 0 && excuses.node.length === 0
  return [...answers, ...errors, ...(isNothingShown ? statuses(503) : [])]
}

/** If no answer of an upstream was spoilt, only the scenario's own status is right. */
export function rightHistory(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[],
  asked: AskedHistory,
): readonly Right[] {
  const rights = [true, false].flatMap((believesDoubtful) =>
    rightsFor(saidBy(exchanges, earlier, asked, believesDoubtful), asked),
  )
  return isUntouched([...earlier, ...exchanges]) ? rights.filter(({ status }) => status === asked.status) : rights
}
