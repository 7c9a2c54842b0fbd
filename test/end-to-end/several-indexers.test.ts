// Two indexers after a hard fork: one that stayed on the old chain, one on the node's, over HTTP as a laptop runs them.
import { describe, expect, test } from '@jest/globals'
import type { RequestLine } from '../../functions/runtime/log.ts'
import type { IndexerState } from '../../local/chain/indexer/ingested.ts'
import { indexerServer } from '../../local/chain/indexer/server.ts'
import { nodeServer } from '../../local/chain/node/server.ts'
import { abandonedUrl, serve, untilFileEnds } from '../serving.ts'
import { forkedSession } from './forked-session.ts'
import { gatewayOver, get } from './running-service.ts'

/** Alice paid before the pause, and three blocks were discarded; the first of them holds a payment that the node knew. */
function forkedDay() {
  const { session, day, parent } = forkedSession(24, 14)
  return { session, day, old: session.chain, parent, discarded: session.chain.bestChain().slice(-3) }
}

const { session, day, old, parent, discarded } = forkedDay()
const kept = old.bestChain().filter(({ height }) => height <= parent.height)
const paidIn = (blocks: readonly { readonly userCommands: typeof parent.userCommands }[], amount: bigint) =>
  blocks.flatMap(({ userCommands }) => userCommands).find(({ command }) => command.amount === amount)?.command.hash

const indexed = async (chain: typeof old, state: IndexerState = {}) => {
  const { url } = await serve(indexerServer(chain, state), untilFileEnds)
  return `${url}/graphql`
}
const node = await serve(nodeServer(day.node), untilFileEnds)
const addresses = {
  old: await indexed(old),
  crossing: await indexed(day.node),
  'begun at the fork': await indexed(day.node, { isWithoutOldChain: true }),
  'begun there as well': await indexed(day.node, { isWithoutOldChain: true }),
  down: `${await abandonedUrl()}/graphql`,
}
type Kind = keyof typeof addresses

/** The service with these indexers, and what it logs. */
async function serviceWith(...kinds: readonly Kind[]) {
  const log: RequestLine[] = []
  const environment = {
    NODE_GRAPHQL_URL: `${node.url}/graphql`,
    INDEXER_GRAPHQL_URL: kinds.map((kind) => addresses[kind]).join(),
  }
  const { url } = await serve(await gatewayOver(environment, (line) => log.push(line)), untilFileEnds)
  return { log, ask: async (path: string) => get(url + path) }
}

/** Of a path of the service: the status, and of a found block its hash and whether it is canonical. */
async function shown(service: Awaited<ReturnType<typeof serviceWith>>, path: string) {
  const { status, body } = await service.ask(path)
  const { block }: { block?: { readonly stateHash: string; readonly canonical: boolean } } = Object(body)
  return block === undefined ? { status } : { status, stateHash: block.stateHash, canonical: block.canonical }
}

/** A block of another network. */
const nobodys = '3NKeMoncuHab5ScarV5ViyF16cJPT4taWNSaTLS64Dp67wuXigPZ'

const paths = (blocks: typeof kept, by: 'hash' | 'height') =>
  blocks.map(({ stateHash, height }) => (by === 'hash' ? `/blocks/${stateHash}` : `/blocks/height/${height}`))

