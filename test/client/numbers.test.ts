// The numbers that a caller gives: each that counts is a whole one from 0.
import { expect, test } from '@jest/globals'
import { createClient } from '../../packages/client/src/client.ts'
import { network, pausedClock, scriptedClient } from './scripted-service.ts'
import { payment } from './signed.ts'

const noCounts = [Number.NaN, '15', '', Number.POSITIVE_INFINITY, 1.5, -1, 10n, null] as const
const neverAsked = scriptedClient([])

async function first(steps: AsyncIterable<unknown>): Promise<unknown> {
  for await (const step of steps) return step
  return undefined
}

type Call = (client: ReturnType<typeof createClient>, given: never) => unknown
const commands = { commands: async () => [], settle: async () => undefined }
const calls: readonly (readonly [string, Call])[] = [
  ['confirmations of deposits', (client, confirmations) => first(client.deposits({ keys: new Set(), confirmations }))],
  ['confirmations of watchBlocks', (client, confirmations) => client.watchBlocks(() => undefined, { confirmations })],
  [
    'confirmations of waitForInclusion',
    (client, confirmations) => client.waitForInclusion(payment, '5J', { confirmations }),
  ],
  [
    'confirmations of waitForTransaction',
    (client, confirmations) => client.waitForTransaction('5J', { confirmations }),
  ],
  ['confirmations of sendQueue', (client, confirmations) => client.sendQueue(commands, { confirmations })],
  ['limit of blocks', (client, limit) => client.blocks({ limit })],
  ['limit of blocksBefore', (client, limit) => client.blocksBefore('7-3N', { limit })],
  ['limit of accountTransactions', (client, limit) => client.accountTransactions('B62', { limit })],
  ['limit of transactionsOf', (client, limit) => first(client.transactionsOf('B62', { limit }))],
  ['height of blockAtHeight', (client, height) => client.blockAtHeight(height)],
  ['height of blocksBefore', (client, height) => client.blocksBefore({ height, stateHash: '3N' })],
  ['height of walkBlocks', (client, height) => first(client.walkBlocks({ from: { height, stateHash: '3N' } }))],
  [
    'height of deposits',
    (client, height) => first(client.deposits({ keys: new Set(), from: { height, stateHash: '3N' } })),
  ],
  [
    'height of watchBlocks',
    (client, height) => client.watchBlocks(() => undefined, { cursor: { height, stateHash: '3N' } }),
  ],
  [
    'height of waitForInclusion',
    (client, height) => client.waitForInclusion(payment, '5J', { sentAtTip: { height, stateHash: '3N' } }),
  ],
  ['retries of createClient', (_, retries) => createClient({ baseUrl: 'https://service.example', network, retries })],
]

test.each(calls)('%s is a whole number from 0, and nothing is asked with another one', async (name, call) => {
  const { client, asked } = neverAsked
  const [count = ''] = name.split(' ')
  // Of a text the digits, and null, are not numbers either.
  for (const given of noCounts) {
    const refused = (async () => call(client, given as never))()
    await expect(refused).rejects.toThrow(RangeError)
    await expect(refused).rejects.toThrow(`${count} cannot be `)
  }
  expect(asked).toEqual([])
})

test.each(['pollMs', 'patienceMs', 'timeoutMs'])('%s is a number from 0', async (name) => {
  for (const given of [Number.NaN, '15', -1]) {
    const make = () => createClient({ baseUrl: 'https://service.example', clock: pausedClock(), [name]: given })
    expect(make).toThrow(RangeError)
  }
})
