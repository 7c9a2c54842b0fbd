// A pinned network, and what the log says of each node. The simulated world (packages/proofs/world) has the rest.
import { describe, expect, test } from '@jest/globals'
import { hurriedClock } from '../../../local/start/hurried-clock.ts'
import { ask } from '../../../shared/chain/actions/ask.ts'
import { askAll } from '../../../shared/chain/actions/ask-all.ts'
import { askEach } from '../../../shared/chain/actions/ask-each.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import { maxHedgeDelayMs } from '../../../shared/chain/node-state.ts'
import type { CallRecord, ChainView, Clock, Observer } from '../../../shared/chain/port.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import { networkQuery } from '../../../shared/upstream/network.ts'
import { nodeQuery, nodeTipQuery } from '../../../shared/upstream/node-query.ts'
import type { NodePort, Reply } from '../../../shared/upstream/query.ts'
import { accepted, cut, found, held, nowhere, payment, poolError, unsent } from '../broadcast/broadcast-run.ts'
import { whole } from '../endpoints/asking.ts'
import { stateHash, tipReplyAt } from '../mapping/node-wire.ts'
import { silentObserver } from './silent-observer.ts'

type Replies = Readonly<Record<string, Partial<Reply> | Error>>

/** A node with its own address, and the questions that it was asked. */
function nodeOn(genesis: string | Error, tip: object = tipReplyAt(2), replies: Replies = {}) {
  const asked: string[] = []
  const port: { -readonly [Key in keyof NodePort]: NodePort[Key] } = {
    name: `node on ${genesis}`,
    sharedAddress: false,
    async query({ name }) {
      asked.push(name)
      const own = replies[name]
      if (own instanceof Error) throw own
      if (own !== undefined) return { status: 200, errors: [], data: undefined, ...own }
      if (genesis instanceof Error) throw genesis
      if (name === 'sendPayment') return whole(accepted)
      const { data } = whole(tip)
      return whole({ data: { ...Object(data), genesisBlock: { stateHash: genesis } } })
    },
  }
  return { port, asked }
}

const sibling = stateHash.split('').reverse().join('')

/** A tip of now: for an older one, other nodes are asked at once. */
function youngTip(height: number, tipHash?: string) {
  const { data } = tipReplyAt(height, tipHash)
  const blockchainState = { date: String(Date.now()) }
  const young = data.bestChain.map((block) => ({
    ...block,
    protocolState: { ...block.protocolState, blockchainState },
  }))
  return { data: { ...data, bestChain: young } }
}

/** Requests to one instance over these nodes, with what its log would say of them. */
function instanceOver(
  nodes: readonly ReturnType<typeof nodeOn>[],
  pins: string | readonly string[] = [],
  random = 0,
  clock = hurriedClock,
) {
  const genesisStateHashes = [pins].flat()
  const ports = nodes.map(({ port }) => port)
  const chain = createChain({ nodes: ports, clock, random: () => random, genesisStateHashes })
  return async <Given>(act: (port: ChainView) => Promise<Given>) => {
    const calls: CallRecord[] = []
    const events: string[] = []
    const observer: Observer = {
      ...silentObserver,
      called: (call) => void calls.push(call),
      noticed: (event, node) => void events.push(`${event} ${node}`),
    }
    const port = chain.view({ withinMs: 20_000, observer })
    const given = await act(port).catch((error: unknown) => error)
    port.end()
    return { given, calls, events }
  }
}

const tip = (port: ChainView) => ask(port, nodeTipQuery, {}).then(({ tip: shown }) => shown?.stateHash)
const broadcast = (port: ChainView) =>
  broadcastTransaction.run(payment, port).then(({ status, headers = {} }) => [status, headers['x-broadcast-outcome']])

test('a cold instance takes the network of the first listed node that answers, whichever it asks first', async () => {
  const last = nodeOn('last', tipReplyAt(2, 'last'))
  const request = instanceOver([nodeOn(unsent), nodeOn('next'), last], undefined, 0.9)
  expect((await request(tip)).given).toBe(stateHash)
  expect(last.asked).toEqual(['nodeTip'])
})

