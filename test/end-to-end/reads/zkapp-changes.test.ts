// Changes that zkApp commands declare, over the embedded chain: a token that anybody can mint, and more MINA than there is.
import { expect, test } from '@jest/globals'
import { createClient } from '../../../packages/client/src/client.ts'
import { tokenTransfer } from '../../../packages/testnet/token-transfer.ts'
import { type AccountUpdate, createZkappCommand, transfer } from '../../../packages/testnet/zkapp-command.ts'
import { get, startQuietService, wallet } from '../running-service.ts'

const service = await startQuietService()
const { chain } = service
const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => wallet(chain, name).publicKey) as [
  string,
  string,
  string,
]
const largest = 2n ** 64n - 1n

function queued(from: string, updates: readonly AccountUpdate[]) {
  const nonce = chain.account(from)?.nonce ?? 0
  const command = createZkappCommand({ from, fee: 1n, nonce }, { updates })
  chain.queueZkapp(command)
  return command
}

const tokenMove = (amount: bigint) => tokenTransfer(alice, bob, amount, (publicKey) => chain.account(publicKey))

/** An integer that no reader's 64 bits hold, where JSON has a number. */
const beyondInt64 = /[[:,]-?\d{19,}/g
const widest = (text: string) =>
  (text.match(beyondInt64) ?? []).filter(
    (match) => BigInt.asIntN(64, BigInt(match.slice(1))) !== BigInt(match.slice(1)),
  )

test('the largest change of a token, and its negative, come whole and apart from MINA, in blocks, histories and fates', async () => {
  const client = createClient({ baseUrl: service.url, network: chain.network })
  for (const amount of [largest, -largest]) {
    const { hash } = queued(alice, tokenMove(amount))
    const { stateHash } = chain.produceBlock()
    const token = expect.stringMatching(/^x\w{49}/)
    const shown = {
      hash,
      balanceChanges: amount > 0n ? [expect.objectContaining({ publicKey: alice, amount: -2_000_000_000n })] : [],
      tokenChanges: [{ publicKey: bob, tokenId: token, amount: String(amount) }],
    }
    const read = async () => [
      (await client.block(stateHash))?.value.transactions.zkappCommands?.find((one) => one.hash === hash),
      (await client.accountTransactions(bob))?.value.transactions.find(({ command }) => command.hash === hash)?.command,
      Object((await client.transaction(hash)).value).command,
    ]
    expect(await read()).toMatchObject([shown, shown, shown])
    const paths = [`blocks/${stateHash}`, `accounts/${bob}/transactions`, `transactions/${hash}`]
    const texts = await Promise.all(paths.map(async (path) => (await get(`${service.url}/${path}`)).text))
    expect(texts.flatMap(widest)).toEqual([])
    for (let made = 0; made < chain.frontierBlocks; made++) chain.produceBlock()
    expect(await read()).toMatchObject([shown, shown, shown])
  }
})

test('a command that waits with more MINA than 64 bits hold is shown without that change, and the answer names it', async () => {
  const { hash } = queued(carol, transfer(carol, bob, largest))
  const answers = async () => {
    const paths = [`pool?account=${bob}`, `accounts/${carol}/transactions`, `transactions/${hash}`, 'blocks']
    const all = await Promise.all(paths.map((path) => get(`${service.url}/${path}`)))
    return all.map(({ headers, text }) => [headers.get('x-missing-fields'), widest(text), text.includes(hash)])
  }
  expect(await answers()).toEqual([
    ['commands.balanceChanges', [], true],
    ['pending.command.balanceChanges', [], true],
    ['command.balanceChanges', [], true],
    [null, [], false],
  ])
  // It fails there, so it moves nothing.
  chain.produceBlock()
  expect(await answers()).toEqual([
    [null, [], false],
    [null, [], true],
    [null, [], true],
    [null, [], true],
  ])
})

test('terms that no command of the chain can have are repeated as far as numbers hold them, and the answer names the rest', async () => {
  const memo = 'E4YM2vTHhWEg66xpj52JErHUBU4pZ1yageL4TVDDpTTSsv8mK6YaH'
  const asked = `from=${alice}&nonce=900&valid_until=9&to=${bob}&memo=${memo}&fee=${largest}&amount=${2n ** 63n - 1n}`
  const hash = chain.tip().userCommands[0]?.command.hash ?? ''
  const { headers, body, text } = await get(`${service.url}/transactions/${hash}?${asked}`)
  expect([headers.get('x-missing-fields'), widest(text)]).toEqual(['terms.fee', []])
  expect(body).toMatchObject({ transaction: { terms: { from: alice, nonce: 900, validUntil: 9, to: bob, memo } } })
})
