// The right answers to a broadcast, by the command that the upstreams show and by the node that really holds it or not.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import type { SignedRequest } from '../../setting/twin-chains.ts'
import { broadcastCommand, isConsistent, isSigned } from '../bodies/commands.ts'
import { findingsIn } from '../sent/promises.ts'
import { sentIn } from '../sent/sent.ts'
import { list } from '../sent/values.ts'
import { type Right, shown } from './right.ts'

/** A command that an answer shows, wherever it is in it. */
interface Shown {
  readonly command: unknown
  readonly by: 'mutation' | 'look-up'
  /** True if the command, and the whole answer, keep the promise. */
  readonly isClean: boolean
}

const fieldOf = { PAYMENT: ['sendPayment', 'payment'], STAKE_DELEGATION: ['sendDelegation', 'delegation'] } as const

function commandsIn(exchange: Exchange, { kind }: SignedRequest): readonly Shown[] {
  const sent = sentIn(exchange)
  const isMutation = exchange.document.startsWith('mutation')
  const by = isMutation ? 'mutation' : 'look-up'
  const found = isMutation
    ? [at(sent.data, ...fieldOf[kind])]
    : [
        ...list(sent.data, 'pooledUserCommands'),
        ...list(sent.data, 'bestChain').flatMap((block) => list(block, 'transactions', 'userCommands')),
      ]
  const isClean = sent.state === 'data' && sent.findings.broken.length === 0 && sent.findings.doubtful.length === 0
  return found.map((command) => ({ command, by, isClean }))
}

/** True for a command whose fields are legal, whatever stands beside it. */
function isReadableAlone(command: unknown, exchange: Exchange, { kind }: SignedRequest): boolean {
  if (!exchange.document.startsWith('mutation')) {
    // The same as if it were the only one that waits.
    const data = { pooledUserCommands: [command], bestChain: null, account: null }
    return !findingsIn(exchange, data).broken.some((finding) => finding.startsWith('.pooledUserCommands'))
  }
  const [root, key] = fieldOf[kind]
  return findingsIn(exchange, { [root]: { [key]: command } }).broken.length === 0
}

/** @param isHeld whether a node has truly taken it */
export function rightBroadcast(
  exchanges: readonly Exchange[],
  signed: SignedRequest,
  isHeld: boolean,
): readonly Right[] {
  const message = signed.kind === 'PAYMENT' ? 'Transaction broadcast sucessfully' : 'Delegation broadcast sucessfully'
  const seen = exchanges.flatMap((exchange) =>
    commandsIn(exchange, signed)
      .filter(({ command }) => isSigned(command, signed) && isConsistent(command))
      .filter(({ command }) => isReadableAlone(command, exchange, signed)),
  )
  const sent = seen.flatMap(({ command, by }): readonly Right[] => {
    const shownCommand = shown(() => broadcastCommand(command))
    if (shownCommand === undefined || !isHeld) return []
    const result = { [fieldOf[signed.kind][1]]: shownCommand }
    const outcome = by === 'mutation' ? 'accepted' : 'already-known'
    return [{ status: 201, body: { message, result }, outcome }]
  })
  if (isHeld && seen.some(({ isClean }) => isClean)) return sent
  return [
    ...sent,
    { status: 400, outcome: 'unknown' },
    ...(isHeld ? [] : [{ status: 400, outcome: 'refused' } as const]),
  ]
}
