// The right answers to the question for the commands that wait, over one address.
import { at } from '../../exact-json.ts'
import type { Exchange } from '../../setting/fault-server.ts'
import { isConsistent, pendingCommand } from '../bodies/commands.ts'
import { bareZkapp, isCut } from '../bodies/zkapp-commands.ts'
import { sentIn } from '../sent/sent.ts'
import { integer, list, text } from '../sent/values.ts'
import { answerTo, named, type Right, shown, statuses } from './right.ts'

interface Waiting {
  readonly hash: string
  readonly fee: bigint
  readonly keys: readonly unknown[]
  readonly body: object
  readonly isCut: boolean
}

const userCommand = (command: unknown): Waiting => ({
  hash: text(command, 'hash'),
  fee: integer(command, 'fee'),
  keys: [at(command, 'from'), at(command, 'to')],
  body: pendingCommand(command),
  isCut: false,
})

function zkappCommand(command: unknown): Waiting {
  const inside = at(command, 'zkappCommand')
  const keyOf = (part: unknown) => at(part, 'body', 'publicKey')
  return {
    hash: text(command, 'hash'),
    fee: integer(inside, 'feePayer', 'body', 'fee'),
    keys: [at(inside, 'feePayer'), ...list(inside, 'accountUpdates')].map(keyOf),
    body: bareZkapp(command),
    isCut: isCut(command),
  }
}

const listsIn = (data: unknown) => [list(data, 'pooledUserCommands'), list(data, 'pooledZkappCommands')]

const hashesIn = (data: unknown): readonly string[] =>
  listsIn(data)
    .flat()
    .map((command) => text(command, 'hash'))

/** A command that a list shows, with what it tells of it. */
function listedIn(data: unknown) {
  const keyOf = (part: unknown) => at(part, 'body', 'publicKey')
  return listsIn(data)
    .flat()
    .map((command) => {
      const inside = at(command, 'zkappCommand')
      const isTold = at(command, 'from') !== undefined || at(inside, 'accountUpdates') !== undefined
      const ofZkapp = [at(inside, 'feePayer'), ...list(inside, 'accountUpdates')].map(keyOf)
      return {
        hash: text(command, 'hash'),
        fee: () => integer(at(command, 'fee') === undefined ? at(inside, 'feePayer', 'body') : command, 'fee'),
        keys: isTold ? [at(command, 'from'), at(command, 'to'), ...ofZkapp] : undefined,
      }
    })
}

const byFee = (one: Pick<Waiting, 'fee' | 'hash'>, other: Pick<Waiting, 'fee' | 'hash'>): number => {
  if (one.fee !== other.fee) return one.fee > other.fee ? -1 : 1
  return one.hash < other.hash ? -1 : 1
}

/** The hashes of all listed commands, and of those that have to be asked for as a whole. */
function wantedOf(lists: readonly unknown[], account: string | undefined) {
  const listed = new Map<string, ReturnType<typeof listedIn>[number]>()
  for (const each of lists.flatMap(listedIn)) if (listed.get(each.hash)?.keys === undefined) listed.set(each.hash, each)
  const all = [...listed.values()]
  if (account !== undefined) {
    const wanted = all.filter(({ keys }) => keys === undefined || keys.includes(account))
    return { all, wanted: new Set(wanted.map(({ hash }) => hash)) }
  }
  const first = all.map(({ hash, fee }) => ({ hash, fee: fee() })).toSorted(byFee)
  return { all, wanted: new Set(first.slice(0, 200).map(({ hash }) => hash)) }
}

interface Whole {
  readonly data: unknown
  readonly asked: readonly string[]
}

/** @returns undefined where the service did not ask for all that it needs */
function poolBody(lists: readonly unknown[], wholes: readonly Whole[], account: string | undefined) {
  const { all, wanted } = wantedOf(lists, account)
  const asked = new Set(wholes.flatMap((whole) => whole.asked))
  if ([...wanted].some((hash) => !asked.has(hash))) return undefined
  const once = new Map<string, Waiting>()
  for (const { data } of wholes) {
    const [users = [], zkapps = []] = listsIn(data)
    for (const waiting of [...users.map(userCommand), ...zkapps.map(zkappCommand)]) once.set(waiting.hash, waiting)
  }
  const found = [...once.values()].filter(({ keys }) => account === undefined || keys.includes(account)).toSorted(byFee)
  const count = account === undefined ? all.length - (wanted.size - found.length) : found.length
  const body = { count, commands: found.map((one) => one.body), searched: { nodes: 1 } }
  return { body, ...named([], found.some((one) => one.isCut) ? ['commands.balanceChanges'] : []) }
}

const askedIn = ({ variables }: Exchange): readonly string[] =>
  [variables.userHashes, variables.zkappHashes].flat().filter((each) => typeof each === 'string')

/** The public words for a pool that is too long to be read. */
export const tooLongPool = 'More commands wait than can be read now.'

const isTooLong = ({ delivered }: Exchange): boolean => delivered.state === 'answer' && delivered.isTooLong === true

/** A 503 says whether it is the pool that is too long. */
const troubles = (...all: readonly number[]): readonly Right[] =>
  statuses(...all).map((right) =>
    right.status === 503 ? { ...right, body: { message: 'Upstream unavailable.' } } : right,
  )

export function rightPool(exchanges: readonly Exchange[], account: string | undefined): readonly Right[] {
  const lists = ['poolFees', 'poolKeys', 'poolHashes'].flatMap((name) => answerTo(exchanges, name) ?? [])
  if (lists.length === 0) return []
  if (exchanges.some(isTooLong)) return [{ status: 503, body: { message: tooLongPool } }]
  const askedWhole = exchanges.filter(({ name }) => name === 'poolCommands')
  const wholes = askedWhole.map((exchange) => ({ sent: sentIn(exchange), asked: askedIn(exchange) }))
  const answers = [...lists, ...wholes.map(({ sent }) => sent)]
  for (const sent of answers) {
    if (sent.state !== 'data') return troubles(...sent.statuses)
    if (sent.findings.broken.length > 0) return statuses(502)
    if (list(sent.data, 'bestChain').length === 0) return troubles(503)
  }
  for (const { sent, asked } of wholes) {
    const isOfQuestion = hashesIn(sent.data).every((hash) => asked.includes(hash))
    if (!isOfQuestion || !list(sent.data, 'pooledUserCommands').every(isConsistent)) return statuses(502)
  }
  const given = wholes.map(({ sent, asked }) => ({ data: sent.data, asked }))
  const isDoubtful = answers.some((sent) => sent.state === 'data' && sent.findings.doubtful.length > 0)
  const made = shown(() => ({
    answer: poolBody(
      lists.map(({ data }) => data),
      given,
      account,
    ),
  }))
  // A value that the contract cannot represent.
  if (made === undefined) return statuses(502)
  const right = made.answer === undefined ? [] : [{ status: 200, ...made.answer }]
  return isDoubtful ? [...right, ...statuses(502)] : right
}
