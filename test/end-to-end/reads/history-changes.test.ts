// `change` can be summed: over a whole history it is the difference between the balance now and at the genesis block.
import { expect, test } from '@jest/globals'
import { type Chain, createChain } from '../../../local/chain/chain.ts'
import { indexerServer } from '../../../local/chain/indexer/server.ts'
import { accountCreationFee } from '../../../local/chain/ledger/ledger.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { truthOf } from '../../../verification/account-history/chain-truth.ts'
import { serve } from '../../serving.ts'
import { gatewayOver, get, now } from '../running-service.ts'

interface Page {
  readonly transactions: readonly {
    readonly change: number
    readonly hash: string
    readonly command: { readonly hash: string }
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

const options = { now: () => now, slotsPerEpoch: 12, signsOwnCommands: false }

/** The keys that blocks or proofs have paid, which no command records. */
function rewardsOf(chain: Chain): ReadonlySet<string> {
  const blocks = chain.bestChain()
  return new Set(
    blocks.flatMap((block) => [block.coinbaseReceiver, ...block.feeTransfers.map((each) => each.recipient)]),
  )
}

test('the changes of each key without rewards add up to its balance, through failures, zkApp commands and delegations', async () => {
  const chain = createChain({ ...options, seed: 'changes', historyBlocks: 200 })
  const before = createChain({ ...options, seed: 'changes', historyBlocks: 0 }).ledger()
  const node = await serve(nodeServer(chain))
  const indexer = await serve(indexerServer(chain))
  const environment = { NODE_GRAPHQL_URL: `${node.url}/graphql`, INDEXER_GRAPHQL_URL: `${indexer.url}/graphql` }
  const { url } = await serve(await gatewayOver(environment))
  const rewarded = rewardsOf(chain)
  const keys = [...truthOf(chain).keys()].filter((key) => !rewarded.has(key))
  const kinds = new Set<string>()
  for (const key of keys) {
    const account = chain.account(key)
    const changes = await changesOf(url, key)
    for (const { command, hash } of changes) expect(hash).toBe(command.hash)
    for (const each of changes) {
      const { kind, status } = each.command as unknown as { readonly kind: string; readonly status: string }
      kinds.add(`${kind} ${status}`)
    }
    const sum = changes.reduce((total, { change }) => total + BigInt(change), 0n)
    const created = account !== undefined && !before.has(key) ? accountCreationFee : 0n
    const gained = (account?.balance ?? 0n) - (before.get(key)?.balance ?? 0n)
    expect(`${key} ${sum}`).toBe(`${key} ${gained + created}`)
  }
  expect(keys.length).toBeGreaterThan(5)
  expect([...kinds].sort()).toEqual([
    'PAYMENT applied',
    'PAYMENT failed',
    'STAKE_DELEGATION applied',
    'ZKAPP applied',
    'ZKAPP failed',
  ])
})