test('a stalled node is named once, by the answer that shows it two blocks behind another', async () => {
  const [first, second] = [nodeOn('one', youngTip(2)), nodeOn('one', youngTip(2))]
  const request = instanceOver([first, second])
  const seen: (readonly string[])[] = []
  for (const height of [2, 3, 4, 5]) {
    const moved = nodeOn('one', youngTip(height))
    second.port.query = moved.port.query
    seen.push((await request((port) => askEach(port, nodeTipQuery, 2000))).events)
    seen.push((await request((port) => askEach(port, nodeTipQuery, 2000))).events)
  }
  expect(seen).toEqual([[], [], [], [], [], ['behind node on one'], [], []])
})

test('a read asks how long a slot is if one of several nodes has a tip that may be old, and not for a current tip', async () => {
  const asksOver = async (shown: object) => {
    const nodes = [nodeOn('one', shown), nodeOn('one', shown)]
    await instanceOver(nodes)(tip)
    return nodes.some(({ asked }) => asked.includes(networkQuery.name))
  }
  expect([await asksOver(tipReplyAt(2)), await asksOver(youngTip(2))]).toEqual([true, false])
})

const refusal = (message: string) => ({ status: 400, errors: [message] })
const unknownLength = refusal('Unknown field "blockchainLength" on type "ConsensusState"')

test.each([
  ['does not know a field of a question', { nodeTip: unknownLength }, []],
  ['does not let a caller in', { nodeTip: refusal('Client name is missing.') }, []],
  ['has a limit of depth', { nodeTip: refusal("'nodeTip' exceeds maximum operation depth of 3") }, []],
  [
    'does not know a field of the check of its network either',
    { nodeTip: unknownLength, networkCheck: unknownLength },
    ['unsupported node on one'],
  ],
])('a node that %s is out of use only in the last case, as a Rust node', async (_what, replies, unsupported) => {
  const ofKind = (events: readonly string[]) => events.filter((event) => event.startsWith('unsupported'))
  const beside = await instanceOver([nodeOn('one', youngTip(2), replies), nodeOn('one', youngTip(2))])(tip)
  const alone = await instanceOver([nodeOn('one', youngTip(2), replies)])(tip)
  expect([beside.given, ofKind(beside.events), ofKind(alone.events)]).toEqual([stateHash, unsupported, unsupported])
})

test('a node whose gateway lacks a field of one question is asked the others, and for its network once in a while', async () => {
  const node = nodeOn('one', youngTip(2), { lacking: refusal('Cannot query field "x" on type "Query".') })
  const request = instanceOver([node, nodeOn(unsent)], 'one')
  for (let count = 0; count < 3; count++) await request((port) => ask(port, nodeQuery('lacking', '', {}), {}))
  expect([(await request(tip)).given, (await request(broadcast)).given]).toEqual([stateHash, [201, 'accepted']])
  expect(node.asked.filter((name) => name === 'networkCheck')).toHaveLength(1)
})

test('of two pinned networks too, a node that refuses a field of its tip is a Rust node only if it refuses the check', async () => {
  const eventsOver = async (replies: Replies) => {
    const nodes = [nodeOn('one', youngTip(2), replies), nodeOn('one', youngTip(2))]
    return (await instanceOver(nodes, ['one', 'two'])(broadcast)).events
  }
  expect(await eventsOver({ nodeTip: unknownLength })).toEqual([])
  expect(await eventsOver({ nodeTip: unknownLength, networkCheck: unknownLength })).toEqual(['unsupported node on one'])
})

