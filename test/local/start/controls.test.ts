import { networkInterfaces } from 'node:os'
import { expect, test } from '@jest/globals'
import { controlNames } from '../../../local/start/controls.ts'
import { greeting } from '../../../local/start/greeting.ts'
import type { Transaction } from '../../../shared/contract/transaction.ts'
import { service } from './held-service.ts'

type Running = Awaited<ReturnType<typeof service>>

interface Shown {
  readonly transaction?: Transaction
  readonly account?: { readonly missingNonces?: readonly number[]; readonly nextNonce: number }
  readonly block?: { readonly canonical: boolean }
}

const read = async <Body>(answer: Response): Promise<Body> => JSON.parse(await answer.text())

/** A short name for the state that an address shows. */
async function shown(url: string): Promise<string> {
  const { transaction, account, block } = await read<Shown>(await fetch(url))
  if (block !== undefined) return block.canonical ? 'canonical' : 'orphaned'
  if (account !== undefined) return `next ${account.nextNonce}, missing ${account.missingNonces}`
  const { state, sending, failureReason } = transaction as Transaction
  return [state, sending, failureReason].filter((part) => part !== undefined).join(' ')
}

const produceBlock = ({ clock, repeated }: Running) => {
  clock.now += 10_000
  repeated[0]?.task()
}

/** Calls a control, then reads its addresses at once and after each of two blocks. */
async function looks(running: Running, name: string) {
  const answer = await fetch(`${running.controlUrl}/${name}`, { method: 'POST' })
  const { see } = await read<{ see: readonly string[] }>(answer)
  const look = () => Promise.all(see.map(shown))
  const first = await look()
  produceBlock(running)
  const second = await look()
  produceBlock(running)
  return [first, second, await look()]
}

/** The dropped command, one that waits for it, one that was never sent, and their sender. */
const waiting = Array(3).fill(['absent possible', 'pending', 'absent waits-for-nonce', 'next 0, missing 0'])

test.each([
  ['replaced', [['absent rival-pending', 'pending'], ...Array(2).fill(['replaced', 'included'])]],
  ['expired', [['pending'], ['pending'], ['expired']]],
  ['failed', [['pending'], ...Array(2).fill(['included Amount_insufficient_to_create_account'])]],
  ['waiting', waiting],
])('a control shows a command %s', async (name, states) => {
  expect(await looks(await service(), name)).toEqual(states)
})

test('a block takes the raise of a command that a control holds back from blocks, as of one with too low a fee', async () => {
  const running = await service()
  await fetch(`${running.controlUrl}/expired`, { method: 'POST' })
  produceBlock(running)
  const [held] = running.chain?.pool() ?? []
  expect(await looks(running, `replaced?hash=${held?.hash}`)).toEqual([
    ['absent rival-pending', 'pending'],
    ...Array(2).fill(['replaced', 'included']),
  ])
})

test('a control drops a command that was sent, and orphans the block that has it once it was sent again', async () => {
  const running = await service()
  const signed = await (await fetch(`${running.url}/examples/transaction`)).text()
  const sent = await fetch(`${running.url}/broadcast/transaction`, { method: 'POST', body: signed })
  const hash = sent.headers.get('x-transaction-hash')
  expect(await looks(running, `waiting?hash=${hash}`)).toEqual(waiting)
  await fetch(`${running.url}/broadcast/transaction`, { method: 'POST', body: signed })
  produceBlock(running)
  produceBlock(running)
  expect(await looks(running, `reorganised?hash=${hash}`)).toEqual([
    ['orphaned', 'orphaned', 'pending'],
    ...Array(2).fill(['orphaned', 'orphaned', 'included']),
  ])
})

