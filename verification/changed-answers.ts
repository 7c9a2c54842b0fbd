// An upstream whose answers are changed on their way.
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * Passes questions on, and changes the text of each answer.
 *
 * @param upstreamUrl of its GraphQL
 */
export const changedOnTheWay =
  (upstreamUrl: string, change: (answer: string) => string): RequestListener =>
  async (request, response) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(upstreamUrl, { method: 'POST', headers, body: await text(request) })
    response.writeHead(answer.status, headers).end(change(await answer.text()))
  }
