// A service over two nodes, with a switch for what it says of itself.
import { readSettings } from '../../../functions/runtime/settings/settings.ts'
import { gateway } from '../../../local/gateway/gateway.ts'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { listen } from '../../../local/start/listen.ts'
import { serviceRoutes } from '../../../local/start/routes.ts'
import { createChain } from '../../testnet/chain.ts'
import { nodeServer } from '../../testnet/node/server.ts'

/** `down` is a chain that has halted. */
export const states = ['ok', 'degraded', 'down', 'gone'] as const
export type State = (typeof states)[number]

const slotMs = 180_000

export async function switchedService() {
  let state: State = 'ok'
  const beganAt = Date.UTC(2026, 0, 1)
  const now = () => beganAt + (state === 'down' ? 40 * slotMs : 0)
  const options = { seed: 'monitoring', blockSeconds: slotMs / 1000, historyBlocks: 40, signsOwnCommands: false }
  const serveNode = nodeServer(createChain({ ...options, now }))
  const first = await listen(serveNode, 0, '127.0.0.1')
  const second = await listen(
    (request, response) => {
      if (state === 'degraded') request.socket.destroy()
      else void serveNode(request, response)
    },
    0,
    '127.0.0.1',
  )
  const nodes = [first, second].map(({ port }) => `http://127.0.0.1:${port}/graphql`).join()
  const settings = readSettings({ NODE_GRAPHQL_URL: nodes })
  const answer = gateway(await serviceRoutes(settings, () => undefined, { ...hurriedClock, now }))
  const { port, close } = await listen(
    (request, response) => {
      if (state === 'gone') request.socket.destroy()
      else answer(request, response)
    },
    0,
    '127.0.0.1',
  )
  return {
    url: `http://127.0.0.1:${port}`,
    become: (next: State) => {
      state = next
    },
    close: () => Promise.all([close(), first.close(), second.close()]),
  }
}
