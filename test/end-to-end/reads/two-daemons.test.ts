// Two daemons behind one address. One of them has stopped, or was left on a fork, and goes on answering in its turn: an answer is
// judged by the tip of the daemon that gave it.
import { expect, test } from '@jest/globals'
import { type Chain, createChain } from '../../../packages/testnet/chain.ts'
import { indexerServer } from '../../../packages/testnet/indexer/server.ts'
import { nodeServer } from '../../../packages/testnet/node/server.ts'
import { createRandom, integerBetween, pick, type Random } from '../../../packages/testnet/random.ts'
import { createSigner } from '../../../packages/testnet/signer.ts'
import { serve, untilFileEnds, untilTestEnds } from '../../serving.ts'
import { chainClock, get, now, serviceOver, signPayment, wallet } from '../running-service.ts'

/** Blocks since the other daemon stopped, and the length of its fork. */
const standings = [
  { stopped: 1, fork: 0 },
  { stopped: 5, fork: 0 },
  { stopped: 30, fork: 0 },
  { stopped: 0, fork: 1 },
  { stopped: 1, fork: 1 },
  { stopped: 5, fork: 1 },
]

const slotMs = 10_000

/** As it was that many slots ago; the slots go on with `pass`. */
function chainOf(slotsAgo: number) {
  let at = now - slotsAgo * slotMs
  const chain = createChain({
    ...{
      seed: `two daemons ${slotsAgo}`,
      now: () => at,
      slotsPerEpoch: 12,
      historyBlocks: 80,
      signsOwnCommands: false,
    },
    frontierBlocks: 60,
  })
  const pass = () => {
    at += slotMs
  }
  return { chain, pass }
}

/** Both daemons in turn by chance, and an indexer that follows the chain. */
async function daemonsWith({ stopped, fork }: (typeof standings)[number]) {
  const [{ chain, pass }, { chain: other }] = [chainOf(stopped), chainOf(stopped)]
  if (fork > 0) other.reorganise(fork, 0)
  for (let made = 0; made < stopped; made++) {
    pass()
    chain.produceBlock()
  }
  const random = createRandom(`turns ${stopped} ${fork}`)
  const servers = [nodeServer(chain), nodeServer(other)] as const
  const turn = { toChain: false }
  const node = await serve(
    (request, response) => (turn.toChain ? servers[0] : pick(random, servers))(request, response),
    untilFileEnds,
  )
  const indexer = await serve(indexerServer(chain), untilFileEnds)
  const upstreams = [[`${node.url}/graphql`], [`${indexer.url}/graphql`]] as const
  /** A warm instance has seen the chain's tip. */
  const instance = async (isWarm: boolean) => {
    const url = await serviceOver(...upstreams, { clock: chainClock, until: untilTestEnds })
    turn.toChain = true
    if (isWarm) await get(`${url}/summary`)
    turn.toChain = false
    return url
  }
  return { chain, other, instance }
}

const hashAt = (chain: Chain, height: number) => chain.bestChain().find((block) => block.height === height)?.stateHash

const stands = await Promise.all(standings.map(async (standing) => ({ standing, ...(await daemonsWith(standing)) })))

/** A question by a random block of either daemon, and all that is wrong with the answer. */
async function trial(random: Random): Promise<readonly string[]> {
  const { standing, chain, other, instance } = pick(random, stands)
  const isWarm = pick(random, [true, false])
  const depth = pick(random, [0, 0, 1, 2, integerBetween(random, 3, 40)])
  const height = pick(random, [chain.tip(), other.tip()]).height - depth
  const stateHash = hashAt(pick(random, [chain, other]), height) ?? hashAt(chain, height)
  const isOnChain = hashAt(chain, height) === stateHash
  // Of two tips at one height each daemon has its own, until the next block.
  const isDead = !isOnChain && chain.tip().height > other.tip().height
  const cursor = `${height}-${stateHash}`
  const [what, path] = pick(random, [
    ['page', `/blocks/before/${cursor}?limit=3`],
    ['history', `/accounts/${wallet(chain, 'judy').publicKey}/transactions?limit=3&before=${cursor}`],
    ['block', `/blocks/${stateHash}`],
    ['height', `/blocks/height/${height}`],
  ] as const)
  const isWalk = what === 'page' || what === 'history'
  const { status, headers, body } = await get(`${await instance(isWarm)}${path}`)
  const label = headers.get('x-chain-state-hash')
  const labelled = [chain, other].find((each) => each.tip().stateHash === label)
  const shown = isWalk ? { stateHash, canonical: true } : Object(Object(body).block)
  const isLabelOfIts = labelled !== undefined && hashAt(labelled, height) === shown.stateHash
  const isAboveLabel = what === 'height' && Number(headers.get('x-chain-height')) < height
  const wrongs: readonly [string, boolean][] = [
    ['a canonical cursor is a 409', status === 409 && !isDead],
    ['a 200 below a dead cursor, by an instance that has seen the chain', status === 200 && isWalk && isDead && isWarm],
    ["a 200 under another daemon's tip", status === 200 && shown.canonical && !isLabelOfIts],
    ['a 404 of what is there', status === 404 && isOnChain && !isAboveLabel],
  ]
  const how = `${what}, ${JSON.stringify(standing)}, ${isWarm ? 'warm' : 'new'}, ${chain.tip().height - height} deep`
  answers.set(status, (answers.get(status) ?? 0) + 1)
  return wrongs.flatMap(([wrong, isSo]) => (isSo ? [`${wrong}: ${how}`] : []))
}

