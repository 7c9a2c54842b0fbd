// A node that processes every request and loses half of its answers to mutations.
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Listening, listen } from '../start/listen.ts'

/**
 * Forwards to a node. The first, third, … answer to a mutation is cut off after the node has processed it.
 *
 * @param onLoss called for each lost answer
 */
export function flakyNode(nodeUrl: string, onLoss: () => void): Promise<Listening> {
  let mutations = 0
  const forward: RequestListener = async (request, response) => {
    const body = await text(request)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(nodeUrl, { method: 'POST', headers, body }).then((reply) => reply.text())
    const isMutation = body.includes('"query":"mutation ')
    if (isMutation && mutations++ % 2 === 0) {
      onLoss()
      response.socket?.destroy()
    } else response.end(answer)
  }
  return listen(forward, 0, '127.0.0.1')
}
