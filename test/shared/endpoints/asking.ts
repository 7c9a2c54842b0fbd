// Stand-ins for the upstreams: a chain over questions in one line, and what they were asked.
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import type { Chain, ChainOptions, ChainView, Indexer } from '../../../shared/chain/port.ts'
import type { Answer } from '../../../shared/http/answer.ts'
import { parseExactJson, printExactJson } from '../../../shared/mapping/exact-json.ts'
import { WireError } from '../../../shared/upstream/errors.ts'
import { nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream, Reply, Tip } from '../../../shared/upstream/query.ts'
import type { Variables } from '../../../shared/upstream/wire.ts'
import { firstGenesisWire } from '../mapping/node-wire.ts'

const shownTip = ({ height, stateHash, atMs, ...others }: Tip) => ({
  bestChain: [
    {
      stateHash,
      protocolState: { blockchainState: { date: `${atMs}` }, consensusState: { blockHeight: `${height}` } },
    },
  ],
  syncStatus: others.syncStatus,
  genesisBlock: { stateHash: others.genesisStateHash },
})

/** A reply whose data, where there is any, names a synchronised node of a network, and shows the tip that it is given. */
export function whole({ data: given, ...reply }: Partial<Reply>): Reply {
  if (typeof given !== 'object' || given === null) return { status: 200, errors: [], data: given, ...reply }
  const data = { ...(reply.tip && shownTip(reply.tip)), ...given }
  const { genesisBlock }: { genesisBlock?: object } = data
  const genesis = {
    stateHash: 'genesis',
    protocolState: firstGenesisWire,
    ...genesisBlock,
  }
  return { status: 200, errors: [], ...reply, data: { syncStatus: 'SYNCED', ...data, genesisBlock: genesis } }
}

const tipReply = (tip: Tip): Reply => whole({ data: shownTip(tip) })

/** Answers the question for the tip that is asked beside another one with the tip of that one's reply. */
function besideLabels(query: QueryUpstream): QueryUpstream {
  let asked: ((reply: Reply | Promise<Reply>) => void) | undefined
  let latest: Promise<Reply> | undefined
  const noTip = whole({ data: { bestChain: [] } })
  const tipOf = ({ tip }: Reply) => (tip === undefined ? noTip : tipReply(tip))
  return (operation, variables, limits) => {
    if (operation === nodeTipQuery) {
      if (latest !== undefined) return latest.then(tipOf, () => noTip)
      const { promise, resolve } = Promise.withResolvers<Reply>()
      asked = resolve
      queueMicrotask(() => {
        if (asked === resolve) resolve(query(operation, variables, limits))
      })
      return promise
    }
    const answer = asked
    asked = undefined
    const reply = query(operation, variables, limits)
    latest = reply
    queueMicrotask(() => {
      if (latest === reply) latest = undefined
    })
    answer?.(reply.then(tipOf, () => noTip))
    // The tip is asked, not given.
    return reply.then(({ tip: _tip, ...others }) => others)
  }
}

type More = Partial<Pick<ChainOptions, 'nodes' | 'clock' | 'scans'>> & {
  readonly indexer?: boolean
  readonly leftMs?: number
}

const made = new WeakMap<ChainView, { readonly query: QueryUpstream; readonly more: More }>()

/** A chain over one address, without an indexer, in which pauses pass at once. */
export function chainOver(query: QueryUpstream, more: More = {}): Chain {
  const { indexer = false, clock = hurriedClock } = more
  const nodes = more.nodes ?? [{ name: 'node', query: besideLabels(query), sharedAddress: true }]
  return createChain({ nodes, clock, scans: more.scans, random: () => 0, indexers: indexer ? [query] : [] })
}

/** The port of such a chain, with all the time of the world. */
export function contextOf(query: QueryUpstream, more: More = {}): ChainView {
  const { leftMs = 60_000 } = more
  const context = chainOver(query, more).view({ withinMs: leftMs })
  made.set(context, { query, more })
  return context
}

