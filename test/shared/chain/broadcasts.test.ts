// Broadcasts through the door, over several nodes in virtual time.
import { describe, expect, test } from '@jest/globals'
import type { ChainPort } from '../../../shared/chain/port.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { accepted, found, nowhere, payment, poolError, refusedBy } from '../broadcast/broadcast-run.ts'
import { type Behaviour, genesisA, genesisB, healthy, instanceOver, type Simulated, simulated } from './simulated.ts'

/** Takes the command, and shows nothing of another one. */
const taking =
  (node: Simulated): Behaviour =>
  (name, variables) => {
    const own = healthy(node)(name, variables)
    if (name === 'sendPayment') return accepted
    return name === 'findCommand' ? { data: { ...Object(Object(own).data), ...nowhere.data } } : own
  }

/** A node that takes commands; where an answer to one question is given, it says that. */
function taker(name: string, more: Partial<Simulated> = {}, [question, reply]: [string?, ReturnType<Behaviour>?] = []) {
  const node = simulated(name, more)
  node.behaviour = (asked, variables) => (asked === question && reply ? reply : taking(node)(asked, variables))
  return node
}

const broadcast = (port: ChainPort) =>
  broadcastTransaction.run(payment, port).then(({ status, headers = {} }) => [status, headers['x-broadcast-outcome']])

const mutations = ({ asked }: Simulated) => asked.filter((name) => name === 'sendPayment').length

const sent = [201, 'accepted']

describe('a cold broadcast', () => {
  test('waits for a node listed before as long as it takes to know the network', async () => {
    const slow = taker('slow', { latencyMs: 6000 })
    const foreign = taker('foreign', { genesis: genesisB })
    const { given } = await instanceOver([slow, foreign]).request(broadcast)
    expect([given, mutations(foreign)]).toEqual([sent, 0])
  })

  test('of two at a time share the question for a network, and each waits for its answer', async () => {
    const nodes = [taker('a', { latencyMs: 900 }), taker('b')]
    const { request } = instanceOver(nodes, { genesisStateHash: genesisA })
    const both = await request((port) => Promise.all([broadcast(port), broadcast(port)]))
    expect(both.given).toEqual([sent, sent])
    expect(nodes.map(({ asked }) => asked.filter((name) => name === 'networkCheck').length)).toEqual([1, 1])
  })
})

test('a pin that every listed node contradicts in the same way lets the command out, and says so', async () => {
  const nodes = ['a', 'b'].map((name) => taker(name, { genesis: genesisB }))
  const { given, events } = await instanceOver(nodes, { genesisStateHash: genesisA }).request(broadcast)
  expect([given, events.some((event) => event.startsWith('hard-fork'))]).toEqual([sent, true])
})

test('a pin that no node is on lets nothing out while a node has not answered', async () => {
  const nodes = [taker('a', { genesis: genesisB }), simulated('b', { behaviour: () => 'refused' })]
  const { given } = await instanceOver(nodes, { genesisStateHash: genesisA }).request(broadcast)
  expect([given, nodes.map(mutations)]).toEqual([
    [400, 'unknown'],
    [0, 0],
  ])
})

describe('a refusal', () => {
  const poor = () => taker('poor', {}, ['sendPayment', poolError('Insufficient_funds')])
  const noFrontier =
    "Couldn't send user command: (failure \"We don't have a transition frontier at the moment, so we're unable to verify any transactions.\")"

  const failure = 'Couldn\'t send user command: (failure "verifier crashed")'

  test.each<[string, Simulated]>([
    ['a Rust node', simulated('rust', { behaviour: () => ({ status: 400, errors: ['Unknown type "PublicKey"'] }) })],
    ['a node whose pool has no ledger yet', taker('booting', {}, ['sendPayment', refusedBy(noFrontier)])],
    ['a node whose pool’s verification fails', taker('failing', {}, ['sendPayment', refusedBy(failure)])],
    ['a node without a connection', simulated('down', { behaviour: () => 'refused' })],
    ['a node of another network', taker('foreign', { genesis: genesisB })],
    [
      'a node that only the look for the command shows to be of another network',
      taker('foreign', { genesis: genesisB }, ['networkCheck', 'broken']),
    ],
  ])('by the healthy node stands beside %s', async (_what, other) => {
    const { given, tookMs } = await instanceOver([poor(), other]).request(broadcast)
    expect([given, tookMs < 1000]).toEqual([[400, 'refused'], true])
  })

  test('does not stand where a node that it was not sent to may hold the command', async () => {
    const own = Object(healthy(simulated('holder'))('findCommand', {}))
    const shown = { data: { ...own.data, ...found([{ ...accepted.data.sendPayment.payment }]).data } }
    const holder = taker('holder', { latencyMs: 400 }, ['findCommand', shown])
    const { given } = await instanceOver([poor(), poor(), poor(), holder]).request(broadcast)
    expect(given).toEqual([201, 'already-known'])
  })

  test('gives way to no command that a node shows whose network is unknown', async () => {
    const { data } = found([{ ...accepted.data.sendPayment.payment }])
    const behaviour: Behaviour = (name) => (name === 'networkCheck' ? 'broken' : { data, errors: ['cut short'] })
    const { given } = await instanceOver([poor(), simulated('stranger', { behaviour })]).request(broadcast)
    expect(given).toEqual([400, 'unknown'])
  })
})

test('a broadcast leaves no call, timer or connection behind its answer', async () => {
  const slow = simulated('slow', { behaviour: () => 'hangs' })
  const { request, time } = instanceOver([taker('good'), slow])
  await request(broadcast)
  expect(time.pending()).toBeLessThanOrEqual(2)
})