test('a cold instance answers with the greatest height that was shown, though that node waited for the network to be known', async () => {
  const first = nodeOn('one', youngTip(2))
  const { query } = first.port
  const secondAnswered = Promise.withResolvers<void>()
  first.port.query = async (...question) => {
    if (question[0] !== nodeTipQuery) return new Promise(() => undefined)
    await secondAnswered.promise
    return query(...question)
  }
  const second = nodeOn('one', youngTip(3, sibling))
  const { query: querySecond } = second.port
  second.port.query = async (...question) => {
    const reply = await querySecond(...question)
    setImmediate(secondAnswered.resolve)
    return reply
  }
  // The second node is asked at once, and the patience with the first one's network does not end.
  const clock: Clock = {
    ...hurriedClock,
    after: (milliseconds, action) =>
      milliseconds > maxHedgeDelayMs / 2 ? () => undefined : hurriedClock.after(milliseconds, action),
  }
  const { given } = await instanceOver([first, second], undefined, 0, clock)(tip)
  expect(given).toBe(sibling)
})

const tipAsked = { operation: nodeTipQuery, variables: {} }

/** The heights of all tips that answer, and whether none greater was seen. */
const heightsOfAll = (port: ChainView, isEnough: (first: readonly unknown[]) => boolean = () => false) =>
  askAll(port, { ...tipAsked, repeat: tipAsked, isEnough }).then(({ whole }) =>
    whole.map(({ tip: { height } }) => [height, !port.isStaleHeight(height)]),
  )

test('when the first listed node names its network late, heights of another are forgotten and the nodes of its own asked', async () => {
  const late = nodeOn('one', youngTip(2), { networkCheck: unsent })
  const { query } = late.port
  late.port.query = (...question) => new Promise(setImmediate).then(() => query(...question))
  const nodes = [late, nodeOn('other', youngTip(50)), nodeOn('one', youngTip(3))]
  const { given } = await instanceOver(nodes, undefined, 0.4)((port) => heightsOfAll(port))
  expect(given).toEqual([
    [2, false],
    [3, true],
  ])
})

test('a question to all over one shared address fails with any of its three answers, since two would prove no absence', async () => {
  const node = nodeOn('one')
  node.port.sharedAddress = true
  const { query } = node.port
  let answered = 0
  node.port.query = (...question) => (++answered === 3 ? Promise.reject(cut) : query(...question))
  const question = { ...tipAsked, repeat: tipAsked, isEnough: () => false }
  const { given } = await instanceOver([node])((port) => askAll(port, question))
  expect([given, answered]).toEqual([cut, 3])
})

test('a question to all keeps what a superseded node showed, even if that node then fails', async () => {
  const lagging = nodeOn('one', tipReplyAt(1))
  const { query } = lagging.port
  lagging.port.query = (...question) =>
    lagging.asked.includes(nodeTipQuery.name) && question[0] === nodeTipQuery ? Promise.reject(cut) : query(...question)
  const counted: number[] = []
  const isEnough = (first: readonly unknown[]) => counted.push(first.length) === 0
  const { given } = await instanceOver([lagging, nodeOn('one', tipReplyAt(2))])((port) => heightsOfAll(port, isEnough))
  expect([given, counted]).toEqual([
    [
      [2, true],
      [1, false],
    ],
    [2],
  ])
})

const wholeQuery = nodeQuery('wholeQuestion', '', {})
const newestQuery = nodeQuery('newestQuestion', '', {})

test.each([
  ['is read once, and asked twice more for its tip', tipReplyAt(2), ['wholeQuestion', 'nodeTip', 'nodeTip']],
  [
    'is read again, twice at most, where another answer has a higher tip',
    tipReplyAt(3, sibling),
    ['wholeQuestion', 'nodeTip', 'nodeTip', 'newestQuestion', 'newestQuestion'],
  ],
  [
    'is read again, twice at most, where another answer has a sibling of the tip',
    tipReplyAt(2, sibling),
    ['wholeQuestion', 'nodeTip', 'nodeTip', 'newestQuestion', 'newestQuestion'],
  ],
  ['is read once where the others lie behind', tipReplyAt(1, sibling), ['wholeQuestion', 'nodeTip', 'nodeTip']],
])('a shared address %s', async (_what, repeated, asked) => {
  const nodeTip = whole({ data: { ...repeated.data, genesisBlock: { stateHash: 'one' } } })
  const node = nodeOn('one', tipReplyAt(2), { nodeTip })
  node.port.sharedAddress = true
  const question = {
    operation: wholeQuery,
    variables: {},
    repeat: { operation: nodeTipQuery, variables: {} },
    rereading: () => ({ operation: newestQuery, variables: {} }),
    isEnough: () => false,
  }
  const { given } = await instanceOver([node])((port) =>
    askAll(port, question).then(({ whole, repeated, reread }) => [
      ...whole.map(() => wholeQuery.name),
      ...repeated.map(() => nodeTipQuery.name),
      ...reread.map(() => newestQuery.name),
    ]),
  )
  expect([given, node.asked]).toEqual([asked, asked])
})

