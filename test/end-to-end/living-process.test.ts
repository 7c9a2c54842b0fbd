// No byte of an upstream can end the process of `npm start`.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createChain } from '../../local/chain/chain.ts'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { httpAnswer, type RawAnswer, rawServer } from '../functions/runtime/upstreams/raw-server.ts'
import { transportFaults } from '../functions/runtime/upstreams/transport-faults.ts'
import { serve, untilFileEnds } from '../serving.ts'
import { get, now, wallet } from './running-service.ts'

const chain = createChain({
  seed: 'end to end',
  now: () => now,
  network: 'testnet',
  slotsPerEpoch: 12,
  signsOwnCommands: false,
})
/** Takes the place of every answer of node and indexer until it is cleared. */
let fault: RawAnswer | undefined
let child: ChildProcess
/** The address of the process's service. */
let url = ''

/** Passes on the answers of a server, byte for byte, over connections that are kept. */
async function rawUpstream(listener: RequestListener): Promise<string> {
  const upstream = await serve(listener, untilFileEnds)
  const server = await rawServer(async (socket, request) => {
    if (fault !== undefined) return fault(socket, request)
    const body = Buffer.from(request.slice(request.indexOf('\r\n\r\n') + 4), 'latin1')
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${upstream.url}/graphql`, { method: 'POST', headers, body })
    return socket.write(httpAnswer(reply.status, Buffer.from(await reply.arrayBuffer())))
  })
  return untilFileEnds(server).url
}

beforeAll(async () => {
  const [nodeUrl, indexerUrl] = [await rawUpstream(nodeServer(chain)), await rawUpstream(indexerServer(chain))]
  child = spawn(process.execPath, ['local/start.ts'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', NODE_GRAPHQL_URL: nodeUrl, INDEXER_GRAPHQL_URL: indexerUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  url = await new Promise((resolve, reject) => {
    let printed = ''
    child.once('exit', () => reject(new Error(`ended early: ${printed}`)))
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk
      const address = /^REST service +(\S+)/m.exec(printed)?.[1]
      if (address !== undefined && printed.includes('Ctrl-C')) resolve(address)
    })
  })
})
afterAll(async () => {
  if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
})

test('npm start survives every transport fault of its upstreams and answers correctly after each', async () => {
  const paths = [
    '/blocks',
    `/blocks/${chain.tip().stateHash}`,
    `/accounts/${wallet(chain, 'bob').publicKey}`,
    '/summary',
  ]
  const askAll = async () => {
    const answers = await Promise.all(paths.map((path) => get(url + path)))
    return answers.map(({ status, body }) => ({ status, body }))
  }
  const right = await askAll()
  expect(right.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const unavailable = { status: 502, body: { message: 'Upstream unavailable.' } }
  for (const { does, answer } of transportFaults) {
    fault = answer
    const answers = await askAll()
    fault = undefined
    expect({ does, answers }).toEqual({ does, answers: paths.map(() => unavailable) })
    expect({ does, answers: await askAll() }).toEqual({ does, answers: right })
  }
  expect(child.exitCode).toBeNull()
})
