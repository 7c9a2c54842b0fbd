// `change` can be summed: over a whole history it is the difference between the balance now and at the genesis block.
import { expect, test } from '@jest/globals'
import { busyChain } from '../../../packages/proofs/account-history/busy-chain.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { get, serviceOver } from '../running-service.ts'

interface Page {
  readonly transactions: readonly {
    readonly change: number
    readonly hash: string
    readonly command: { readonly hash: string; readonly kind: string; readonly status: string }
  }[]
  readonly next?: string
}

async function changesOf(url: string, key: string): Promise<readonly Page['transactions'][number][]> {
  const all: Page['transactions'][number][] = []
  for (let query: string | undefined = '?limit=100'; query !== undefined; ) {
    const { status, body } = await get(`${url}/accounts/${key}/transactions${query}`)
    expect(status).toBe(200)
    const { transactions, next } = body as Page
    all.push(...transactions)
    query = next && `?limit=100&before=${next}`
  }
  return all
}

test('the changes of each of 200 keys without rewards add up to its balance, through failures, zkApp commands, delegations, raised fees, two reorganisations and a hard fork', async () => {
  const chain = busyChain('changes', 190, 120)
  const { node, indexed } = chain.day
  const blocks = (count: number) => {
    for (let made = 0; made < count; made++) chain.nextBlock()
  }
  blocks(22)
  node.reorganise(20)
  blocks(15)
  node.reorganise(5)
  blocks(8)
  chain.hardFork(3)
  blocks(35)

  const url = await serviceOver([nodeServer(node)], [indexerServer(indexed)])
  const keys = chain.unrewarded()
  const seen = new Set<string>()
  const [sums, expected]: [string[], string[]] = [[], []]
  for (const key of keys) {
    const changes = await changesOf(url, key)
    expect(changes.map(({ hash }) => hash)).toEqual(changes.map(({ command }) => command.hash))
    for (const { command } of changes) seen.add(`${command.kind} ${command.status}`)
    sums.push(`${key} ${changes.reduce((sum, { change }) => sum + BigInt(change), 0n)}`)
    expected.push(`${key} ${chain.changeOf(key)}`)
  }
  expect(sums).toEqual(expected)
  expect(keys.length).toBeGreaterThanOrEqual(200)
  expect([...seen].sort()).toEqual([
    'PAYMENT applied',
    'PAYMENT failed',
    'STAKE_DELEGATION applied',
    'STAKE_DELEGATION failed',
    'ZKAPP applied',
    'ZKAPP failed',
  ])
})
