// A chart of 1,000 blocks, whole and as headers, over nearly empty blocks and over blocks of 127 payments: the requests, the
// bytes, the time, and what the node converts. Every header is compared with the whole block.
//
//   npm run bench -- chart            behind a node that holds 290 blocks and an indexer, from three tips
//   npm run bench -- chart --quick    200 blocks, a node that holds 60, from one tip
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { gateway } from '../../../local/gateway/gateway.ts'
import { listen } from '../../../local/start/listen.ts'
import { serviceRoutes } from '../../../local/start/routes.ts'
import { maxBlocks, maxHeaders } from '../../../shared/contract/limits.ts'
import { type Chain, createChain } from '../../testnet/chain.ts'
import { indexerServer } from '../../testnet/indexer/server.ts'
import { nodeServer } from '../../testnet/node/server.ts'
import { comparedHeaders, headerOf, type PageOfBlocks } from '../account-history/blocks.ts'
import { countedNode } from '../counted-node.ts'

const { quick } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } }).values
const [charted, frontierBlocks, tips] = quick ? [200, 60, [0]] : [1000, 290, [0, 7, 13]]
const paymentsInBlock = 127
const fullPages = { block: maxBlocks, header: maxHeaders }

/** What a chart of headers may take at most, and its share of what whole blocks take. */
const maxRequests = 28
const maxBytes = 450_000
const maxShares = { empty: 0.1, full: 0.01 }

const now = Date.UTC(2026, 0, 1)
const local = '127.0.0.1'

function chainOf(seed: string, payments: number): Chain {
  const options = { now: () => now, slotsPerEpoch: 7140, blockSeconds: 90, signsOwnCommands: false }
  const chain = createChain({ ...options, seed, historyBlocks: charted + 40, frontierBlocks })
  const paid = chain.bestChain().flatMap(({ userCommands }) => userCommands)
  if (payments > 0) {
    const commands = paid.slice(0, payments).map((one, nonce) => ({ ...one, command: { ...one.command, nonce } }))
    for (const block of chain.bestChain()) Object.assign(block, { userCommands: commands, zkappCommands: [] })
  }
  return chain
}

async function serviceOver(chain: Chain) {
  const node = await listen(nodeServer(chain), 0, local)
  const converted = { blocks: 0, bytesOfNode: 0, most: 0 }
  const counting = countedNode(`http://${local}:${node.port}/graphql`, ({ blocks, bytes }) => {
    converted.blocks += blocks
    converted.bytesOfNode += bytes
    converted.most = Math.max(converted.most, blocks)
  })
  const upstreams = await Promise.all([counting, indexerServer(chain)].map((one) => listen(one, 0, local)))
  const [nodeUrl = '', indexerUrl = ''] = upstreams.map(({ port }) => `http://${local}:${port}/graphql`)
  const patience = { UPSTREAM_TIMEOUT_MS: '20000', INDEXER_TIMEOUT_MS: '20000' }
  const environment = { ...patience, NODE_GRAPHQL_URL: nodeUrl, INDEXER_GRAPHQL_URL: indexerUrl }
  const front = await listen(gateway(await serviceRoutes(readSettings(environment), () => undefined)), 0, local)
  return {
    converted,
    ask: (path: string) => fetch(`http://${local}:${front.port}${path}`).then((answer) => answer.text()),
    close: () => Promise.all([front, node, ...upstreams].map((server) => server.close())),
  }
}

type Service = Awaited<ReturnType<typeof serviceOver>>

/** As many blocks below a tip, which the chart has from /blocks or from its last turn. */
async function chart({ ask, converted }: Service, chain: Chain, depth: number, view: 'block' | 'header') {
  Object.assign(converted, { blocks: 0, bytesOfNode: 0, most: 0 })
  const tip = chain.bestChain().at(-1 - depth)
  let [requests, bytes, zipped] = [0, 0, 0]
  const headers = []
  const startedAt = performance.now()
  for (let next: string | undefined = `${tip?.height}-${tip?.stateHash}`; headers.length < charted && next; ) {
    const left = charted - headers.length
    // No more than the chart shows.
    const limit = left < fullPages[view] ? `&limit=${left}` : ''
    const text = await ask(`/blocks/before/${next}?view=${view}${limit}`)
    const page: PageOfBlocks = JSON.parse(text)
    requests += 1
    bytes += text.length
    zipped += gzipSync(text).length
    headers.push(...(page.headers ?? page.blocks?.map(headerOf) ?? []))
    next = page.next
  }
  return { headers, requests, bytes, zipped, ms: performance.now() - startedAt, ...converted }
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} KB`

for (const [name, payments] of [
  ['empty', 0],
  ['full', paymentsInBlock],
] as const) {
  const chain = chainOf(`chart ${name}`, payments)
  const service = await serviceOver(chain)
  const whole = await chart(service, chain, 0, 'block')
  for (const depth of tips) {
    const given = await chart(service, chain, depth, 'header')
    const { compared, unlike } = comparedHeaders(given.headers, whole)
    const share = given.bytes / whole.bytes
    const isMissed = given.requests > maxRequests || given.bytes > maxBytes || share > maxShares[name]
    if (isMissed || unlike > 0 || given.headers.length < charted) process.exitCode = 1
    console.log(
      `${name}, tip ${depth} lower: ${given.headers.length} headers in ${given.requests} requests, ${kilobytes(given.bytes)}, ` +
        `${kilobytes(given.zipped)} gzipped; of ${whole.requests} requests and ${kilobytes(whole.bytes)} (${kilobytes(whole.zipped)}) ` +
        `for whole blocks ${share.toFixed(4)} of the bytes, ${(given.ms / whole.ms).toFixed(2)} of the time; the node converts ` +
        `${given.blocks} blocks, at most ${given.most} for a question, and sends ${kilobytes(given.bytesOfNode)} (${whole.blocks}, ` +
        `${whole.most}, ${kilobytes(whole.bytesOfNode)}); unlike the whole block ${unlike} of ${compared}`,
    )
  }
  await service.close()
}
