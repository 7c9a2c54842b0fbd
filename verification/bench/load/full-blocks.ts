// A node's answer for GET /blocks?limit=10 on a busy chain.
import { queryOver } from '../../../functions/runtime/upstreams/upstreams.ts'
import { createChain } from '../../../local/chain/chain.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { listen } from '../../../local/start/listen.ts'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { fillBlocks } from '../../load/full-blocks.ts'

/** Ten blocks of the embedded node, each with as many commands as a busy real block. */
export async function tenFullBlocks(): Promise<string> {
  const chain = createChain({ seed: 'memory', now: () => Date.UTC(2026, 0, 1) })
  const node = await listen(nodeServer(chain), 0, '127.0.0.1')
  const settings = { node: { url: `http://127.0.0.1:${node.port}/graphql`, headers: {}, timeoutMs: 8000 } }
  const [operation] = getBlocks.operations
  if (operation === undefined) throw new Error('getBlocks asks nothing')
  const { data } = await queryOver(settings)(operation, { maxLength: 10 })
  await node.close()
  const { bestChain } = data as { bestChain: Parameters<typeof fillBlocks>[0] }
  fillBlocks(bestChain)
  return JSON.stringify({ data })
}