test('a reorganisation of any depth, as often as anybody wants, leaves no block ahead of the clock', async () => {
  const running = await service()
  const { chain, clock, repeated, url, controlUrl } = running
  if (chain === undefined) throw new Error('no chain')
  for (const depth of [1, 1, 1, 1, 3, 29, 2, 1, 1]) {
    const [lost] = chain.frontier().slice(-depth)
    const answer = await fetch(`${controlUrl}/reorganised?depth=${depth}`, { method: 'POST' })
    const { see } = await read<{ see: readonly string[] }>(answer)
    expect(see.filter((path) => path.includes('/blocks/'))).toHaveLength(depth)
    expect(await shown(`${url}/blocks/${lost?.stateHash}`)).toBe('orphaned')
    expect(await shown(`${url}/blocks/${chain.tip().stateHash}`)).toBe('canonical')
    expect(chain.tip().date).toBeLessThanOrEqual(clock.now)
    // The timer fires late, and then twice in one slot.
    for (const pause of [10_000, 9_999, 1]) {
      clock.now += pause
      repeated[0]?.task()
    }
    expect(chain.tip().date).toBeLessThanOrEqual(clock.now)
  }
})

test('a reorganisation that orphans many commands names the first five, which a terminal can show', async () => {
  const { url, controlUrl, chain } = await service()
  const blocks = chain?.frontier().slice(-20) ?? []
  const lost = blocks.flatMap(({ userCommands }) => userCommands.map(({ command }) => command.hash))
  expect(lost.length).toBeGreaterThan(5)
  const answer = await fetch(`${controlUrl}/reorganised?depth=20`, { method: 'POST' })
  const { see } = await read<{ see: readonly string[] }>(answer)
  expect(see.map((path) => path.split('?')[0])).toEqual([
    ...blocks.map(({ stateHash }) => `${url}/blocks/${stateHash}`),
    ...lost.slice(0, 5).map((hash) => `${url}/transactions/${hash}`),
  ])
})

test.each([
  ['depth=0', 400, 'depth: wanted a whole number, 1 or more, got "0"'],
  ['depth=1.5', 400, 'depth: wanted a whole number, 1 or more, got "1.5"'],
  ['depth=', 400, 'depth: wanted a whole number, 1 or more, got ""'],
  ['depth=2&depth=2', 400, 'depth: wanted once'],
  ['deep=2', 400, 'deep: unknown parameter; it takes hash or depth'],
  ['depth=30', 409, 'depth: the node holds 30 blocks, of which a fork replaces 1 to 29, not 30'],
  ['depth=2&hash=5J', 400, 'it takes hash or depth, not both'],
])('a reorganisation with %s is refused and changes nothing', async (query, status, message) => {
  const { controlUrl, chain } = await service()
  const before = chain?.bestChain()
  const answer = await fetch(`${controlUrl}/reorganised?${query}`, { method: 'POST' })
  expect([answer.status, await read(answer)]).toEqual([status, { message }])
  expect(chain?.bestChain()).toEqual(before)
})

test('a control makes a zkApp command that pays a key, one that fails, or one that pays with a token', async () => {
  const running = await service()
  const { chain, controlUrl } = running
  const judy = chain?.wallets.find(({ name }) => name === 'judy')?.publicKey ?? ''
  const balance = () => chain?.account(judy)?.balance ?? 0n
  const before = balance()
  const post = (query: string) => fetch(`${controlUrl}/zkapp?${query}`, { method: 'POST' })
  for (const fails of [false, true]) {
    const { see } = await read<{ see: readonly [string, ...string[]] }>(
      await post(`to=${judy}&amount=7&fails=${fails}`),
    )
    expect(await shown(see[0])).toBe('pending')
    produceBlock(running)
    expect(await shown(see[0])).toBe(
      fails ? 'included Account_balance_precondition_unsatisfied, Cancelled' : 'included',
    )
    expect(balance() - before).toBe(7n)
  }
  const largest = 2n ** 64n - 1n
  expect((await post(`to=${judy}&amount=${largest}&token=true`)).status).toBe(200)
  produceBlock(running)
  expect([balance() - before, [...(chain?.account(judy)?.tokens.values() ?? [])]]).toEqual([7n, [largest]])
  const wrong = ['to=B62', 'amount=1.5', 'amount=0', `amount=${largest + 1n}`, 'fails=yes', 'token=1', 'hash=5J']
  const messages = wrong.map(async (query) => {
    const answer = await post(query)
    return [answer.status, (await read<{ message: string }>(answer)).message]
  })
  expect(await Promise.all(messages)).toEqual([
    [400, 'to: wanted a public key, got "B62"'],
    [400, 'amount: wanted digits, 1 to 18446744073709551615, got "1.5"'],
    [400, 'amount: wanted digits, 1 to 18446744073709551615, got "0"'],
    [400, 'amount: wanted digits, 1 to 18446744073709551615, got "18446744073709551616"'],
    [400, 'fails: wanted true or false, got "yes"'],
    [400, 'token: wanted true or false, got "1"'],
    [400, 'hash: unknown parameter; it takes to, amount, fails, token'],
  ])
  expect(chain?.zkappPool()).toEqual([])
})

