// npm run check:servers: GraphQL servers of others in front of the embedded node. Behind each, the service answers for a block
// that the node holds and for one that it does not, and refuses a command, as it does without the server; or the doctor fails
// and names the cause. They come from the registry into a temporary folder, so the gate runs this only where it is asked for.
import { deepStrictEqual } from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { signedPayment } from '../../../local/examples/signed-forms.ts'
import { startService } from '../../../local/start/service.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { examineUpstreams } from '../../../tools/doctor/upstreams/upstreams.ts'
import type { Chain } from '../../testnet/chain.ts'
import { nodeSchemaText } from '../../testnet/node/schema.ts'

const packages = [
  ...['graphql@16.15.0', 'graphql-yoga@5.24.1', '@apollo/server@5.5.1', 'fastify@5.12.8', 'mercurius@16.10.1'],
  ...['@graphql-hive/gateway@2.15.1', '@escape.tech/graphql-armor@3.2.0'],
]

const right = { held: 200, unheld: 404, refused: 'refused invalid-signature', doctor: [] }
const limit = 'refuses our questions as too deep or too complex'

/** What is seen behind each server, of the doctor's failures the fault. */
const expected: Readonly<Record<string, object>> = {
  yoga: {
    ...right,
    unheld: 502,
    refused: 'unknown other',
    doctor: ['of a block that it does not hold it says: Unexpected error.'],
  },
  'yoga with maskedErrors: false': right,
  apollo: right,
  mercurius: right,
  'hive-gateway': right,
  'yoga with graphql-armor': { ...right, held: 502, unheld: 502, doctor: [limit] },
  'apollo with 1,000 tokens': { ...right, doctor: [limit] },
  'mercurius with a depth of 5': { ...right, held: 502, unheld: 502, doctor: [limit] },
}

const folder = await mkdtemp(join(tmpdir(), 'servers-'))
const { chain, nodeUrl, close } = await startService({ blockSeconds: 3600, log: () => undefined })
if (chain === undefined) throw new Error('a chain was wanted')

/** Starts a server; resolves to its address and its end. */
async function started(kind: string) {
  const server = spawn(process.execPath, ['server.mjs', kind, nodeUrl, 'node.graphql'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(server, 'exit')
  const [address] = await Promise.race([
    once(server.stdout, 'data'),
    exited.then(([code]) => Promise.reject(new Error(`${kind} ended with ${code}`))),
  ])
  const stop = async () => {
    // hive-gateway does not end by SIGTERM.
    server.kill('SIGKILL')
    await exited
  }
  return { url: String(address).trim(), stop }
}

async function failures(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const faults: string[] = []
  for await (const { level, says } of examineUpstreams(readSettings(environment), {}, Date.now)) {
    if (level === 'fail') faults.push(says.startsWith(limit) ? limit : says)
  }
  return faults
}

async function seenThrough(url: string, of: Chain) {
  const environment = { NODE_GRAPHQL_URL: url, UPSTREAM_TIMEOUT_MS: '20000' }
  const service = await startService({ environment, log: () => undefined })
  try {
    const status = async (stateHash: string) => (await fetch(`${service.url}/blocks/${stateHash}`)).status
    const { contract } = signedPayment(of, { memo: 'signed for another fee' })
    const { payload, ...command } = contract as { readonly payload: object }
    const body = JSON.stringify({ ...command, payload: { ...payload, fee: '20000000' } })
    const { headers } = await fetch(`${service.url}/broadcast/transaction`, { method: 'POST', body })
    return {
      held: await status(of.tip().stateHash),
      unheld: await status(unheldValues.state_hash),
      refused: `${headers.get('x-broadcast-outcome')} ${headers.get('x-broadcast-code')}`,
      doctor: await failures(environment),
    }
  } finally {
    await service.close()
  }
}

try {
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
  })
  await writeFile(join(folder, 'node.graphql'), nodeSchemaText)
  await copyFile(join(import.meta.dirname, 'check-servers/server.mjs'), join(folder, 'server.mjs'))
  for (const [kind, wanted] of Object.entries(expected)) {
    const { url, stop } = await started(kind)
    const seen = await seenThrough(url, chain).finally(stop)
    deepStrictEqual({ ...seen, doctor: [...new Set(seen.doctor)] }, wanted, kind)
    console.log(`${kind}: ${JSON.stringify(seen)}`)
  }
} finally {
  await close()
  await rm(folder, { recursive: true })
}
