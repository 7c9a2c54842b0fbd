// Reads through the door, over several nodes in virtual time.
import { describe, expect, test } from '@jest/globals'
import type { ChainPort } from '../../../shared/chain/port.ts'
import { nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import { genesisA, genesisB, hashAt, instanceOver, simulated } from './simulated.ts'

const tip = (port: ChainPort) => port.ask(nodeTipQuery, {}).then(({ tip: shown }) => shown?.stateHash)

test('a cold instance takes the network of the first listed node that can be reached', async () => {
  const nodes = [simulated('down', { behaviour: () => 'refused' }), simulated('next', { genesis: genesisB })]
  const { request } = instanceOver([...nodes, simulated('last', { height: 7 })], { random: () => 0.9 })
  expect((await request(tip)).given).toBe(hashAt(100))
})

describe('a pin', () => {
  test('holds while one listed node has not answered', async () => {
    const nodes = [simulated('a', { genesis: genesisB }), simulated('b', { behaviour: () => 'refused' })]
    const { request, time } = instanceOver(nodes, { genesisStateHash: genesisA })
    for (let read = 0; read < 5; read++) {
      time.pass(20_000)
      expect((await request(tip)).given).toMatchObject({ fault: 'busy' })
    }
  })

  test('gives way, with a log line, once every listed node names the same other network', async () => {
    const nodes = [simulated('a'), simulated('b')]
    const { request } = instanceOver(nodes, { genesisStateHash: genesisA })
    expect((await request(tip)).given).toBe(hashAt(100))
    for (const node of nodes) node.genesis = genesisB
    expect((await request(tip)).events).toContain('hard-fork a')
    expect((await request(tip)).given).toBe(hashAt(100))
  })
})

test('the log names the node and the fault of an answer that does not fit, also when another node then answers', async () => {
  const odd = simulated('odd', { behaviour: () => ({ data: { bestChain: 5 } }) })
  const { request } = instanceOver([odd, simulated('good')])
  const { given, calls } = await request(tip)
  expect(given).toBe(hashAt(100))
  expect(calls[0]).toMatchObject({
    node: 'odd',
    outcome: 'unreadable',
    reason: 'nodeTip.bestChain: wanted a list, got number',
  })
})