/** Number of answers by their status. */
const answers = new Map<number, number>()

test('behind one address no answer is judged or labelled by the tip of another daemon', async () => {
  const random = createRandom('two daemons behind one address')
  const wrongs: string[] = []
  for (let trials = 0; trials < 120; trials++) wrongs.push(...(await trial(random)))
  expect(wrongs).toEqual([])
  expect(answers.get(200)).toBeGreaterThan(96)
})

const { publicKey: newKey } = createSigner('testnet').keyPair('two daemons', 'a new wallet')

/** The daemons of a wallet whose first deposit came after one of them stopped. */
function daemonsOfDeposit() {
  const [{ chain, pass }, { chain: stopped }] = [chainOf(10), chainOf(10)]
  const { signature, payload } = signPayment(chain, wallet(chain, 'alice'), {
    ...wallet(chain, 'bob'),
    publicKey: newKey,
  })
  const { amount, fee, nonce, validUntil, ...payment } = payload
  const terms = { amount: BigInt(amount), fee: BigInt(fee), nonce: Number(nonce), validUntil: Number(validUntil) }
  expect(chain.sendPayment({ ...payment, ...terms }, signature)).toHaveProperty('command')
  for (let made = 0; made < 10; made++) {
    pass()
    chain.produceBlock()
  }
  return [chain, stopped] as const
}

const ofDeposit = daemonsOfDeposit()
const paths = ['', '/tokens', '/transactions'].map((path) => `/accounts/${newKey}${path}`)

/** What a path says of the account: `absent` where nothing shows that it was ever paid. */
async function seenOf(url: string, path: string) {
  const { status, body } = await get(`${url}${path}`)
  if (status === 503) return 'busy'
  const { account, tokens, transactions } = Object(body)
  return account === undefined && !tokens?.length && !transactions?.length ? 'absent' : 'there'
}

test('an account is not absent because a daemon that stopped before its first deposit says so', async () => {
  const servers = ofDeposit.map((chain) => nodeServer(chain))
  const random = createRandom('first deposit')
  let turns = 0
  let nextServer = () => servers[turns++ % 2]
  const shared = await serve((request, response) => nextServer()?.(request, response), untilFileEnds)
  const apart = await Promise.all(servers.map((server) => serve(server, untilFileEnds)))
  const over = (...nodes: readonly { readonly url: string }[]) =>
    serviceOver(
      nodes.map(({ url }) => `${url}/graphql`),
      [],
      { clock: chainClock },
    )
  const seen = { inTurn: new Set<string>(), apart: new Set<string>(), byChance: new Set<string>() }
  const warm = await over(shared)
  for (const path of paths) {
    for (const url of [await over(shared), await over(shared), warm, warm]) {
      turns = url === warm ? turns + 1 : turns
      seen.inTurn.add(await seenOf(url, path))
    }
    for (const nodes of [apart, apart.toReversed(), apart, apart.toReversed()]) {
      seen.apart.add(await seenOf(await over(...nodes), path))
    }
  }
  nextServer = () => pick(random, servers)
  for (let asked = 0; asked < 60; asked++) seen.byChance.add(await seenOf(warm, pick(random, paths)))
  expect(seen).toEqual({
    inTurn: new Set(['there']),
    apart: new Set(['there']),
    byChance: new Set(['there', 'busy']),
  })
})
