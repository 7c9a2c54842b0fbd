// A node in trouble: it loses, delays and breaks answers of the node behind it.
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as passed } from 'node:timers/promises'
import { findCommandQuery } from '../../shared/chain/broadcast/pool-check.ts'
import { type Listening, listen } from '../start/listen.ts'

/**
 * `lost request`: the connection is cut, and the node behind gets nothing. `lost answer`: it is cut after the node has
 * answered. `late`: the answer comes seconds later. `broken`: only half of the answer comes.
 */
export type Trouble = 'none' | 'lost request' | 'lost answer' | 'late' | 'broken'

/** The purpose of a request. A search looks for a command that was broadcast. */
export type Purpose = 'mutation' | 'search' | 'read'

/** Longer than some time-outs of the service, shorter than others. */
const lateMs = 9000

function purposeOf(body: string): Purpose {
  if (body.includes('"query":"mutation ')) return 'mutation'
  return body.includes(`"query":"query ${findCommandQuery.name}(`) ? 'search' : 'read'
}

/**
 * Starts a server in front of a node.
 *
 * @param nodeUrl its GraphQL address. What it serves beside that, such as an indexer, passes without trouble.
 * @param troubleWith decides what becomes of each request
 * @param pause lets time pass, in milliseconds
 * @param port of the server; 0 for any free one
 */
export function flakyNode(
  nodeUrl: string,
  troubleWith: (purpose: Purpose) => Trouble,
  pause: (milliseconds: number) => Promise<unknown> = (milliseconds) => passed(milliseconds, undefined, { ref: false }),
  port = 0,
): Promise<Listening> {
  const forward: RequestListener = async (request, response) => {
    const body = await text(request)
    const { method = 'POST', url = '/' } = request
    const trouble = url === new URL(nodeUrl).pathname ? troubleWith(purposeOf(body)) : 'none'
    const cut = () => response.socket?.destroy()
    if (trouble === 'lost request') return cut()
    try {
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(new URL(url, nodeUrl), { method, headers, ...(body !== '' && { body }) })
      const answer = await reply.text()
      if (trouble === 'lost answer') return cut()
      if (trouble === 'late') await pause(lateMs)
      response.writeHead(reply.status, headers)
      response.end(trouble === 'broken' ? answer.slice(0, answer.length / 2) : answer)
    } catch {
      cut()
    }
  }
  return listen(forward, port, '127.0.0.1')
}