test('a node that is asked again after its call was given up is heard, though the old call ends meanwhile', async () => {
  const fresh = nodeOn('one', tipReplyAt(2))
  const { query } = fresh.port
  let asked = 0
  // It answers the first question, is silent to the second until that is given up, and takes its time for the third.
  fresh.port.query = async (...question) => {
    asked += Number(question[0] === nodeTipQuery)
    const abort = question[2]?.signal
    if (asked === 2) await new Promise((_, reject) => abort?.addEventListener('abort', () => reject(cut)))
    if (asked === 3) await new Promise(setImmediate)
    return query(...question)
  }
  const request = instanceOver([fresh, nodeOn('one', tipReplyAt(1))])
  const height = (port: ChainView) => ask(port, nodeTipQuery, {}).then(({ tip: shown }) => shown?.height)
  expect((await request(height)).given).toBe(2)
  expect((await request(height)).given).toBe(2)
  expect(asked).toBe(3)
})

describe('a pinned network', () => {
  test('is kept while one listed node has not answered: no read, and no command, goes elsewhere', async () => {
    const nodes = [nodeOn('new'), nodeOn(unsent)]
    const request = instanceOver(nodes, 'pinned')
    expect((await request(tip)).given).toMatchObject({ fault: 'busy' })
    expect((await request(broadcast)).given).toEqual([400, 'unknown'])
    expect(nodes.flatMap(({ asked }) => asked)).not.toContain('sendPayment')
  })

  test('gives way, with a log line, once every listed node names the same other network', async () => {
    const nodes = [nodeOn('new'), nodeOn('new')]
    const { given, events } = await instanceOver(nodes, 'pinned')(broadcast)
    expect([given, events]).toEqual([[201, 'accepted'], expect.arrayContaining(['hard-fork node on new'])])
    expect((await instanceOver([nodeOn('new'), nodeOn('newer')], 'pinned')(broadcast)).given).toEqual([400, 'unknown'])
  })
})

test('a command that a node of unknown network shows does not turn a refusal into a 201', async () => {
  const poor = nodeOn('one', tipReplyAt(2), { sendPayment: poolError('Insufficient_balance'), findCommand: nowhere })
  const shows = { ...found([{ ...held }]), errors: ['cut short'] }
  const stranger = nodeOn('other', tipReplyAt(2), { networkCheck: cut, nodeTip: cut, findCommand: shows })
  const { given } = await instanceOver([poor, stranger])(broadcast)
  expect(given).toEqual([400, 'unknown'])
})

test('two broadcasts at a time share the question for the network of a node', async () => {
  const nodes = [nodeOn('one'), nodeOn('one')]
  const { given } = await instanceOver(nodes, 'one')((port) => Promise.all([broadcast(port), broadcast(port)]))
  expect(given).toEqual([
    [201, 'accepted'],
    [201, 'accepted'],
  ])
  expect(nodes.map(({ asked }) => asked.filter((name) => name === 'networkCheck').length)).toEqual([1, 1])
})

test('the log names the node and the fault of an answer that does not fit, even if another node then answers', async () => {
  const request = instanceOver([nodeOn('one', { data: { bestChain: 5 } }), nodeOn('one')])
  const { given, calls } = await request(tip)
  expect(given).toBe(stateHash)
  const reason = 'nodeTip.bestChain: wanted a list, got number'
  const node = 'node on one'
  expect(calls.slice(0, 2)).toMatchObject([
    { node, outcome: 'unreadable', reason },
    { node, outcome: 200 },
  ])
})
