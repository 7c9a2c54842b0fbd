// A recording gateway, and raw sockets where fetch would normalise a request.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2, Context } from 'aws-lambda'
import { gateway } from '../../../local/gateway/gateway.ts'
import type { Route } from '../../../local/gateway/route.ts'
import { serve } from '../../serving.ts'

/** 12 March 2020, 19:03:58.123 UTC. */
export const fixedTime = 1_584_039_838_123

interface Recorded {
  readonly method?: string
  readonly path?: string
  readonly result?: () => APIGatewayProxyResultV2 | Promise<APIGatewayProxyResultV2>
  readonly maxBodyBytes?: number | undefined
}

/** A gateway until the test ends, whose handler records its arguments and returns a given result. */
export async function recordingGateway({
  method = 'GET',
  path = '/blocks/{state_hash}',
  result = () => ({ statusCode: 200, body: 'served' }),
  maxBodyBytes,
}: Recorded = {}) {
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
  const listening = await serve(
    gateway(
      [{ methods: [method], path, options: { limit: { kind: 'count', max: 10, default: 1 } }, handler }],
      options,
    ),
  )
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
  return exchange(port, `${[request, 'Connection: close', 'Host: h', ...headers].join('\r\n')}\r\n\r\n`)
}