describe.each<[Kind, Kind]>([
  ['crossing', 'old'],
  ['old', 'crossing'],
  ['begun at the fork', 'old'],
  ['old', 'begun at the fork'],
])('with an indexer that is %s before one that is %s', (...kinds) => {
  const service = serviceWith(...kinds)

  test('every kept block is canonical by hash and by height, and no discarded one by hash', async () => {
    const asked = await service
    const all = [...paths(kept, 'hash'), ...paths(kept, 'height'), ...paths(discarded, 'hash')]
    const answers = await Promise.all(all.map((path) => shown(asked, path)))
    const right = (blocks: typeof kept, canonical: boolean) =>
      blocks.map(({ stateHash }) => ({ status: 200, stateHash, canonical }))
    expect(answers).toEqual([...right(kept, true), ...right(kept, true), ...right(discarded, false)])
  })

  test('a height that exists twice is that of the new chain', async () => {
    const asked = await service
    const heights = discarded.map(({ height }) => day.node.bestChain().find((block) => block.height === height))
    const answers = await Promise.all(discarded.map(({ height }) => shown(asked, `/blocks/height/${height}`)))
    expect(answers).toEqual(heights.map((block) => ({ status: 200, stateHash: block?.stateHash, canonical: true })))
  })

  test('a command is included and final before the fork, and unknown if its block was discarded', async () => {
    const asked = await service
    const [paid, lost] = [paidIn(kept, 7n), paidIn(discarded, 9n)]
    expect((await asked.ask(`/transactions/${paid}`)).body).toMatchObject({
      transaction: { state: 'included', final: true, block: { stateHash: parent.stateHash } },
    })
    expect(await shown(asked, `/transactions/${lost}`)).toEqual({ status: 404 })
  })

  test('the nonce of a command in a discarded block is free again, and that of one before the fork is used', async () => {
    const asked = await service
    const [alice, carol] = ['alice', 'carol'].map((name) => session.wallet(name).publicKey)
    const accounts = await Promise.all([alice, carol].map((key) => asked.ask(`/accounts/${key}`)))
    expect(accounts.map(({ body }) => Object(body).account.nextNonce)).toEqual([1, 0])
    const terms = `from=${carol}&nonce=0&valid_until=4294967295`
    const lost = await asked.ask(`/transactions/${paidIn(discarded, 9n)}?${terms}`)
    expect(lost.body).toMatchObject({
      transaction: { state: 'absent', sending: 'possible', searched: { indexer: true } },
    })
  })

  test('what neither holds is not found', async () => {
    const asked = await service
    expect(await shown(asked, `/blocks/${nobodys}`)).toEqual({ status: 404 })
  })

  test('accounts and new blocks lack nothing: the indexer on the node’s network feeds them', async () => {
    const asked = await service
    const alice = session.wallet('alice').publicKey
    const answers = await Promise.all([`/accounts/${alice}`, '/blocks?limit=5'].map((path) => asked.ask(path)))
    expect(answers.map(({ status, headers }) => [status, headers.get('x-missing-fields')])).toEqual([
      [200, null],
      [200, null],
    ])
    const alone = await serviceWith(kinds.find((kind) => kind !== 'old') ?? 'crossing')
    expect(answers[0]?.body).toEqual((await alone.ask(`/accounts/${alice}`)).body)
  })
})

describe('with an indexer that is down', () => {
  test.each<[Kind, Kind, number]>([
    ['down', 'old', 200],
    ['crossing', 'down', 200],
    ['begun at the fork', 'down', 503],
    ['down', 'begun at the fork', 503],
  ])('beside one that is %s or %s, an old block is a %s and no absence counts', async (first, second, status) => {
    const service = await serviceWith(first, second)
    const old = { stateHash: parent.stateHash, canonical: true }
    expect(await shown(service, `/blocks/${parent.stateHash}`)).toEqual({ status, ...(status === 200 && old) })
    expect(await shown(service, `/blocks/${nobodys}`)).toEqual({ status: 503 })
    expect(await shown(service, `/transactions/${paidIn(discarded, 9n)}`)).toEqual({ status: 503 })
  })

  test('an account lacks what only the indexer of its network knows, whatever the other one says', async () => {
    const service = await serviceWith('down', 'old')
    const { status, headers } = await service.ask(`/accounts/${session.wallet('alice').publicKey}`)
    expect([status, headers.get('x-missing-fields')]).toEqual([200, expect.stringContaining('totalTx')])
  })

  test('the log says which of them it was', async () => {
    const { ask, log } = await serviceWith('crossing', 'down')
    await ask(`/blocks/${nobodys}`)
    expect(log.flatMap(({ upstream }) => upstream).filter(({ outcome }) => outcome === 'unreachable')).toEqual([
      expect.objectContaining({ operation: 'receivedTimeOf', indexer: 2 }),
    ])
  })
})

test('an absence counts only where the indexers together know the chain before the fork and since', async () => {
  const twice = await serviceWith('begun at the fork', 'begun there as well')
  expect(await shown(twice, `/blocks/${parent.stateHash}`)).toEqual({ status: 503 })
})