/** A chain like that of a context, for a function. */
export const chainOf = (context: ChainView): Chain => chainOver(queryOf(context), made.get(context)?.more)

/** A node that answers every question with the same reply, and no indexer. */
export const replying = (reply: Partial<Reply>): ChainView => contextOf(async () => whole(reply))

/** An answer with its body as a caller reads it. */
export const asRead = <One extends Answer>(answer: One) => ({
  ...answer,
  body: parseExactJson(printExactJson(answer.body)),
})

type Given = Partial<Reply> | Error
/** A reply, or how it follows from the variables of the question. */
type Script = Given | ((variables: Variables) => Given)

const givenBy = (script: Script | undefined, variables: Variables): Given | undefined =>
  typeof script === 'function' ? script(variables) : script

type Replies = Readonly<Record<string, Script | Promise<Given>>>

/** Node and indexer that answer each operation by its name: a reply, an error to fail with, or a promise of one. */
export const answering = (replies: Replies): ChainView =>
  contextOf(
    async ({ name, upstream }, variables) => {
      const reply = givenBy(await replies[name], variables)
      if (reply === undefined) throw new Error(`unexpected operation ${name}`)
      if (reply instanceof Error) throw reply
      return upstream === 'indexer' ? { status: 200, errors: [], data: undefined, ...reply } : whole(reply)
    },
    { indexer: true },
  )

/** The indexer of such a chain. */
export function indexerIn({ indexers: [indexer] }: ChainView): Indexer {
  if (indexer === undefined) throw new Error('a chain without an indexer')
  return indexer
}

/** The question under a context. */
export function queryOf(context: ChainView): QueryUpstream {
  const query = made.get(context)?.query
  if (query === undefined) throw new Error('not a context of these tests')
  return query
}

/** Keeps the questions that reach a port, those for a tip beside another question left out. */
export function recordingQuestions(context: ChainView) {
  const asked: { readonly operation: string; readonly variables: object }[] = []
  const query = queryOf(context)
  const recorded: QueryUpstream = (operation, variables, limits) => {
    asked.push({ operation: operation.name, variables })
    return query(operation, variables, limits)
  }
  return { context: contextOf(recorded, made.get(context)?.more), asked }
}

/** As `replying`, and keeps the questions. */
export const recording = (reply: Partial<Reply>) => recordingQuestions(replying(reply))

/** Fails every question. */
export const failing = (error: Error): ChainView =>
  contextOf(async () => {
    throw error
  })

const misshapen = new WeakSet<object>()

/** A scripted answer that is meant to have another shape than its question promises. */
export function misshaped<Answer extends Partial<Reply>>(reply: Answer): Answer {
  misshapen.add(reply)
  return reply
}

/**
 * Refuses a scripted answer with data of another shape than its question promises. So a question that reads a field more
 * fails by the field's name, and not as the outcome that the service has for a bad answer.
 *
 * @throws Error naming the operation and the field
 */
function checkShape(operation: Operation, { data }: Reply, variables: Variables): void {
  // Answers to submissions are left to the tests of broadcasts.
  if (operation.document.startsWith('mutation') || typeof data !== 'object' || data === null) return
  try {
    operation.data.read(data, operation.name, variables)
  } catch (error) {
    if (!(error instanceof WireError) || error.fault !== 'unreadable') return
    throw new Error(`The test's answer does not have the shape of its question: ${error.message}`)
  }
}

/** Answers each operation by its name with the next of its replies; the last one stays. */
export function scripted(scripts: Readonly<Record<string, readonly Script[]>>): QueryUpstream {
  const asked = new Map<string, number>()
  return async (operation, variables) => {
    const { name } = operation
    const script = scripts[name] ?? []
    const turn = asked.get(name) ?? 0
    asked.set(name, turn + 1)
    const reply = givenBy(script[Math.min(turn, script.length - 1)], variables)
    if (reply === undefined) throw new Error(`unexpected operation ${name}`)
    if (reply instanceof Error) throw reply
    const full = whole(reply)
    if (!misshapen.has(reply)) checkShape(operation, full, variables)
    return full
  }
}
