// A 304 says that the answer would be the same: all that a body shows is in its tag, and the headers travel with it.
import { expect, test } from '@jest/globals'
import { changedOnTheWay } from '../../../packages/proofs/changed-answers.ts'
import { createChain } from '../../../packages/testnet/chain.ts'
import type { IndexerState } from '../../../packages/testnet/indexer/ingested.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { createZkappCommand, minaUpdate } from '../../../packages/testnet/zkapp-command.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { isTagged } from '../../../shared/endpoints/endpoint.ts'
import { serve, untilFileEnds } from '../../serving.ts'
import { now, serviceOver, wallet } from '../running-service.ts'

const chain = createChain({
  ...{ seed: 'not modified', now: () => now, slotsPerEpoch: 12, historyBlocks: 60, signsOwnCommands: false },
  frontierBlocks: 20,
})
const [alice, bob] = [wallet(chain, 'alice').publicKey, wallet(chain, 'bob').publicKey]

const same = (answer: string) => answer
let ofNode = same
const first: IndexerState = {}
/** It received each block in another second. */
const later = (answer: string) => answer.replaceAll(/("receivedTime":"[^"]*:\d)\d\./g, '$19.')

const node = await serve(nodeServer(chain), untilFileEnds)
const [one, other] = [
  await serve(indexerServer(chain, first), untilFileEnds),
  await serve(indexerServer(chain), untilFileEnds),
]
const changed = async (url: string, change: (answer: string) => string) =>
  `${(await serve(changedOnTheWay(`${url}/graphql`, change), untilFileEnds)).url}/graphql`
const nodeUrl = await changed(node.url, (answer) => ofNode(answer))
const otherUrl = await changed(other.url, later)
const services = [
  await serviceOver([nodeUrl], [`${one.url}/graphql`]),
  await serviceOver([nodeUrl], [`${one.url}/graphql`, otherUrl]),
]

const blockAt = (height: number) => chain.bestChain().find((block) => block.height === height)
const { height: tipHeight } = chain.tip()

/** A path for each GET that has tags, and of some for blocks of node and indexer. */
function pathsAt(height: number): readonly string[] {
  const { stateHash = '', userCommands = [] } = blockAt(height) ?? {}
  const hash =
    userCommands[0]?.command.hash ?? chain.bestChain().flatMap((block) => block.userCommands)[0]?.command.hash
  const values: Readonly<Record<string, unknown>> = {
    ...{ state_hash: stateHash, height, cursor: `${height}-${stateHash}`, public_key: alice, hash },
  }
  return endpoints
    .filter((endpoint) => isTagged(endpoint))
    .map(({ path }) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name])))
}
const paths = [...new Set([tipHeight - 3, 8].flatMap(pathsAt))]

const ask = async (url: string, tag?: string) => {
  const response = await fetch(url, { headers: tag === undefined ? {} : { 'if-none-match': tag } })
  const { status, headers } = response
  return { status, tag: headers.get('etag'), missing: headers.get('x-missing-fields'), body: await response.text() }
}

async function conditionally(url: string) {
  const whole = await ask(url)
  return [whole, await ask(url, whole.tag ?? '')] as const
}

/** Those whose 304 hides a change under the same tip. */
async function hidden(change: () => void): Promise<readonly string[]> {
  const urls = services.flatMap((service) => paths.map((path) => `${service}${path}`))
  const before = await Promise.all(urls.map((url) => ask(url)))
  change()
  const wrong: string[] = []
  for (const [index, url] of urls.entries()) {
    const { tag, body, missing } = before[index] ?? {}
    const conditional = await ask(url, tag ?? '')
    const whole = await ask(url)
    const isSame = whole.body === body && whole.missing === missing && conditional.missing === missing
    // A copy that has all fields stays good while an indexer fails.
    const hasMore = missing === null && whole.missing !== null
    if (conditional.status === 304 && !isSame && !hasMore) wrong.push(new URL(url).pathname)
  }
  return wrong
}

test.each<[string, () => void]>([
  ['nothing', () => undefined],
  [
    'the chain id',
    () => {
      ofNode = (answer) => answer.replaceAll(chain.chainId, 'f'.repeat(chain.chainId.length))
    },
  ],
  [
    'the indexer that knows the blocks',
    () => {
      first.behind = tipHeight
    },
  ],
  ['the pool', () => chain.queueZkapp(createZkappCommand({ from: alice, fee: 1_000_000n, nonce: 0 }, { updates: [] }))],
])('where %s has changed under the same tip, no 304 hides it, at any endpoint', async (_what, change) => {
  try {
    expect(await hidden(change)).toEqual([])
  } finally {
    ofNode = same
    delete first.behind
  }
})

test('a field that is left out for good is named by the 304 too', async () => {
  const [payment, most] = [4242n, 2n ** 63n - 1n]
  const { nonce } = chain.account(alice) ?? { nonce: 0 }
  const updates = [minaUpdate(alice, -payment), minaUpdate(bob, payment)]
  chain.queueZkapp(createZkappCommand({ from: alice, fee: 1_000_000_000n, nonce }, { updates }))
  const { stateHash, height } = chain.produceBlock()
  // The embedded chain does not have so much.
  ofNode = (answer) => answer.replaceAll(`"${payment}"`, `"${most + 1n}"`)
  for (const path of [`/blocks?limit=1`, `/blocks/${stateHash}`, `/blocks/height/${height}`]) {
    const [whole, conditional] = await conditionally(`${services[0]}${path}`)
    expect([whole.missing, conditional.status, conditional.missing]).toEqual([
      'transactions.zkappCommands.balanceChanges',
      304,
      'transactions.zkappCommands.balanceChanges',
    ])
  }
})
