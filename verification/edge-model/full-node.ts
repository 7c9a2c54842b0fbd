// The embedded node with full blocks, and a count of the requests to it.
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Chain } from '../../local/chain/chain.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { type Listening, listen } from '../../local/start/listen.ts'
import { fillBlocks } from '../load/full-blocks.ts'

type Block = Parameters<typeof fillBlocks>[0][number]

interface Reply {
  readonly data?: { readonly bestChain?: readonly Partial<Block>[]; readonly block?: Partial<Block> } | null
}

const isWhole = (block: Partial<Block> | undefined): block is Block => block?.transactions?.userCommands !== undefined

export interface FullNode {
  readonly url: string
  /** Requests so far. */
  calls(): number
  close(): Promise<void>
}

/** Serves a chain as its node does, but for the number of commands in its blocks. */
export async function fullNode(chain: Chain): Promise<FullNode> {
  const node = await listen(nodeServer(chain), 0, '127.0.0.1')
  let calls = 0
  const answer: RequestListener = async (request, response) => {
    calls += 1
    const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: await text(request) }
    const answered = await fetch(`http://127.0.0.1:${node.port}/graphql`, asked)
    const reply = (await answered.json()) as Reply
    fillBlocks([...(reply.data?.bestChain ?? []), reply.data?.block].filter(isWhole))
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  }
  const front: Listening = await listen(answer, 0, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${front.port}/graphql`,
    calls: () => calls,
    close: async () => {
      await front.close()
      await node.close()
    },
  }
}
