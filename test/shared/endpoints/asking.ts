// Stand-ins for the port: upstreams in one line, and what they were asked.
import type { EndpointContext, QueryUpstream, Reply } from '../../../shared/upstream/query.ts'

/** A reply whose data, where there is any, names a synchronised node. */
function whole(reply: Partial<Reply>): Reply {
  const data =
    typeof reply.data === 'object' && reply.data !== null ? { syncStatus: 'SYNCED', ...reply.data } : reply.data
  return { status: 200, errors: [], ...reply, data }
}

/** A context without an indexer, with all the time of the world, in which pauses pass at once. */
export const contextOf = (query: QueryUpstream, more: Partial<EndpointContext> = {}): EndpointContext => ({
  query,
  nodes: [{ name: 'node', query, sharedAddress: true }],
  deadline: { timeLeftMs: () => Number.POSITIVE_INFINITY, pause: async () => undefined },
  configured: { indexer: false },
  ...more,
})

/** A node that answers every question with the same reply, and no indexer. */
export const replying = (reply: Partial<Reply>): EndpointContext => contextOf(async () => whole(reply))

type Replies = Readonly<Record<string, Partial<Reply> | Error | Promise<Partial<Reply> | Error>>>

/** Node and indexer that answer each operation by its name: a reply, an error to fail with, or a promise of one. */
export const answering = (replies: Replies): EndpointContext =>
  contextOf(
    async ({ name }) => {
      const reply = await replies[name]
      if (reply === undefined) throw new Error(`unexpected operation ${name}`)
      if (reply instanceof Error) throw reply
      return whole(reply)
    },
    { configured: { indexer: true } },
  )

/** Keeps the questions that reach a port. */
export function recordingQuestions(context: EndpointContext) {
  const asked: { readonly operation: string; readonly variables: object }[] = []
  const query: QueryUpstream = (operation, variables, limits) => {
    asked.push({ operation: operation.name, variables })
    return context.query(operation, variables, limits)
  }
  return { context: contextOf(query, { deadline: context.deadline, configured: context.configured }), asked }
}

/** As `replying`, and keeps the questions. */
export const recording = (reply: Partial<Reply>) => recordingQuestions(replying(reply))

/** Fails every question. */
export const failing = (error: Error): EndpointContext =>
  contextOf(async () => {
    throw error
  })

/** Answers each operation by its name with the next of its replies; the last one stays. */
export function scripted(scripts: Readonly<Record<string, readonly (Partial<Reply> | Error)[]>>): QueryUpstream {
  const asked = new Map<string, number>()
  return async ({ name }) => {
    const script = scripts[name] ?? []
    const turn = asked.get(name) ?? 0
    asked.set(name, turn + 1)
    const reply = script[Math.min(turn, script.length - 1)]
    if (reply === undefined) throw new Error(`unexpected operation ${name}`)
    if (reply instanceof Error) throw reply
    return whole(reply)
  }
}
