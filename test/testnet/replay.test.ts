import { expect, test } from '@jest/globals'
import type { ChainBlock } from '../../packages/testnet/block.ts'
import { totalCurrency } from '../../packages/testnet/ledger/ledger.ts'
import { createZkappCommand, minaToken } from '../../packages/testnet/zkapp-command.ts'
import { startSession } from './session.ts'

const mina = 1_000_000_000n
const sumOf = (items: readonly { readonly fee: bigint }[]) => items.reduce((sum, { fee }) => sum + fee, 0n)

/** Books a block from its own content alone; an account of another token than MINA is booked by key and token. */
function book(
  balances: Map<string, bigint>,
  tokens: Map<string, bigint>,
  { userCommands, zkappCommands, feeTransfers, coinbaseReceiverAccount, coinbase }: ChainBlock,
) {
  const add = (key: string, amount: bigint) => {
    const balance = balances.get(key)
    balances.set(key, balance === undefined ? amount - mina : balance + amount)
  }
  for (const { command, failureReason } of userCommands) {
    add(command.from, -command.fee)
    if (failureReason !== null || command.kind !== 'PAYMENT') continue
    add(command.from, -command.amount)
    add(command.to, command.amount)
  }
  for (const { from, fee, updates, failures } of zkappCommands) {
    add(from, -fee)
    for (const { publicKey, tokenId, balanceChange } of failures === null ? updates : []) {
      const account = `${publicKey} ${tokenId}`
      if (tokenId === minaToken) add(publicKey, balanceChange)
      else tokens.set(account, (tokens.get(account) ?? 0n) + balanceChange)
    }
  }
  for (const { recipient, fee } of feeTransfers) add(recipient, fee)
  const viaCoinbase = feeTransfers.filter(({ type }) => type === 'Fee_transfer_via_coinbase')
  if (coinbaseReceiverAccount !== null) add(coinbaseReceiverAccount, coinbase - sumOf(viaCoinbase))
}

test('the content of the blocks adds up to every balance, and the currency grows by coinbases less creation fees', () => {
  const { chain, pay, advance } = startSession({ historyBlocks: 1 })
  const balancesNow = () => new Map([...chain.ledger().values()].map(({ publicKey, balance }) => [publicKey, balance]))
  const tokensNow = () =>
    [...chain.ledger().values()].flatMap(({ publicKey, tokens: held }) =>
      [...held].map(([tokenId, balance]) => [`${publicKey} ${tokenId}`, balance]),
    )
  const [balances, tokens] = [balancesNow(), new Map<string, bigint>()]
  const genesisAccounts = balances.size
  for (let made = 0; made < 60; made++) {
    const before = { currency: chain.tip().totalCurrency, size: balances.size + tokens.size }
    advance(10_000)
    if (made % 10 === 0) pay({ from: 'alice', to: 'bob', nonce: made / 10, amount: 17n })
    const block = chain.produceBlock()
    book(balances, tokens, block)
    const created = BigInt(balances.size + tokens.size - before.size)
    expect(block.totalCurrency).toBe(totalCurrency(chain.ledger()))
    expect(block.totalCurrency - before.currency).toBe(block.coinbase - created * mina)
  }
  expect(balances).toEqual(balancesNow())
  expect(tokens).toEqual(new Map(tokensNow() as [string, bigint][]))
  expect(tokens.size).toBeGreaterThan(1)
  expect(balances.size).toBeGreaterThan(genesisAccounts)
  expect(chain.genesisBlock().totalCurrency).toBeGreaterThan(2n ** 53n)
})

test('commands of each kind use the nonces of their sender one after the other', () => {
  const { chain, wallet, pay } = startSession({ historyBlocks: 40 })
  pay({ from: 'alice', to: 'bob' })
  chain.queueZkapp(createZkappCommand({ from: wallet('alice').publicKey, fee: 1n, nonce: 1 }))
  for (const depth of [20, 3]) chain.reorganise(depth)
  chain.produceBlock()
  const used = new Map<string, number[]>()
  for (const { userCommands, zkappCommands } of chain.bestChain()) {
    const commands = [...userCommands.map(({ command }) => command), ...zkappCommands]
    for (const { from, nonce } of commands) used.set(from, [...(used.get(from) ?? []), nonce])
  }
  expect(used.get(wallet('alice').publicKey)).toEqual([0, 1])
  for (const { publicKey, nonce } of chain.ledger().values())
    expect(used.get(publicKey) ?? []).toEqual(Array.from({ length: nonce }, (_, index) => index))
})

test('each prover is paid for its jobs, by fee transfers that add up to fees and jobs', () => {
  const { chain } = startSession({ historyBlocks: 40 })
  for (const { snarkJobs, feeTransfers, userCommands, zkappCommands, coinbaseReceiver } of chain.bestChain().slice(1)) {
    const provers = new Set(snarkJobs.map(({ prover }) => prover))
    for (const prover of provers) {
      const paid = feeTransfers.filter(({ recipient }) => recipient === prover)
      expect(sumOf(paid)).toBe(sumOf(snarkJobs.filter((job) => job.prover === prover)))
    }
    const direct = feeTransfers.filter(({ type }) => type === 'Fee_transfer')
    expect(sumOf(direct)).toBe(sumOf([...userCommands.map(({ command }) => command), ...zkappCommands]))
    expect(feeTransfers.every(({ recipient }) => provers.has(recipient) || recipient === coinbaseReceiver)).toBe(true)
  }
})
