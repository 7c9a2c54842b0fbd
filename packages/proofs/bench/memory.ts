// Does a warm function leak memory? GET /blocks?limit=10 over one upstream answer of ten full blocks. The heap is
// measured after a full collection at intervals, as a ratio to the first one. Without a leak the ratios stay near 1.
import { serve } from '../../../functions/runtime/serve.ts'
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { portsOf } from '../../../functions/runtime/upstreams/upstreams.ts'
import schema from '../../../functions/runtime/validators/get-blocks.js'
import { lambdaContext } from '../../../local/gateway/context.ts'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { cannedNode, tenFullBlocks } from '../load/canned-node.ts'
import { commandsPerBlock } from '../load/full-blocks.ts'
import { gatewayEvent } from '../load/gateway-event.ts'

const requests = 1000
const interval = 100

const heapInUse = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const body = await tenFullBlocks()
// On another thread, so that only the function's heap is measured.
const node = await cannedNode([body])
const handler = serve(getBlocks, {
  schema,
  ...portsOf(readSettings({ NODE_GRAPHQL_URL: node.urlOf(0) })),
  log: () => undefined,
})
const event = gatewayEvent(getBlocks, { query: { limit: '10' } })
const request = async () => {
  const { statusCode } = await handler(event, lambdaContext('bench', Date.now))
  if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
}

for (let warmUp = 0; warmUp < interval; warmUp++) await request()
const first = heapInUse()
const ratios: number[] = []
for (let count = 1; count <= requests; count++) {
  await request()
  if (count % interval === 0) ratios.push(heapInUse() / first)
}
await node.close()

const shown = ratios.map((ratio) => ratio.toFixed(3))
console.log(`upstream answer: ${(body.length / 1024).toFixed(0)} KB, 10 blocks of ${commandsPerBlock} commands`)
console.log(`heap after each ${interval} of ${requests} requests, as a ratio to the heap after warm-up:`)
console.log(`  ${shown.join(' ')}`)
console.log(`  spread ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}, last ${shown.at(-1)}`)
