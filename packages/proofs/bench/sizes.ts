// The answers whose length others decide, over blocks and a pool as full as Mesa allows: the bytes of the response as Lambda
// counts them, those of the node's longest answer, and the time beside that over blocks of a few payments.
//
//   npm run bench -- sizes
import { maxResponseBytes } from '../../../functions/runtime/answer-size.ts'
import { maxAnswerBytes } from '../../../functions/runtime/upstreams/transport.ts'
import { listen } from '../../../local/start/listen.ts'
import { startService } from '../../../local/start/service.ts'
import { maxBlocks, maxHistory } from '../../../shared/contract/limits.ts'
import { type Chain, createChain } from '../../testnet/chain.ts'
import { indexerServer } from '../../testnet/indexer/server.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { countedNode } from '../counted-node.ts'
import { fullOfZkapps } from '../load/mesa-blocks.ts'
import { quantile } from '../load/spread.ts'

/** More than any read lists. */
const fullBlocks = 40
const turns = 5

const now = Date.now()
const newChain = () =>
  createChain({ seed: 'sizes', historyBlocks: 60, blockSeconds: 90, now: () => now, signsOwnCommands: false })

async function serviceOver(chain: Chain) {
  const node = await listen(nodeServer(chain), 0, '127.0.0.1')
  let longest = 0
  const counting = countedNode(`http://127.0.0.1:${node.port}/graphql`, ({ bytes }) => {
    longest = Math.max(longest, bytes)
  })
  const upstreams = await Promise.all([counting, indexerServer(chain)].map((one) => listen(one, 0, '127.0.0.1')))
  const [nodeUrl, indexerUrl] = upstreams.map(({ port }) => `http://127.0.0.1:${port}/graphql`)
  const environment = { NODE_GRAPHQL_URL: nodeUrl, INDEXER_GRAPHQL_URL: indexerUrl, INDEXER_TIMEOUT_MS: '20000' }
  const service = await startService({ environment, log: () => undefined })
  return {
    async get(path: string) {
      longest = 0
      const startedAt = performance.now()
      const response = await fetch(service.url + path)
      const body = await response.text()
      const ms = performance.now() - startedAt
      const result = { statusCode: response.status, headers: Object.fromEntries(response.headers), body }
      const bytes = Buffer.byteLength(JSON.stringify(result))
      return { status: response.status, body, bytes, longest, ms }
    },
    close: () => Promise.all([service, node, ...upstreams].map((server) => server.close())),
  }
}

/** The same reads of any chain. */
function readsOf(chain: Chain): readonly (readonly [name: string, path: string])[] {
  const bestChain = chain.bestChain()
  const [tip, buried] = [bestChain.at(-1), bestChain.at(-10)]
  const payer = chain.wallets[0]?.publicKey
  const command = buried?.zkappCommands[0]?.hash ?? buried?.userCommands[0]?.command.hash
  const limits = Array.from({ length: maxBlocks }, (_, index) => index + 1)
  return [
    ...limits.map((limit) => [`/blocks?limit=${limit}`, `/blocks?limit=${limit}`] as const),
    ...limits.map((limit) => {
      const cursor = `${tip?.height}-${tip?.stateHash}`
      return [`/blocks/before/{cursor}?limit=${limit}`, `/blocks/before/${cursor}?limit=${limit}`] as const
    }),
    ['/blocks/{state_hash}', `/blocks/${buried?.stateHash}`],
    ['/transactions/{hash}', `/transactions/${command}`],
    [`/accounts/{public_key}/transactions?limit=${maxHistory}`, `/accounts/${payer}/transactions?limit=${maxHistory}`],
    ['/pool', '/pool'],
    ['/pool?account={public_key}', `/pool?account=${payer}`],
    ['/fees', '/fees'],
  ]
}

const [full, plain] = [fullOfZkapps(newChain(), fullBlocks), newChain()]
const [overFull, overPlain] = [await serviceOver(full), await serviceOver(plain)]
const besides = readsOf(plain)
const shownRatios = (ratios: readonly number[]): string => {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(0))
  return `${middle} (${low}-${high})`
}
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`

console.log(`a response has at most ${megabytes(maxResponseBytes)}, an answer of a node ${megabytes(maxAnswerBytes)}\n`)
for (const [index, [name, path]] of readsOf(full).entries()) {
  const ratios: number[] = []
  let shown = await overFull.get(path)
  for (let turn = 0; turn < turns; turn++) {
    const beside = await overPlain.get(besides[index]?.[1] ?? '')
    shown = await overFull.get(path)
    ratios.push(shown.ms / beside.ms)
  }
  const { status, body, bytes, longest } = shown
  const message = status === 200 ? '' : String(JSON.parse(body).message)
  const sizes = `${megabytes(bytes)} of ${megabytes(longest)} from the node`
  console.log(`${name.padEnd(48)} ${status}  ${sizes}, time ${shownRatios(ratios)}  ${message}`)
  // Only a 503 with the service's own words may stand for an answer that is too long.
  const isTold = status === 503 && message !== 'Upstream unavailable.'
  if (bytes > maxResponseBytes || (status !== 200 && !isTold)) process.exitCode = 1
}
await Promise.all([overFull, overPlain].map((each) => each.close()))
