// What each answer of a standing chain must say, by the label that it bears: its tip, and the blocks below that.
import type { ChainBlock } from '../../testnet/block.ts'
import type { Chain } from '../../testnet/chain.ts'
import { type Command, encodeMemo } from '../../testnet/command.ts'

export interface ServiceAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** `old`: true at its label, which is not the best tip. */
export type Verdict = 'right' | 'old' | 'unavailable' | { readonly wrong: string }

export interface Truth {
  readonly chain: Chain
  readonly stopped: Chain
  /** Every block that either of them has. */
  readonly blocks: ReadonlyMap<string, ChainBlock>
  /** Behind one address nothing shows that the good daemon's pool was asked: one that waits there may be missing. */
  readonly knowsAllPools: boolean
}

export const truthOf = (chain: Chain, stopped: Chain, knowsAllPools: boolean): Truth => ({
  ...{ chain, stopped, knowsAllPools },
  blocks: new Map([...stopped.allBlocks(), ...chain.allBlocks()].map((block) => [block.stateHash, block])),
})

const wrong = (why: string): Verdict => ({ wrong: why })

const holds = (block: ChainBlock, hash: string) => block.userCommands.some(({ command }) => command.hash === hash)

/** The chain below a tip, by height. */
function below({ blocks }: Truth, tip: string): ReadonlyMap<number, ChainBlock> {
  const found = new Map<number, ChainBlock>()
  for (let block = blocks.get(tip); block !== undefined; block = blocks.get(block.previousStateHash)) {
    found.set(block.height, block)
  }
  return found
}

/** Judges an answer by its label, and what has none by the best chain. */
function judged(
  truth: Truth,
  { status, headers }: ServiceAnswer,
  judge: (chain: ReadonlyMap<number, ChainBlock>, tip: ChainBlock) => string | undefined,
): Verdict {
  if (status === 503) return 'unavailable'
  const label = headers.get('x-chain-state-hash')
  const best = truth.chain.tip()
  const tip = label === null ? best : truth.blocks.get(label)
  if (tip === undefined) return wrong(`the label ${label} is of no block`)
  const why = judge(below(truth, tip.stateHash), tip)
  if (why !== undefined) return wrong(why)
  return tip === best ? 'right' : 'old'
}

interface Searched {
  readonly fromHeight: number
  readonly toHeight: number
}

interface Fate {
  /** Of a 404. */
  readonly searched?: Searched
  readonly transaction?: {
    readonly searched: Searched
    readonly state: string
    readonly block?: { readonly stateHash: string }
    readonly confirmations?: number
    readonly final?: boolean
    readonly sending?: string
  }
}

export const fatePath = ({ hash, from, nonce, validUntil, to, fee, memo, amount }: Command, withTerms: boolean) =>
  withTerms
    ? `/transactions/${hash}?from=${from}&nonce=${nonce}&valid_until=${validUntil}&to=${to}&fee=${fee}&memo=${encodeMemo(memo)}&amount=${amount}`
    : `/transactions/${hash}`

export const judgeFate = (truth: Truth, { hash, from, nonce }: Command, asked: ServiceAnswer): Verdict =>
  judged(truth, asked, (chain, tip) => {
    const { transaction, searched = transaction?.searched } = asked.body as Fate
    const own = [...chain.values()].find((block) => holds(block, hash))
    const rival = [...chain.values()].find(({ userCommands }) =>
      userCommands.some(({ command }) => command.from === from && command.nonce === nonce && command.hash !== hash),
    )
    const isWaiting = truth.chain.pool().some((each) => each.hash === hash)
    const state = asked.status === 404 ? 'absent' : transaction?.state
    const depth = own && tip.height - own.height
    switch (state) {
      case 'included':
        if (transaction?.block?.stateHash !== own?.stateHash) return 'included in another block'
        return transaction?.confirmations === depth || transaction?.final ? undefined : 'another depth'
      case 'replaced':
        return rival ? undefined : 'replaced by nothing'
      case 'pending':
        return own || rival ? `pending, while a block ${own ? 'holds it' : 'holds its rival'}` : undefined
      case 'absent':
        // That nodes disagree is no verdict.
        if (transaction?.sending === 'unknown') return undefined
        // An older block needs an indexer. The answer names those that were read.
        if (own && searched && own.height >= searched.fromHeight && own.height <= searched.toHeight) {
          return 'absent, while a searched block holds it'
        }
        return isWaiting && truth.knowsAllPools && tip === truth.chain.tip() ? 'absent, while it waits' : undefined
      default:
        return `HTTP ${asked.status} ${state}`
    }
  })

