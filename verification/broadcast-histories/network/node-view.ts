// A simulated node in the daemon's GraphQL shapes.
import { encodeMemo } from '../../../local/chain/command.ts'
import { minaToken } from '../../../local/chain/ledger/ledger.ts'
import { commandTexts } from '../../../local/chain/node/views.ts'
import type { HistoryCommand } from '../signed-command.ts'
import type { Block } from './block.ts'
import type { Network } from './network.ts'
import type { Node } from './node.ts'
import { NodeRefusal, type Resolver } from './node-answer.ts'
import { refusalWords } from './refusal-words.ts'

/** Only the order of the blocks' times matters here. */
const slotMs = 90_000

const tokenAccount = (publicKey: string) => ({ publicKey, token: minaToken, tokenId: minaToken })
const memos = new Map<string, string>()
const views = new WeakMap<HistoryCommand, object>()

function memoText(memo: string): string {
  const known = memos.get(memo) ?? encodeMemo(memo)
  memos.set(memo, known)
  return known
}

function commandView(command: HistoryCommand): object {
  const known = views.get(command)
  if (known !== undefined) return known
  const sender = tokenAccount(command.from)
  const receiver = tokenAccount(command.to)
  const view = {
    ...commandTexts(command),
    id: command.id,
    source: sender,
    receiver,
    feePayer: sender,
    memo: memoText(command.memo),
    fromAccount: sender,
    toAccount: receiver,
    failureReason: null,
  }
  views.set(command, view)
  return view
}

const blockView = ({ stateHash, height, commands }: Block) => ({
  stateHash,
  protocolState: {
    blockchainState: { date: String(height * slotMs) },
    consensusState: { blockHeight: String(height), blockchainLength: String(height) },
  },
  transactions: { userCommands: commands.map(commandView) },
  commandTransactionCount: commands.length,
})

function accountView(node: Node, publicKey: string): object | null {
  const account = node.account(publicKey)
  if (account === undefined) return null
  const balance = String(account.balance)
  return {
    ...tokenAccount(publicKey),
    nonce: String(account.nonce),
    inferredNonce: String(node.inferredNonce(publicKey)),
    balance: { total: balance, unknown: balance, liquid: balance, locked: '0' },
    delegate: publicKey,
  }
}

/**
 * @param command the one that a mutation of this request submits
 * @param isOverloaded whether the pool refuses new commands now
 */
export function resolversOf(
  network: Network,
  node: Node,
  command: HistoryCommand,
  isOverloaded: boolean,
): Readonly<Record<string, Resolver>> {
  const isUp = node.state === 'up'
  const submit = (field: 'payment' | 'delegation') => () => {
    const isNew = !node.queued(command.from).includes(command)
    const reason = isOverloaded && isNew ? ({ kind: 'overloaded' } as const) : network.submit(node, command)
    if (reason !== undefined) throw new NodeRefusal(refusalWords(node.dialect, command, reason))
    return { [field]: commandView(command) }
  }
  return {
    sendPayment: submit('payment'),
    sendDelegation: submit('delegation'),
    pooledUserCommands: ({ publicKey }) =>
      isUp ? (typeof publicKey === 'string' ? node.queued(publicKey) : node.allQueued()).map(commandView) : [],
    bestChain: ({ maxLength }) => {
      if (!isUp) throw new NodeRefusal('Could not obtain best chain from transition frontier')
      const length = Number(maxLength ?? 290)
      return (length > 0 ? node.chain().slice(-length) : []).map(blockView)
    },
    account: ({ publicKey }) => (isUp ? accountView(node, String(publicKey)) : null),
    syncStatus: () => (isUp ? 'SYNCED' : 'BOOTSTRAP'),
  }
}
