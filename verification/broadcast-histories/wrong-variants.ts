// Wrong ways to answer a broadcast, to show that the checker detects them.

import { broadcastDelegation } from '../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../shared/endpoints/broadcast-transaction.ts'
import type { Answer } from '../../shared/endpoints/endpoint.ts'
import { WireError } from '../../shared/upstream/errors.ts'
import type { EndpointContext, NodePort, QueryUpstream, Reply } from '../../shared/upstream/query.ts'
import { type Broadcaster, service } from './broadcaster.ts'
import { type HistoryCommand, requestBody } from './signed-command.ts'

type Attempt = { readonly state: 'accepted' | 'refused' | 'lost' }

/** Sends once and trusts the answer. */
async function attempt(command: HistoryCommand, { query }: Pick<EndpointContext, 'query'>): Promise<Attempt> {
  const { operations } = command.kind === 'PAYMENT' ? broadcastTransaction : broadcastDelegation
  const mutation = operations.find(({ document }) => document.startsWith('mutation'))
  if (mutation === undefined) throw new Error('The endpoint sends nothing')
  const { payload, signature } = requestBody(command)
  let reply: Reply
  try {
    const variables = { ...payload, ...signature, rawSignature: null }
    reply = await query(mutation, variables)
    if (reply.errors.length > 0) return { state: reply.data === null ? 'refused' : 'lost' }
    mutation.data.read(reply.data, mutation.name, variables)
    return { state: 'accepted' }
  } catch (error) {
    if (error instanceof WireError) return { state: 'lost' }
    throw error
  }
}

const sent = ({ hash }: HistoryCommand): Answer => ({
  status: 201,
  body: { message: 'sent', result: { command: { hash } } },
  headers: { 'x-broadcast-outcome': 'accepted' },
})

const failed = (outcome: 'refused' | 'unknown'): Answer => ({
  status: 400,
  body: { message: 'failed', error: outcome },
  headers: { 'x-broadcast-outcome': outcome },
})

/** The service, to which the errors of mutations look otherwise than they are. */
const mistaking =
  (mistake: (error: WireError) => WireError): Broadcaster =>
  (command, context) => {
    const nodes = context.nodes.map(
      (node): NodePort => ({
        ...node,
        async query(operation, variables, limits) {
          try {
            return await node.query(operation, variables, limits)
          } catch (error) {
            if (!(error instanceof WireError) || !operation.document.startsWith('mutation')) throw error
            throw mistake(error)
          }
        },
      }),
    )
    return service(command, { ...context, nodes })
  }

/** By the name that `--variant` takes. */
export const wrongVariants = {
  /** Calls a command refused when its answer is lost. */
  'refuses-lost-answers': async (command, context) => {
    const { state } = await attempt(command, context)
    return state === 'accepted' ? sent(command) : failed('refused')
  },

  /** Takes any error for a refusal, even with data; does the rest as the service does. */
  'refuses-any-error': async (command, context) => {
    let hadErrors = false
    const noting =
      ({ query }: NodePort): QueryUpstream =>
      async (operation, variables, limits) => {
        const reply = await query(operation, variables, limits)
        hadErrors ||= operation.document.startsWith('mutation') && reply.errors.length > 0
        return reply
      }
    const nodes = context.nodes.map((node) => ({ ...node, query: noting(node) }))
    const answer = await service(command, { ...context, nodes })
    return hadErrors ? failed('refused') : answer
  },

  /** Calls a command accepted when its answer is lost, without searching for it. */
  'believes-blindly': async (command, context) => {
    const { state } = await attempt(command, context)
    return state === 'refused' ? failed('refused') : sent(command)
  },

  /** Sends twice and reports the second answer only. */
  'sends-twice-blindly': async (command, context) => {
    await attempt(command, context)
    const { state } = await attempt(command, context)
    return state === 'accepted' ? sent(command) : failed(state === 'refused' ? 'refused' : 'unknown')
  },

  /** Sends to every node, and reports what the first one answers. */
  'takes-the-first-answer': async (command, { nodes }) => {
    const { state } = await Promise.race(nodes.map((node) => attempt(command, node)))
    return state === 'accepted' ? sent(command) : failed(state === 'refused' ? 'refused' : 'unknown')
  },

  /** Sends to every node, and forgets those whose answer was lost when another one refuses. */
  'forgets-lost-answers': async (command, { nodes }) => {
    const states = await Promise.all(nodes.map(async (node) => (await attempt(command, node)).state))
    if (states.includes('accepted')) return sent(command)
    return failed(states.includes('refused') ? 'refused' : 'unknown')
  },

  /** Forgets that a node which it does not send to may hold the command from before. */
  'asks-three-nodes-only': (command, context) => service(command, { ...context, nodes: context.nodes.slice(0, 3) }),

  /** Takes a time-out for a broken connection: a node that was asked in vain can take nothing later. */
  'believes-time-outs': mistaking(({ message }) => new WireError('unreachable', message)),

  /** Takes a broken connection for one that was never made: its node can have taken nothing. */
  'believes-broken-connections': mistaking(({ message }) => new WireError('unreachable', message, { isUnsent: true })),
} satisfies Record<string, Broadcaster>
