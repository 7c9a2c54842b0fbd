// The signed commands that a caller gives: one of another form is refused in words, before anything is asked or sent.
import { expect, test } from '@jest/globals'
import { scriptedClient } from './scripted-service.ts'
import { payment } from './signed.ts'

const { client, asked } = scriptedClient([])
const noCommand = 'not a signed command'
const pair = (name: string) => `${name} are { signed, hash }`
const unsigned = payment.payload

test.each<[string, () => Promise<unknown>, string]>([
  ['a payment that is not signed', () => client.sendUntilKnown(unsigned as never), noCommand],
  ['a payment as a text', () => client.broadcastPayment(JSON.stringify(payment) as never), noCommand],
  ['no delegation', () => client.broadcastDelegation(undefined as never), noCommand],
  ['a hash in place of the command', () => client.waitForInclusion('5J' as never, '5J'), noCommand],
  ...(
    [
      ['hashes', ['5J'], 'rivals'],
      ['commands without their hashes', [payment], 'rivals'],
      ['one that is in no list', { signed: payment, hash: '5J' }, 'rivals'],
      ['nothing', [undefined], 'rivals'],
    ] as const
  ).map(([what, rivals, name]): [string, () => Promise<unknown>, string] => [
    `rivals that are ${what}`,
    () => client.waitForInclusion(payment, '5J', { rivals: rivals as never }),
    pair(name),
  ]),
  [
    'a rival that is not signed',
    () => client.waitForInclusion(payment, '5J', { rivals: [{ signed: unsigned as never, hash: '5J' }] }),
    noCommand,
  ],
  [
    'a store of commands without their hashes',
    () => client.sendQueue({ commands: async () => [payment as never], settle: async () => undefined }),
    pair('commands()'),
  ],
])('%s is a TypeError that says what is wanted', async (_, call, message) => {
  const failure = await call().catch((error: unknown) => error)
  expect([Object(failure).name, Object(failure).message, asked]).toEqual(['TypeError', message, []])
})
