// Stand-ins for the port: upstreams in one line, and what they were asked.
import type { Ask, Reply } from '../../../shared/endpoint.ts'

const whole = (reply: Partial<Reply>): Reply => ({ status: 200, data: undefined, errors: [], ...reply })

/** A node that answers every question with the same reply, and no indexer. */
export const replying =
  (reply: Partial<Reply>): Ask =>
  async () =>
    whole(reply)

type Replies = Readonly<Record<string, Partial<Reply> | Error | Promise<Partial<Reply> | Error>>>

/** Node and indexer that answer each operation by its name: a reply, an error to fail with, or a promise of one. */
export const answering = (replies: Replies): Ask =>
  Object.assign<Ask, object>(
    async ({ name }) => {
      const reply = await replies[name]
      if (reply === undefined) throw new Error(`nobody expected ${name}`)
      if (reply instanceof Error) throw reply
      return whole(reply)
    },
    { hasIndexer: true },
  )

/** Keeps the questions that reach a port. */
export function listening(ask: Ask) {
  const asked: { readonly operation: string; readonly variables: object }[] = []
  const recorded: Ask = (operation, variables) => {
    asked.push({ operation: operation.name, variables })
    return ask(operation, variables)
  }
  return { ask: Object.assign(recorded, { hasIndexer: ask.hasIndexer ?? false }), asked }
}

/** As `replying`, and keeps the questions. */
export const recording = (reply: Partial<Reply>) => listening(replying(reply))

/** Fails every question. */
export const failing =
  (error: Error): Ask =>
  async () => {
    throw error
  }

/** Answers each operation by its name with the next of its replies; the last one stays. */
export function scripted(scripts: Readonly<Record<string, readonly (Partial<Reply> | Error)[]>>): Ask {
  const asked = new Map<string, number>()
  return async ({ name }) => {
    const script = scripts[name] ?? []
    const turn = asked.get(name) ?? 0
    asked.set(name, turn + 1)
    const reply = script[Math.min(turn, script.length - 1)]
    if (reply === undefined) throw new Error(`nobody expected ${name}`)
    if (reply instanceof Error) throw reply
    return whole(reply)
  }
}