test('controls play the day of a hard fork, at once or by the blocks of the timer', async () => {
  const running = await service()
  const { chain, controlUrl, nodeUrl } = running
  const step = async (name: string) => {
    const answer = await fetch(`${controlUrl}/${name}`, { method: 'POST' })
    return { status: answer.status, ...(await read<{ happens?: string; see?: string[]; message?: string }>(answer)) }
  }
  const refused = (message: string) => ({ status: 409, message })
  const old = chain?.chainId
  expect(await step('stop')).toEqual(refused('Stop commands first: POST /chain/pause'))
  expect(await step('follow')).toEqual(refused('The indexer is on the node’s chain already'))
  expect(await step('fork?discard=x')).toEqual({ status: 400, message: 'discard: wanted a whole number, got "x"' })
  expect(await step('fork?discard=30')).toEqual(refused('A hard fork discards 0 to 29 blocks, not 30'))
  expect(await step('fork')).toMatchObject({
    status: 200,
    see: [`${running.url}/summary`, `${running.url}/blocks?limit=3`],
  })
  expect(chain?.chainId).toBe(old)
  for (let made = 0; made < 3; made++) produceBlock(running)
  expect([chain?.chainId === old, chain?.tip().height]).toEqual([false, 41])
  const answer = await fetch(nodeUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ daemonStatus { chainId } }' }),
  })
  expect(await read(answer)).toEqual({ data: { daemonStatus: { chainId: chain?.chainId } } })
  expect((await step('follow')).status).toBe(200)
  produceBlock(running)
  expect(await step('fork?discard=0')).toMatchObject({
    status: 200,
    see: Array(2).fill(expect.stringContaining('/blocks/3N')),
  })
  expect(chain?.tip().height).toBe(43)
})

test('the greeting has a line of at most 80 columns for each control, and the parameters of fates', async () => {
  const running = await service()
  const [, printed = ''] = (await greeting(running, 'linux')).split('What can become of a command.')
  expect(printed.match(/^(?:chain=|curl ).*$/gm)).toEqual([
    `chain=${running.controlUrl}`,
    ...controlNames.map((name) => `curl -sS -X POST $chain/${name}`),
  ])
  expect(printed.split('\n').slice(2, 5)).toEqual([
    'hash                      replaced, expired, waiting',
    'hash or depth             reorganised',
    'to, amount, fails, token  zkapp',
  ])
  expect(Math.max(...printed.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80)
})

test('controls are on loopback whatever HOST says, and refuse web pages and anything but a POST', async () => {
  const { url, controlUrl = '', chain } = await service({ host: '0.0.0.0' })
  const pool = chain?.pool()
  const statusOf = async (address: string, init: RequestInit) => (await fetch(address, init)).status
  const post = { method: 'POST' }
  expect([
    await statusOf(`${controlUrl}/failed`, { ...post, headers: { origin: new URL(controlUrl).origin } }),
    await statusOf(`${controlUrl}/failed`, {}),
    await statusOf(`${controlUrl}/nothing`, post),
    await statusOf(`${controlUrl}/replaced?hash=5J`, post),
    await statusOf(`${url}/chain/failed`, post),
  ]).toEqual([403, 404, 404, 409, 404])
  const others = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
  )
  const reached = others.map((address) =>
    fetch(controlUrl.replace('127.0.0.1', address), post).then(
      () => address,
      () => 'no',
    ),
  )
  expect(await Promise.all(reached)).toEqual(others.map(() => 'no'))
  expect(chain?.pool()).toEqual(pool)
})
