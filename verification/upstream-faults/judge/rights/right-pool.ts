// The right answers to the question for the commands that wait, over one address.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { isConsistent, pendingCommand } from '../bodies/commands.ts'
import { bareZkapp } from '../bodies/zkapp-commands.ts'
import { integer, list, text } from '../sent/values.ts'
import { answerTo, type Right, shown, statuses } from './right.ts'

interface Waiting {
  readonly hash: string
  readonly fee: bigint
  readonly keys: readonly unknown[]
  readonly body: object
}

const userCommand = (command: unknown): Waiting => ({
  hash: text(command, 'hash'),
  fee: integer(command, 'fee'),
  keys: [at(command, 'from'), at(command, 'to')],
  body: pendingCommand(command),
})

function zkappCommand(command: unknown): Waiting {
  const inside = at(command, 'zkappCommand')
  const keyOf = (part: unknown) => at(part, 'body', 'publicKey')
  return {
    hash: text(command, 'hash'),
    fee: integer(inside, 'feePayer', 'body', 'fee'),
    keys: [at(inside, 'feePayer'), ...list(inside, 'accountUpdates')].map(keyOf),
    body: bareZkapp(command),
  }
}

function poolBody(data: unknown, account: string | undefined): object {
  const all = [
    ...list(data, 'pooledUserCommands').map(userCommand),
    ...list(data, 'pooledZkappCommands').map(zkappCommand),
  ]
  const once = all.filter(({ hash }, index) => all.findLastIndex((other) => other.hash === hash) === index)
  const found = once
    .filter(({ keys }) => account === undefined || keys.includes(account))
    .toSorted((one, other) => (one.fee === other.fee ? (one.hash < other.hash ? -1 : 1) : one.fee > other.fee ? -1 : 1))
  const commands = (account === undefined ? found.slice(0, 200) : found).map(({ body }) => body)
  return { count: found.length, commands, searched: { nodes: 1 } }
}

export function rightPool(exchanges: readonly Exchange[], account: string | undefined): readonly Right[] {
  const node = answerTo(exchanges, 'wholePool')
  if (node === undefined) return []
  if (node.state !== 'data') return statuses(...node.statuses)
  const { broken, doubtful } = node.findings
  if (broken.length > 0) return statuses(502)
  if (list(node.data, 'bestChain').length === 0) return statuses(503)
  if (!list(node.data, 'pooledUserCommands').every(isConsistent)) return statuses(502)
  const body = shown(() => poolBody(node.data, account))
  const right = body === undefined ? [] : [{ status: 200, body, missing: [] }]
  return right.length === 0 || doubtful.length > 0 ? [...right, ...statuses(502)] : right
}
