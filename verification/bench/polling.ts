// The cost of a client that polls /blocks?limit=10 each five seconds, with the last entity tag and without. An hour of
// blocks: slots of 90 s, three of four filled, the protocol's aim, since more blocks cost more. Virtual time, real HTTP.
//
//   npm run bench -- polling
import type { Socket } from 'node:net'
import { createChain } from '../../local/chain/chain.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { createRandom, integerBetween } from '../../local/chain/random.ts'
import { listen } from '../../local/start/listen.ts'
import { startService } from '../../local/start/service.ts'

const pollSeconds = 5
const slotSeconds = 90
const polls = 3600 / pollSeconds
const pollsPerSlot = slotSeconds / pollSeconds

let now = Date.UTC(2026, 0, 1)
const chain = createChain({ seed: 'polling', now: () => now, blockSeconds: slotSeconds })
const serveNode = nodeServer(chain)
const sent = { calls: 0, bytes: 0 }
const counted = new WeakMap<Socket, number>()
const node = await listen(
  (request, response) => {
    response.on('finish', () => {
      sent.calls += 1
      sent.bytes += request.socket.bytesWritten - (counted.get(request.socket) ?? 0)
      counted.set(request.socket, request.socket.bytesWritten)
    })
    return serveNode(request, response)
  },
  0,
  '127.0.0.1',
)
const environment = { NODE_GRAPHQL_URL: `http://127.0.0.1:${node.port}/graphql` }
const service = await startService({ environment, log: () => undefined })

/** An hour of polls; `wrong` counts 304s after a new block, and blocks that are not the latest. */
async function pollForAnHour(withTag: boolean) {
  const random = createRandom('slots')
  const before = { ...sent }
  const counts = { notModified: 0, wrong: 0, callerBytes: 0 }
  let copy = { etag: '', tip: '' }
  for (let poll = 1; poll <= polls; poll++) {
    now += pollSeconds * 1000
    if (poll % pollsPerSlot === 0 && integerBetween(random, 1, 4) > 1) chain.produceBlock()
    const headers: Record<string, string> = withTag && copy.etag !== '' ? { 'if-none-match': copy.etag } : {}
    const response = await fetch(`${service.url}/blocks?limit=10`, { headers })
    const text = await response.text()
    const { stateHash } = chain.tip()
    counts.callerBytes += text.length
    counts.notModified += response.status === 304 ? 1 : 0
    counts.wrong += (response.status === 304 ? copy.tip === stateHash : text.includes(stateHash)) ? 0 : 1
    copy = { etag: response.headers.get('etag') ?? '', tip: stateHash }
  }
  return { polls, ...counts, nodeCalls: sent.calls - before.calls, nodeBytes: sent.bytes - before.bytes }
}

const plain = await pollForAnHour(false)
const tagged = await pollForAnHour(true)
await service.close()
await node.close()
console.log('without a tag', plain)
console.log('with the tag ', tagged)
console.log(`bytes from the node: ${((100 * tagged.nodeBytes) / plain.nodeBytes).toFixed(1)} %`)
if (plain.wrong + tagged.wrong > 0 || tagged.notModified < 0.9 * polls) process.exitCode = 1
