// The chain's own commands, so that no block is empty.
import type { Command, CommandPayload } from '../command.ts'
import { createCommand, neverExpires } from '../command.ts'
import { tokenId } from '../hashes.ts'
import type { Genesis } from '../ledger/genesis.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { maxBalance, nanominaPerMina } from '../ledger/ledger.ts'
import type { Random } from '../random.ts'
import { integerBetween, pick } from '../random.ts'
import type { KeyPair, Signer } from '../signer.ts'
import { tokenTransfer } from '../token-transfer.ts'
import { type AccountUpdate, createZkappCommand, transfer, type ZkappCommand } from '../zkapp-command.ts'

const milliMina = nanominaPerMina / 1000n
const ownFee = (random: Random): bigint => BigInt(integerBetween(random, 10, 120)) * milliMina
const memos = ['', 'rent', 'coffee', 'invoice 1017', 'grüße']

/**
 * Own commands of the block at `height`: always a payment; at every 5th height also a delegation, at every 7th a
 * payment that is too small to create its receiver, at every 9th one that creates a new account.
 *
 * @param ledger the ledger on which they will be applied
 */
export function ownCommands(
  genesis: Genesis,
  sign: Signer['sign'],
  random: Random,
  ledger: Ledger,
  height: number,
): readonly Command[] {
  const first = integerBetween(random, 0, genesis.spenders.length - 1)
  const commands: Command[] = []
  const add = (body: Pick<CommandPayload, 'kind' | 'to' | 'amount'>) => {
    // A spender sends at most one command per block, so the nonce in the ledger is the next one.
    const sender: KeyPair | undefined = genesis.spenders[(first + commands.length) % genesis.spenders.length]
    const account = sender && ledger.get(sender.publicKey)
    if (sender === undefined || account === undefined) return
    const payload: CommandPayload = {
      ...body,
      from: sender.publicKey,
      fee: ownFee(random),
      nonce: account.nonce,
      memo: pick(random, memos),
      validUntil: neverExpires,
    }
    commands.push(createCommand(payload, () => sign(payload, sender.privateKey)))
  }
  const pay = (to: string, thousandths: number) => add({ kind: 'PAYMENT', to, amount: BigInt(thousandths) * milliMina })

  pay(pick(random, [...genesis.spenders, ...genesis.provers]).publicKey, integerBetween(random, 1, 250_000))
  if (height % 5 === 0) add({ kind: 'STAKE_DELEGATION', to: pick(random, genesis.producers).publicKey, amount: 0n })
  if (height % 7 === 3) pay(genesis.neverCreated.publicKey, integerBetween(random, 1, 999))
  if (height % 9 === 4) pay(pick(random, genesis.newcomers).publicKey, integerBetween(random, 1_000, 30_000))
  return commands
}

/** As much of the sender's token as an account can hold: to a key that has none of it, or back from one that has. */
function largestTransfer(ledger: Ledger, from: string, to: string): readonly AccountUpdate[] {
  const held = ledger.get(to)?.tokens.get(tokenId(from)) ?? 0n
  return tokenTransfer(from, to, held === 0n ? maxBalance : -held, (publicKey) => ledger.get(publicKey))
}

/**
 * zkApp commands of the block at `height`: two at every 11th height. Both pay another key. The first moves a token too, at
 * even heights; the second pays twice, to a key that may be new, and fails at odd heights.
 *
 * @param ledger the ledger on which they will be applied, after the block's user commands
 * @param label of the fork that the block is on
 */
export function ownZkappCommands(
  genesis: Genesis,
  random: Random,
  ledger: Ledger,
  height: number,
  label: string,
): readonly ZkappCommand[] {
  if (height % 11 !== 2) return []
  const amount = () => BigInt(integerBetween(random, 1_000, 9_000)) * milliMina
  return genesis.spenders.slice(0, 2).map(({ publicKey: from }, index) => {
    const payment = { from, fee: ownFee(random), nonce: ledger.get(from)?.nonce ?? 0 }
    const isFirst = index === 0
    const to = pick(random, isFirst ? genesis.provers : genesis.newcomers).publicKey
    const movesToken = isFirst && height % 2 === 0
    const updates = [
      ...transfer(from, to, amount()),
      ...(movesToken ? largestTransfer(ledger, from, to) : []),
      ...(isFirst ? [] : transfer(from, to, amount())),
    ]
    const memo = isFirst ? 'swap' : 'payout'
    return createZkappCommand(payment, { updates, memo, fails: !isFirst && height % 2 === 1, label })
  })
}
