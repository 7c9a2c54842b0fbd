// A chain that differs in one thing from the right one: a wrapper round its ports, its clock or what it hands out.
import type { ChainOptions } from '../../../shared/chain/outside.ts'
import type { Chain, CreateChain, Exchange } from '../../../shared/chain/port.ts'
import type { NodePort, QueryUpstream, Reply } from '../../../shared/upstream/query.ts'

export type Variant = (make: CreateChain) => CreateChain

type Asked = Parameters<QueryUpstream>

/** What a question to a node becomes. */
export type Change = (send: () => Promise<Reply>, asked: Asked, port: NodePort) => Promise<Reply>

/** @param changing called for each instance */
export const changedPorts =
  (changing: (options: ChainOptions) => Change): Variant =>
  (make) =>
  (options) => {
    const change = changing(options)
    const nodes = options.nodes.map((port) => ({
      ...port,
      query: (...asked: Asked) => change(() => port.query(...asked), asked, port),
    }))
    return make({ ...options, nodes })
  }

/** Changes what is handed to endpoints. */
export const changedExchange =
  (change: (exchange: Exchange) => Partial<Exchange>): Variant =>
  (make) =>
  (options) => {
    const chain: Chain = make(options)
    return {
      exchange(terms) {
        const exchange = chain.exchange(terms)
        return { ...exchange, ...change(exchange) }
      },
    }
  }

/** Changes replies alone. */
export const changedReplies = (change: (reply: Reply, asked: Asked) => Reply): Variant =>
  changedPorts(() => async (send, asked) => change(await send(), asked))
