// How many daemons the doctor counts at an address, behind balancers that do and do not spread connections.
import type { Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { createChain } from '../../../packages/testnet/chain.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { lineOf } from '../../../tools/doctor/finding.ts'
import { daemonsFinding, readPeers } from '../../../tools/doctor/upstreams/daemons.ts'
import { serve } from '../../serving.ts'

/** An address whose connections go to one daemon after the other, and each stays with its own. */
async function balancerOver(count: number) {
  const chain = createChain({ seed: 'daemons', now: Date.now, signsOwnCommands: false })
  const daemons = Array.from({ length: count }, () => nodeServer(chain))
  const connections: Socket[] = []
  const { url } = await serve((request, response) => {
    if (!connections.includes(request.socket)) connections.push(request.socket)
    return daemons[connections.indexOf(request.socket) % count]?.(request, response)
  })
  return { connections, node: { url: `${url}/graphql`, headers: {}, timeoutMs: 20_000 } }
}

test.each([1, 3])('the doctor sees %d daemons of as many, on a dozen connections', async (count) => {
  const { node, connections } = await balancerOver(count)
  const peers = await readPeers(node, undefined)
  expect([peers.length, new Set(peers).size, connections.length]).toEqual([12, count, 12])
  expect(peers.filter((peer) => !/^12D3KooW\w{44}$/.test(peer))).toEqual([])
})

test('the doctor names the settings for one daemon and for several, and takes one that it saw for no proof', () => {
  const [first, second] = ['12D3KooWa', '12D3KooWb']
  const seen = [[first, first], [first, second, first], []]
  const lines = (['alone', 'one', 'shared'] as const).flatMap((listed) =>
    seen.map((peers) => lineOf(daemonsFinding(peers, listed))),
  )
  const both = (one: string, several: string) =>
    `. If you know that it is a single one: ${one}. If several may answer, even where a balancer sticks to one of them: ${several}`
  const alone = both(
    `nodes: [{ graphqlUrl: '…' }] with that address in place of nodeGraphqlUrl (NODES='[{"graphqlUrl":"…"}]' of npm start)`,
    'nodeGraphqlUrl, as it is',
  )
  const one = both('its entry of nodes, as it is', 'sharedAddress: true in its entry of nodes')
  const shared = both('take sharedAddress: true out of its entry of nodes', 'its entry of nodes, as it is')
  const [single, several] = ['at least 1 daemon answers here, by 2', 'at least 2 daemons answer here, by 3']
  expect(lines.map((line) => line.replace(' answers on new connections', ''))).toEqual([
    `ok   node address: ${single}${alone}`,
    `ok   node address: ${several}: nodeGraphqlUrl, as it is`,
    `ok   node address: no daemon tells its peer id here${alone}`,
    `ok   node address: ${single}${one}`,
    `fail node address: ${several}, and the settings say one: refusals and absences would be told too early -> sharedAddress: true in its entry of nodes, or an address of each`,
    `ok   node address: no daemon tells its peer id here${one}`,
    `ok   node address: ${single}${shared}`,
    `ok   node address: ${several}: its entry of nodes, as it is`,
    `ok   node address: no daemon tells its peer id here${shared}`,
  ])
})
