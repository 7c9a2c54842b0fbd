// No upstream byte ends the process of `npm start`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect, test } from '@jest/globals'
import { transportFaults } from '../functions/runtime/upstreams/transport-faults.ts'
import { runRawService } from './raw-service.ts'
import { get, wallet } from './running-service.ts'

const upstreams = await runRawService()
const { chain, node, indexer } = upstreams
const child = spawn(process.execPath, ['local/start.ts'], {
  env: { PATH: process.env.PATH ?? '', PORT: '0', NODE_GRAPHQL_URL: node.url, INDEXER_GRAPHQL_URL: indexer.url },
  stdio: ['ignore', 'pipe', 'inherit'],
})
/** Of the process, which runs a separate service before these upstreams. */
const url = await new Promise<string>((resolve, reject) => {
  let printed = ''
  child.once('exit', () => reject(new Error(`ended early: ${printed}`)))
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk
    const address = /^REST service +(\S+)/m.exec(printed)?.[1]
    if (address !== undefined && printed.includes('Ctrl-C')) resolve(address)
  })
})
afterAll(async () => {
  if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  await upstreams.close()
})

test('npm start lives through every fault of the transport, and answers rightly behind it', async () => {
  const { publicKey } = wallet(chain, 'bob')
  const paths = ['/blocks', `/blocks/${chain.tip().stateHash}`, `/accounts/${publicKey}`, '/summary']
  const askAll = async () => {
    const answers = await Promise.all(paths.map((path) => get(url + path)))
    return answers.map(({ status, body }) => ({ status, body }))
  }
  const right = await askAll()
  expect(right.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const unavailable = { status: 502, body: { message: 'Upstream unavailable.' } }
  for (const { does, answer } of transportFaults) {
    node.fault = answer
    indexer.fault = answer
    const answers = await askAll()
    expect({ does, answers }).toEqual({ does, answers: paths.map(() => unavailable) })
  }
  node.fault = undefined
  indexer.fault = undefined
  expect(await askAll()).toEqual(right)
  expect(child.exitCode).toBeNull()
})
