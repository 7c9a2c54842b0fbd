// Servers and requests for the gateway's tests: loopback, port 0, raw sockets where fetch would normalise the request.
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach } from '@jest/globals'
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2, Context } from 'aws-lambda'
import { gateway } from '../../../local/gateway/gateway.ts'
import type { Route } from '../../../local/gateway/route.ts'
import { listen as listenOn } from '../../../local/start/listen.ts'
import type { OptionRule } from '../../../shared/admission/rule.ts'

/** 12 March 2020, 19:03:58.123 UTC. */
export const fixedTime = 1_584_039_838_123

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Listens until the test ends. */
export async function listen(listener: RequestListener): Promise<{ port: number; url: string }> {
  const { port, close } = await listenOn(listener, 0, '127.0.0.1')
  closing.push(close)
  return { port, url: `http://127.0.0.1:${port}` }
}

export interface Recording {
  readonly port: number
  readonly url: string
  readonly events: APIGatewayProxyEventV2[]
  readonly contexts: Context[]
  readonly thrown: unknown[]
}

const limit: OptionRule = {
  name: 'limit',
  byDefault: 1,
  most: 10,
  refusal: { status: 400, message: 'limit is no count', cacheControl: 'no-store' },
}

/** A gateway whose handler records its arguments and returns a given result. */
export async function recordingGateway(
  route: { methods?: string[]; path?: string } = {},
  result: () => APIGatewayProxyResultV2 = () => ({ statusCode: 200, body: 'served' }),
  maxBodyBytes?: number,
): Promise<Recording> {
  const events: APIGatewayProxyEventV2[] = []
  const contexts: Context[] = []
  const thrown: unknown[] = []
  const handler: Route['handler'] = async (event, context) => {
    events.push(event)
    contexts.push(context)
    return result()
  }
  const options = {
    now: () => fixedTime,
    requestId: () => 'request-1',
    onError: (error: unknown) => thrown.push(error),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
  }
  const served = { methods: ['GET'], path: '/blocks/{state_hash}', options: [limit] }
  const listening = await listen(gateway([{ ...served, ...route, handler }], options))
  return { ...listening, events, contexts, thrown }
}

/** Sends text unchanged and returns everything that arrives until the server closes the connection. */
export async function exchange(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(sent)
  return text(socket)
}

/** Sends one request, line by line and unchanged. */
export function sendRaw(port: number, ...[request = '', ...headers]: readonly string[]): Promise<string> {
  return exchange(port, `${[request, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`)
}
