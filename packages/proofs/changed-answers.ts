// An upstream whose answers are changed on their way.
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * Passes questions on, and changes the text of each answer.
 *
 * @param upstreamUrl of its GraphQL
 * @param change gets the body of the question, too
 */
export const changedOnTheWay =
  (upstreamUrl: string, change: (answer: string, question: string) => string): RequestListener =>
  async (request, response) => {
    const headers = { 'content-type': 'application/json' }
    const body = await text(request)
    const answer = await fetch(upstreamUrl, { method: 'POST', headers, body })
    response.writeHead(answer.status, headers).end(change(await answer.text(), body))
  }
