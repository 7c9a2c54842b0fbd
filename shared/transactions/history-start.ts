// The first answers of node and indexers to a question for an account's history.
import { type NodeChain, nodeChainFrom, nodeChainOf } from '../chain/actions/node-run.ts'
import { askSample } from '../chain/actions/sample.ts'
import type { ChainView } from '../chain/port.ts'
import type { CursorBlock } from '../contract/forms.ts'
import { type CommandSource, commandSources, countedCommands } from '../indexer/account-commands.ts'
import type { ChainSources } from '../indexer/chain-source.ts'
import { queryIndexer } from '../indexer/indexed.ts'
import { askEvery } from '../indexer/responsible-indexers.ts'
import { nonEmptyChain } from '../upstream/node-query.ts'
import type { BareCommand } from './bare-commands.ts'
import { type HistoryBlock, latestCount, latestHistory } from './history-blocks.ts'
import { pendingIn } from './pending-commands.ts'

export interface HistoryQuestion {
  readonly publicKey: string
  readonly limit: number
  /** The cursor; without it the page begins at the tip. */
  readonly before: CursorBlock | undefined
}

export interface HistoryStart {
  readonly nodeChain: NodeChain
  /** The end of the best chain, the tip last; empty for a page below a cursor. */
  readonly latest: readonly HistoryBlock[]
  /** The commands that wait in the node's pool; undefined for a page below a cursor. */
  readonly pending: readonly BareCommand[] | undefined
  readonly sources: ChainSources<CommandSource>
}

async function askNode({ publicKey, before }: HistoryQuestion, chain: ChainView) {
  if (before === undefined) {
    // An answer with an account that the first one lacked shows its tip alone: the walk reads on from there.
    const whole = { publicKey, maxLength: latestCount }
    const answered = await askSample(chain, latestHistory, whole, { ...whole, maxLength: 1 })
    const latest = nonEmptyChain(answered.data.bestChain)
    return { nodeChain: nodeChainOf(answered), latest, pending: pendingIn(answered.data) }
  }
  const nodeChain = await nodeChainFrom(before, chain)
  return { nodeChain, latest: [], pending: undefined }
}

/**
 * Asks the node and every indexer at once.
 *
 * @throws WireError when the node does not answer; `busy` for a cursor above its tip
 */
export async function historyStart(question: HistoryQuestion, chain: ChainView): Promise<HistoryStart> {
  const shownByNode = askNode(question, chain)
  const counted = askEvery(chain, (each) => queryIndexer(each, countedCommands, { publicKey: question.publicKey }))
  const shown = await shownByNode
  return { ...shown, sources: await commandSources(counted, shown.nodeChain.tip) }
}
