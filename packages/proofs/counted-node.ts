// A node's server that counts what it lists: each block is converted with all of its commands, which is the work of a node.
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'

export interface CountedCall {
  /** Of the question. */
  readonly name: string
  readonly document: string
  readonly bytes: number
  /** The tip that comes with an answer is one of them. */
  readonly blocks: number
}

const blocksIn = (data: object): number =>
  Object.entries(data).reduce((sum, [key, value]) => {
    if (key === 'bestChain') return sum + (Array.isArray(value) ? value.length : 0)
    return sum + Number(/^(?:block\d*|root)$/.test(key) && value !== null)
  }, 0)

/**
 * Passes questions on to a node.
 *
 * @param nodeUrl of its GraphQL
 * @param answered hears of each call before its answer goes out
 * @param before hears the name of each question before the node does
 */
export const countedNode =
  (
    nodeUrl: string,
    answered: (call: CountedCall) => void,
    before: (name: string) => void = () => undefined,
  ): RequestListener =>
  async (request, response) => {
    const body = await text(request)
    const { query: document }: { query: string } = JSON.parse(body)
    const name = /^\w+ (\w+)/.exec(document)?.[1] ?? ''
    before(name)
    const headers = { 'content-type': 'application/json' }
    const answer = await (await fetch(nodeUrl, { method: 'POST', headers, body })).text()
    const { data }: { data: object | null } = JSON.parse(answer)
    answered({ name, document, bytes: Buffer.byteLength(answer), blocks: blocksIn(data ?? {}) })
    response.writeHead(200, headers).end(answer)
  }
