// Runs where `node.example` is far away. Serves the embedded node under that name, asks it through the process of npm start
// and through a bundle, posts a heartbeat, and prints what came of it as JSON to the error output: a bundle logs to the other one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { postHeartbeat } from '../../../functions/broadcast-heartbeat.ts'
import { listen } from '../../../local/start/listen.ts'
import { createChain } from '../../../packages/testnet/chain.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { heartbeatCodes } from '../../../shared/deployment/broadcast-heartbeat.ts'
import { httpEvent } from '../../functions/event.ts'

const [bundle = ''] = process.argv.slice(2)
const chain = createChain({ seed: 'far', now: Date.now, historyBlocks: 40, signsOwnCommands: false })
const { port } = await listen(nodeServer(chain), 0, '10.77.0.1')
const env = { PATH: process.env.PATH ?? '', NODE_GRAPHQL_URL: `http://node.example:${port}/graphql` }

/**
 * The status of a read by a bundle that has never run before. As a client does, it repeats a 503: on a busy machine a lost packet
 * may cost more than the time for an answer. Where an address gets too little time, no repeat connects either.
 */
async function statusOfBundle(instance: number): Promise<number> {
  Object.assign(process.env, env)
  const { handler } = await import(`${bundle}?${instance}`)
  const context = { awsRequestId: 'lambda', getRemainingTimeInMillis: () => 25_000 }
  const ask = async () => (await handler(httpEvent({ path: '/summary', route: '/summary' }), context)).statusCode
  let status = await ask()
  for (let repeats = 0; repeats < 2 && status === 503; repeats++) status = await ask()
  return status
}

/** The statuses of two reads from npm start. */
async function started() {
  const child = spawn(process.execPath, ['local/start.ts'], {
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk
  })
  while (!printed.includes('Ctrl-C stops it.\n')) await once(child.stdout, 'data')
  const url = /http:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(printed)?.[0]
  const statuses = await Promise.all(
    ['/summary', '/blocks?limit=1'].map(async (path) => (await fetch(url + path)).status),
  )
  child.kill('SIGKILL')
  return statuses
}

/** The end of a heartbeat that posts to a service which refuses it as a node does. */
async function beat(): Promise<string> {
  const refuse: RequestListener = (_, response) =>
    response.writeHead(400, { 'x-broadcast-code': heartbeatCodes[0] }).end()
  const service = await listen(refuse, 0, '10.77.0.1')
  return postHeartbeat(`http://node.example:${service.port}`, '{}').then(() => 'refused', String)
}

const [heartbeat, start, ...bundles] = await Promise.all([beat(), started(), ...[1, 2, 3].map(statusOfBundle)])
console.error(JSON.stringify({ bundles, heartbeat, start }))
process.exit()
