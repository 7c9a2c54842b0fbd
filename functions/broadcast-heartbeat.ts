// Posts a payment that can never be applied to the service's public address, through CloudFront, firewall, API,
// function and node, as a wallet would. It fails, and an alarm fires, unless a node refuses the payment.
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { heartbeatCodes, heartbeatPayments } from '../shared/deployment/broadcast-heartbeat.ts'
import { attemptMsWithin, functionTimeoutMs } from '../shared/deployment/settings.ts'
import { readHeartbeat } from './runtime/settings/settings.ts'

/** Gives up before Lambda stops the function, so that the log says what it waited for. */
const patienceMs = functionTimeoutMs - 1000

function post(url: string, body: string): Promise<IncomingMessage> {
  const name = url.startsWith('https:') ? 'node:https' : 'node:http'
  const headers = { 'content-type': 'application/json', 'user-agent': 'heartbeat' }
  const options = {
    method: 'POST',
    headers,
    signal: AbortSignal.timeout(patienceMs),
    autoSelectFamilyAttemptTimeout: attemptMsWithin(patienceMs),
  }
  return new Promise((resolve, reject) => {
    process.getBuiltinModule(name).request(url, options, resolve).on('error', reject).end(body)
  })
}

/**
 * @param url of POST /broadcast/transaction
 * @param payment as JSON
 * @throws Error with the answer, unless a node refused the payment
 */
export async function postHeartbeat(url: string, payment: string): Promise<void> {
  const answer = await post(url, payment)
  const body = await text(answer)
  const { 'x-broadcast-code': code = 'without a code', 'apigw-requestid': id = 'none' } = answer.headers
  if (answer.statusCode === 400 && heartbeatCodes.includes(String(code))) return
  throw new Error(`${answer.statusCode} ${code}, apigw-requestid ${id}: ${body.slice(0, 500)}`)
}

export async function handler(): Promise<void> {
  const { url, network } = readHeartbeat()
  return postHeartbeat(url, JSON.stringify(heartbeatPayments[network]))
}