interface HistoryPage {
  readonly transactions: readonly {
    readonly command: { readonly hash: string }
    readonly block: { readonly stateHash: string; readonly blockHeight: number }
    readonly confirmations: number
    readonly final?: boolean
  }[]
  readonly pending?: readonly { readonly command: { readonly hash: string } }[]
  readonly searched: { readonly fromHeight: number; readonly toHeight: number }
  readonly next?: string
}

const blockOfCursor = (cursor: string | undefined): string | undefined => cursor?.split('-')[1]

/** A 409, or another refusal of a cursor. */
function refusalOf(
  chain: ReadonlyMap<number, ChainBlock>,
  { status }: ServiceAnswer,
  cursor: string | undefined,
): string | undefined {
  const named = blockOfCursor(cursor)
  if (status !== 409) return `HTTP ${status}`
  return named !== undefined && isIn(chain, named) ? '409 for a canonical cursor' : undefined
}

export const judgeHistory = (truth: Truth, key: string, cursor: string | undefined, asked: ServiceAnswer): Verdict =>
  judged(truth, asked, (chain, tip) => {
    if (asked.status !== 200) return refusalOf(chain, asked, cursor)
    const { transactions, pending = [], searched } = asked.body as HistoryPage
    const named = blockOfCursor(cursor)
    if (named !== undefined && !isIn(chain, named)) return 'a page below a block that its label does not have'
    const wanted: string[] = []
    for (const [height, block] of chain) {
      if (height < searched.fromHeight || height > searched.toHeight) continue
      for (const { command } of block.userCommands) {
        if (command.from === key || command.to === key) wanted.push(`${command.hash} ${block.stateHash}`)
      }
    }
    const shown = transactions.map(({ command, block }) => `${command.hash} ${block.stateHash}`)
    if ([...shown].sort().join() !== wanted.sort().join()) return 'other commands than the blocks hold'
    const isCounted = transactions.every(
      ({ block, confirmations, final }) => final || confirmations === tip.height - block.blockHeight,
    )
    if (!isCounted) return 'another depth'
    const isDone = pending.some(({ command }) => [...chain.values()].some((block) => holds(block, command.hash)))
    return isDone ? 'pending, while a block holds it' : undefined
  })

const isIn = (chain: ReadonlyMap<number, ChainBlock>, stateHash: string): boolean =>
  [...chain.values()].some((block) => block.stateHash === stateHash)

interface BlocksPage {
  readonly blocks: readonly {
    readonly blockHeight: number
    readonly stateHash: string
    readonly canonical?: boolean
  }[]
}

export const judgeBlocks = (truth: Truth, cursor: string, asked: ServiceAnswer): Verdict =>
  judged(truth, asked, (chain) => {
    if (asked.status !== 200) return refusalOf(chain, asked, cursor)
    const named = truth.blocks.get(blockOfCursor(cursor) ?? '')
    if (named === undefined || !isIn(chain, named.stateHash)) return 'a page below a block that its label does not have'
    const { blocks } = asked.body as BlocksPage
    const isChain = blocks.every(
      ({ stateHash, blockHeight, canonical }, index) =>
        blockHeight === named.height - 1 - index &&
        chain.get(blockHeight)?.stateHash === stateHash &&
        canonical !== false,
    )
    return isChain ? undefined : 'other blocks than those below the cursor'
  })

interface PoolPage {
  readonly count: number
  /** So many of them no node has compared with the best tip. */
  readonly unchecked?: number
  readonly commands: readonly { readonly hash: string; readonly from: string; readonly nonce: number }[]
}

export const judgePool = (truth: Truth, key: string | undefined, asked: ServiceAnswer): Verdict =>
  judged(truth, asked, (chain, tip) => {
    if (asked.status !== 200) return `HTTP ${asked.status}`
    const { commands, unchecked = 0 } = asked.body as PoolPage
    const isDone = ({ from, nonce }: PoolPage['commands'][number]) =>
      [...chain.values()].some(({ userCommands }) =>
        userCommands.some(({ command }) => command.from === from && command.nonce === nonce),
      )
    const done = commands.filter(isDone).length
    if (done > unchecked) return `${done} whose nonce a block has used, ${unchecked} unchecked`
    if (tip !== truth.chain.tip() || !truth.knowsAllPools) return undefined
    const shown = new Set(commands.map(({ hash }) => hash))
    const waiting = truth.chain.pool().filter(({ from, to }) => key === undefined || from === key || to === key)
    const missing = waiting.filter(({ hash }) => !shown.has(hash)).length
    return missing > 0 ? `${missing} missing that wait at the best tip` : undefined
  })
