// Answers to the caller: a function's result as API Gateway interprets it, and the gateway's own.
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

export interface GatewayAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Buffer
}

function ownAnswer(status: number, message: string): GatewayAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify({ message })) }
}

export const tooLarge = ownAnswer(413, 'Request Entity Too Large')
export const internalServerError = ownAnswer(500, 'Internal Server Error')

/**
 * Interprets a function's result. Without a status code the whole result is the body: text unchanged, the rest as JSON.
 *
 * @param isHead true for an answer to HEAD, which may name the length of a body that it does not have
 * @throws TypeError for a result that API Gateway rejects
 */
export function answerOf(result: unknown, isHead = false): GatewayAnswer {
  if (!isStructured(result)) {
    const body = typeof result === 'string' ? result : JSON.stringify(result ?? null)
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) }
  }
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) {
    throw new TypeError(`statusCode must be an integer from 200 to 599, got ${statusCode}`)
  }
  if (typeof body !== 'string') throw new TypeError('body must be text')
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)])
  return {
    status: statusCode,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      // The gateway sets the CORS headers itself, and the length too where it has the body.
      ...Object.fromEntries(
        named.filter(([name]) => !name.startsWith('access-control-') && (isHead || name !== 'content-length')),
      ),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  }
}

function isStructured(result: unknown): result is APIGatewayProxyStructuredResultV2 & { statusCode: number } {
  return typeof result === 'object' && result !== null && 'statusCode' in result
}
