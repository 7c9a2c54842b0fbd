// Node and indexer of an embedded chain on a separate thread, each answering after the delay in its address:
// `?delayMs=20`, and `&stakesDelayMs=40` for staking ledgers; `Infinity` for never. The chain does not change, so
// answers are computed once and only the delay is left.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { createChain } from '../../../local/chain/chain.ts'
import { indexerServer } from '../../../local/chain/indexer/server.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { listen } from '../../../local/start/listen.ts'

/** The thread's message when both upstreams serve. */
export interface DelayedUpstreams {
  /** Addresses without a delay. */
  readonly nodeUrl: string
  readonly indexerUrl: string
  /** A block that the node holds, and one that only the indexer has. */
  readonly stateHash: string
  readonly oldStateHash: string
  /** An account with delegators. */
  readonly publicKey: string
}

const host = '127.0.0.1'

function delayOf(request: IncomingMessage, sent: string): number {
  const { searchParams } = new URL(request.url ?? '/', `http://${host}`)
  const isWalk = /query (?:stakeOfKey|delegatorsOfKey)\b/.test(sent)
  const stakesDelay = isWalk ? searchParams.get('stakesDelayMs') : null
  return Number(stakesDelay ?? searchParams.get('delayMs') ?? 0)
}

async function delaying(serve: RequestListener): Promise<string> {
  const behind = await listen(serve, 0, host)
  const headers = { 'content-type': 'application/json' }
  const answers = new Map<string, string>()

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const receivedAt = performance.now()
    const sent = await text(request)
    const delayMs = delayOf(request, sent)
    if (!Number.isFinite(delayMs)) return
    const post = () => fetch(`http://${host}:${behind.port}/graphql`, { method: 'POST', headers, body: sent })
    const body = answers.get(sent) ?? (await (await post()).text())
    answers.set(sent, body)
    await sleep(Math.max(0, delayMs - (performance.now() - receivedAt)))
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
  }
  // A caller hangs up at its time-out, perhaps in the middle of its request.
  const front = await listen((request, response) => void answer(request, response).catch(() => undefined), 0, host)
  return `http://${host}:${front.port}/graphql`
}

const chain = createChain({ seed: 'indexer latency', now: () => Date.UTC(2026, 0, 1), slotsPerEpoch: 10 })
const upstreams: DelayedUpstreams = {
  nodeUrl: await delaying(nodeServer(chain)),
  indexerUrl: await delaying(indexerServer(chain)),
  stateHash: chain.tip().stateHash,
  oldStateHash: chain.genesisBlock().stateHash,
  publicKey: chain.producers[0]?.publicKey ?? '',
}
parentPort?.postMessage(upstreams)
