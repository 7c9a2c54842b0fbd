// Nodes of the embedded chain over real sockets, each with the troubles that a test gives it.
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as passed } from 'node:timers/promises'
import type { Chain } from '../../../local/chain/chain.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { serve } from '../../serving.ts'

/** The trouble that a question meets, by the name of its operation; `undefined` lets the node answer. */
export type Trouble = (name: string, document: string) => Reply | 'hangs' | 'broken' | number | undefined

/** A body and its status, sent in place of the node's. */
interface Reply {
  readonly status: number
  readonly body: string
}

export interface TroubleNode {
  readonly url: string
  /** The questions that reached it. */
  readonly asked: string[]
  trouble: Trouble
}

export const graphQlErrors = (message: string, status = 200): Reply => ({
  status,
  body: JSON.stringify(status === 400 ? { errors: [{ message }] } : { data: null, errors: [{ message }] }),
})

/** Serves GraphQL until the test ends. */
export const serveGraphQl = async (listener: RequestListener): Promise<string> =>
  `${(await serve(listener)).url}/graphql`

/** An address behind which one or several daemons answer in turn. */
export async function troubleNode(chains: readonly Chain[], trouble: Trouble = () => undefined): Promise<TroubleNode> {
  const daemons = await Promise.all(chains.map((chain) => serveGraphQl(nodeServer(chain))))
  let turn = 0
  const listener: RequestListener = async (request, response) => {
    const body = await text(request)
    const { query } = JSON.parse(body) as { readonly query: string }
    const name = /^\w+ (\w+)/.exec(query)?.[1] ?? ''
    node.asked.push(name)
    const daemon = daemons[turn++ % daemons.length] ?? ''
    const met = node.trouble(name, query)
    if (met === 'hangs') return
    if (met === 'broken') return void request.socket.destroy()
    if (typeof met === 'object') return void response.writeHead(met.status).end(met.body)
    if (typeof met === 'number') await passed(met, undefined, { ref: false })
    const reply = await fetch(daemon, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.writeHead(reply.status).end(await reply.text())
  }
  const url = await serveGraphQl(
    (request, response) => void Promise.resolve(listener(request, response)).catch(() => response.destroy()),
  )
  const node: TroubleNode = { url, asked: [], trouble }
  return node
}
