// Answers to the explorer's page at the moment that a test chooses.
import type { ServerResponse } from 'node:http'
import { serve, untilTestEnds } from '../serving.ts'

/** A service whose answers are given by hand. */
export const byHand = async () => {
  const asked: { readonly path: string; readonly response: ServerResponse }[] = []
  let noticed = () => {}
  const { url } = await serve(({ url: path = '' }, response) => {
    asked.push({ path, response })
    noticed()
  }, untilTestEnds)
  const next = async () => {
    while (asked.length === 0) await new Promise<void>((resolve) => (noticed = resolve))
    return asked.shift() as (typeof asked)[number]
  }
  return { url, asked, next }
}

export const give = (
  response: ServerResponse,
  body: object | string,
  status = 200,
  added: Record<string, string> = {},
) =>
  response
    .writeHead(status, {
      ...{ 'access-control-allow-origin': '*', 'access-control-expose-headers': '*', connection: 'close' },
      ...added,
    })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
