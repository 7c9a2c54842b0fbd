// Nodes of the embedded chain over real sockets, each with the troubles that a test gives it.
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as passed } from 'node:timers/promises'
import type { Chain } from '../../../local/chain/chain.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { serve } from '../../serving.ts'

/** The trouble that a question meets: a broken connection, an error, or a pause in milliseconds before the answer. */
type Trouble = () => Reply | 'broken' | number | undefined

/** A body and its status, sent in place of the node's. */
interface Reply {
  readonly status: number
  readonly body: string
}

interface TroubleNode {
  readonly url: string
  /** The questions that reached it. */
  readonly asked: string[]
  trouble: Trouble
}

/** Serves GraphQL until the test ends. */
export const serveGraphQl = async (listener: RequestListener): Promise<string> =>
  `${(await serve(listener)).url}/graphql`

export async function troubleNode(chain: Chain, trouble: Trouble = () => undefined): Promise<TroubleNode> {
  const daemon = await serveGraphQl(nodeServer(chain))
  const listener: RequestListener = async (request, response) => {
    const body = await text(request)
    const { query } = JSON.parse(body) as { readonly query: string }
    const name = /^\w+ (\w+)/.exec(query)?.[1] ?? ''
    node.asked.push(name)
    const met = node.trouble()
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
