import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import Client from 'mina-signer'
import { handler, postHeartbeat } from '../../functions/broadcast-heartbeat.ts'
import { metricsLine } from '../../functions/runtime/metrics.ts'
import { readHeartbeat } from '../../functions/runtime/settings/settings.ts'
import { hurriedClock } from '../../local/start/hurried-clock.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import { heartbeatPayments } from '../../shared/deployment/broadcast-heartbeat.ts'
import { now, runService } from '../end-to-end/running-service.ts'
import { serve } from '../serving.ts'

const networks = ['mainnet', 'devnet'] as const
const service = await runService('testnet')

test.each(networks)('the payment of %s is signed for that network alone, and expired in slot 1', (network) => {
  const { publicKey, signature, payload } = heartbeatPayments[network]
  const verifies = (kind: 'mainnet' | 'testnet') =>
    new Client({ network: kind }).verifyPayment({ publicKey, signature, data: payload })
  expect([verifies('mainnet'), verifies('testnet')]).toEqual([network === 'mainnet', network === 'devnet'])
  expect([publicKey, payload.validUntil]).toEqual([payload.from, '1'])
})

test('a node refuses the heartbeat as it must, and of its request only the heartbeat is counted', async () => {
  await postHeartbeat(`${service.url}/broadcast/transaction`, JSON.stringify(heartbeatPayments.devnet))
  const line = service.log.at(-1)
  expect(line).toMatchObject({ status: 400, broadcast: { code: 'sender-unknown' }, heartbeat: true })
  const { _aws, ...counted } = metricsLine({ ...line, status: 400 } as never, 'stack', 0) as { _aws: object }
  expect(_aws).toEqual({
    Timestamp: 0,
    CloudWatchMetrics: [
      {
        Namespace: 'ChainExplorer',
        Dimensions: [['Service'], ['Service', 'Code']],
        Metrics: [{ Name: 'BroadcastHeartbeats', Unit: 'Count' }],
      },
    ],
  })
  expect(counted).toMatchObject({ BroadcastHeartbeats: 1, Code: 'sender-unknown', Outcome: 'refused' })
})

test('while a hard fork has paused the network, the heartbeat fails, its metric has the code, and health knows nothing of it', async () => {
  const paused = await runService('testnet', 20_000, { ...hurriedClock, now: () => now })
  const serveNode = nodeServer(paused.chain)
  // A node that looks at its pool before it looks for the sender.
  paused.fault = (request, response) => {
    if (paused.log.length > 0) return serveNode(request, response)
    const message = `Couldn't send user command: ["After_slot_tx_end"]`
    response.end(JSON.stringify({ data: null, errors: [{ message, path: ['sendPayment'] }] }))
  }
  const posted = postHeartbeat(`${paused.url}/broadcast/transaction`, JSON.stringify(heartbeatPayments.devnet))
  await expect(posted).rejects.toThrow('400 network-paused')
  const line = paused.log.at(-1)
  expect(metricsLine({ ...line, status: 400 } as never, 'stack', 0)).toMatchObject({
    BroadcastHeartbeats: 1,
    Code: 'network-paused',
  })
  const health = await fetch(`${paused.url}/health`)
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }])
})

test.each(networks)('the function posts the payment of its network, %s', async (network) => {
  let posted = ''
  const { url } = await serve(async (request, response) => {
    posted = await text(request)
    response.writeHead(400, { 'x-broadcast-code': 'expired' }).end()
  })
  Object.assign(process.env, { BROADCAST_ADDRESS: url, NETWORK: network })
  await handler()
  expect(JSON.parse(posted)).toEqual(heartbeatPayments[network])
})

test.each([
  [{}, 'BROADCAST_ADDRESS: wanted an http or https address', 'NETWORK: wanted mainnet or devnet, got nothing'],
  [
    { BROADCAST_ADDRESS: 'explorer', NETWORK: 'testnet' },
    'BROADCAST_ADDRESS: wanted an http or https address',
    'NETWORK: wanted mainnet or devnet, got "testnet"',
  ],
])('settings of the heartbeat such as %j are refused by name', (env, ...faults) => {
  for (const fault of faults) expect(() => readHeartbeat(env)).toThrow(fault)
})

test.each([
  [201, undefined, '201 without a code, apigw-requestid abc='],
  [400, 'invalid-signature', '400 invalid-signature'],
  [400, 'timeout', '400 timeout'],
  [400, 'network-paused', '400 network-paused'],
  [403, undefined, '403 without a code'],
  [503, 'expired', '503 expired'],
])('the heartbeat fails on an answer with %d and the code %s', async (status, code, message) => {
  const { url } = await serve((_request, response) => {
    response
      .writeHead(status, { 'apigw-requestid': 'abc=', ...(code && { 'x-broadcast-code': code }) })
      .end('{"message":"…"}')
  })
  await expect(postHeartbeat(url, '{}')).rejects.toThrow(message)
})

test('the heartbeat fails without an answer', async () => {
  const { url } = await serve((request) => request.socket.destroy())
  await expect(postHeartbeat(url, '{}')).rejects.toThrow('socket hang up')
})
