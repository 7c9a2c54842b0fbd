// Reads on the first blocks after a hard fork, with one indexer that stayed on the old chain or has just followed. Over HTTP.
import { describe, expect, test } from '@jest/globals'
import { indexerServer } from '../../../local/chain/indexer/server.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { serve, untilFileEnds } from '../../serving.ts'
import { forkedSession } from '../forked-session.ts'
import { gatewayOver, get } from '../running-service.ts'

/** Alice's payment is in the parent, carol's in the first of three discarded blocks; the new chain has so many blocks. */
async function forkedService(newBlocks: number, indexer: 'stayed' | 'followed') {
  const { session, day, parent } = forkedSession(4, newBlocks - 1)
  if (indexer === 'followed') day.follow()
  const [node, indexed] = await Promise.all(
    [nodeServer(day.node), indexerServer(day.indexed)].map((server) => serve(server, untilFileEnds)),
  )
  const environment = { NODE_GRAPHQL_URL: `${node?.url}/graphql`, INDEXER_GRAPHQL_URL: `${indexed?.url}/graphql` }
  const { url } = await serve(await gatewayOver(environment), untilFileEnds)
  const old = session.chain.bestChain()
  return {
    parent,
    kept: old.filter(({ height }) => height <= parent.height),
    discarded: old.filter(({ height }) => height > parent.height),
    newChain: day.node.bestChain(),
    alice: session.wallet('alice').publicKey,
    carol: session.wallet('carol').publicKey,
    ask: (path: string) => get(url + path),
  }
}

type Blocks = Awaited<ReturnType<typeof forkedService>>['kept']

const paidIn = (blocks: readonly Blocks[number][], amount: bigint) =>
  blocks.flatMap(({ userCommands }) => userCommands).find(({ command }) => command.amount === amount)?.command.hash

describe.each([
  [1, 'stayed'],
  [1, 'followed'],
  [2, 'followed'],
  [8, 'followed'],
] as const)('with %s blocks of the new chain and an indexer that %s', (newBlocks, indexer) => {
  const service = forkedService(newBlocks, indexer)

  /** Of each path: the status, the hash and whether it is canonical. */
  const shown = async (all: readonly string[]) => {
    const { ask } = await service
    const answers: { status: number; stateHash: unknown; canonical: unknown }[] = []
    for (const path of all) {
      const { status, body } = await ask(path)
      const { stateHash, canonical } = Object(body).block ?? {}
      answers.push({ status, stateHash, canonical })
    }
    return answers
  }
  const right = (blocks: readonly Blocks[number][], canonical: boolean) =>
    blocks.map(({ stateHash }) => ({ status: 200, stateHash, canonical }))

  test('every kept block is canonical, by hash and by height', async () => {
    const { kept } = await service
    expect(await shown(kept.map(({ stateHash }) => `/blocks/${stateHash}`))).toEqual(right(kept, true))
    expect(await shown(kept.map(({ height }) => `/blocks/height/${height}`))).toEqual(right(kept, true))
  })

  test('no discarded block is canonical, and its height is that of the new chain', async () => {
    const { discarded, newChain } = await service
    expect(await shown(discarded.map(({ stateHash }) => `/blocks/${stateHash}`))).toEqual(right(discarded, false))
    expect(await shown(newChain.map(({ height }) => `/blocks/height/${height}`))).toEqual(right(newChain, true))
  })

  test('a command in a kept block is included and final, and one in a discarded block is not found', async () => {
    const { ask, carol, discarded, kept, parent } = await service
    expect(await ask(`/transactions/${paidIn(kept, 7n)}`)).toMatchObject({
      status: 200,
      body: { transaction: { state: 'included', final: true, block: { stateHash: parent.stateHash } } },
    })
    const lost = paidIn(discarded, 9n)
    expect(await ask(`/transactions/${lost}`)).toMatchObject({ status: 404 })
    expect(await ask(`/transactions/${lost}?from=${carol}&nonce=0&valid_until=4294967295`)).toMatchObject({
      status: 200,
      body: { transaction: { state: 'absent', sending: 'possible' } },
    })
  })

  test("an account's history goes on below the new chain, page by page, without what was discarded", async () => {
    const { alice, carol, ask, kept } = await service
    const hashesOf = async (publicKey: string) => {
      const hashes: unknown[] = []
      for (let next: string | undefined = ''; next !== undefined; ) {
        const cursor = next && `&before=${next}`
        const { status, body } = await ask(`/accounts/${publicKey}/transactions?limit=1${cursor}`)
        if (status !== 200) return status
        const page = body as { transactions: { command: { hash: string } }[]; next?: string }
        hashes.push(...page.transactions.map(({ command }) => command.hash))
        next = page.next
      }
      return hashes
    }
    const ofKey = (publicKey: string) =>
      kept
        .toReversed()
        .flatMap(({ userCommands }) => userCommands.toReversed())
        .filter(({ command: { from, to } }) => from === publicKey || to === publicKey)
        .map(({ command }) => command.hash)
    expect(await hashesOf(alice)).toEqual(ofKey(alice))
    expect(await hashesOf(carol)).toEqual(ofKey(carol))
  })
})
