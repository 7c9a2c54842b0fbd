// A client of the service: sends, repeats and replaces commands, sends several in a row, and sometimes an invalid one.
import { minimumFee } from '../../../testnet/pool/refusals.ts'
import { integerBetween, pick, type Random } from '../../../testnet/random.ts'
import type { Network } from '../chain/network.ts'
import type { VirtualTime } from '../time.ts'
import type { Setting } from './setting.ts'
import { type HistoryCommand, receivers, signCommand } from './signed-command.ts'

const contentKeys = ['kind', 'to', 'amount', 'fee', 'nonce', 'memo', 'validUntil', 'flaw'] as const
const memos = ['rent', 'tip', 'payout 7'] as const

/** An answer as a wallet reads it; `paused` for a refusal that lasts until a hard fork is over. */
export type Result = 'sent' | 'refused' | 'paused' | 'unknown'

/** @param broadcast posts a command and resolves with the result */
export async function useWallet(
  random: Random,
  time: VirtualTime,
  setting: Pick<Setting, 'actions' | 'restarts' | 'thinkMs' | 'whims'>,
  network: Pick<Network, 'daemons' | 'slot'>,
  publicKey: string,
  broadcast: (command: HistoryCommand) => Promise<Result>,
): Promise<void> {
  const signed: HistoryCommand[] = []
  let nextNonce = 0
  let lastSent: { readonly command: HistoryCommand; readonly at: number } | undefined

  function sign(overrides: Partial<HistoryCommand> = {}): HistoryCommand {
    const isDelegation = random() < 0.25
    const command = signCommand(random, {
      kind: isDelegation ? 'STAKE_DELEGATION' : 'PAYMENT',
      from: publicKey,
      to: pick(random, receivers),
      amount: isDelegation ? 0n : BigInt(integerBetween(random, 1, 5_000_000_000)),
      fee: minimumFee + BigInt(integerBetween(random, 0, 99_000_000)),
      memo: pick(random, memos),
      nonce: nextNonce,
      ...overrides,
    })
    // Commands of the same content are one command, because they would have one signature.
    const known = signed.find((other) => contentKeys.every((key) => other[key] === command[key]))
    if (known === undefined) signed.push(command)
    return known ?? command
  }

  /** Sends a command, and again after an unknown outcome, as the service's documentation advises. */
  async function send(command: HistoryCommand): Promise<void> {
    nextNonce = Math.max(nextNonce, command.nonce + 1)
    let result = await broadcast(command)
    for (let again = 0; result === 'unknown' && again < 2; again++) {
      await time.wait(integerBetween(random, 100, 5_000))
      result = await broadcast(command)
    }
    for (let again = 0; result === 'paused' && again < 4; again++) {
      await time.wait(integerBetween(random, 5_000, 120_000))
      result = await broadcast(command)
    }
    if (result === 'sent') lastSent = { command, at: time.now() }
    // After a refusal a wallet asks a node for its next nonce.
    if (result === 'refused') nextNonce = pick(random, network.daemons).inferredNonce(publicKey)
  }

  /** A command that differs in one field from the last one sent, which is unwise but allowed. */
  function lookalike(): HistoryCommand {
    if (lastSent === undefined) return sign()
    const { kind, to, amount, fee, nonce, memo, validUntil } = lastSent.command
    const same = { kind, to, amount, fee, memo }
    // Two nodes that receive two commands of one nonce and one fee in different order keep different ones.
    const isKnownToAll = setting.restarts === 0 && time.now() - lastSent.at > 4_000
    if (!isKnownToAll || random() < 0.5) return sign(same)
    const another = (texts: readonly string[], text: string) => {
      const others = texts.filter((one) => one !== text)
      return pick(random, others)
    }
    const change = pick<() => Partial<HistoryCommand>>(random, [
      () => ({ to: another(receivers, to) }),
      () => ({ memo: another(memos, memo) }),
      () => ({ kind: 'PAYMENT', amount: amount + 1n }),
      () => ({ validUntil: validUntil - 1 }),
    ])
    return sign({ ...same, nonce, ...change() })
  }

  async function burst(): Promise<void> {
    const sending: Promise<void>[] = []
    for (let length = integerBetween(random, 2, 4); length > 0; length--) {
      sending.push(send(sign()))
      await time.wait(integerBetween(random, 0, 400))
    }
    await Promise.all(sending)
  }

  async function replace(): Promise<void> {
    const original = signed.at(-1) ?? sign()
    const sending = [broadcast(original)]
    await time.wait(integerBetween(random, 0, 4_000))
    const fee = original.fee + BigInt(integerBetween(random, 1_000_000, 50_000_000))
    const replacement = sign({ nonce: original.nonce, fee, to: pick(random, receivers) })
    sending.push(broadcast(replacement))
    if (random() < 0.4) {
      await time.wait(integerBetween(random, 0, 4_000))
      sending.push(broadcast(original))
    }
    await Promise.all(sending)
    nextNonce = Math.max(nextNonce, original.nonce + 1)
  }

  function impossible(): HistoryCommand {
    const what = pick<() => Partial<HistoryCommand>>(random, [
      () => ({ flaw: 'signature' }),
      () => ({ flaw: 'memo' }),
      () => ({ kind: 'PAYMENT', amount: 999_990_000_000n }),
      () => ({ fee: minimumFee - 1n }),
      () => ({ validUntil: Math.max(0, network.slot() - 1) }),
      () => ({ validUntil: network.slot() + integerBetween(random, 0, 2) }),
      () => ({ nonce: nextNonce + integerBetween(random, 1, 3) }),
      () => ({ nonce: Math.max(0, nextNonce - integerBetween(random, 1, 3)) }),
    ])
    return sign(what())
  }

  for (let action = 0; action < setting.actions; action++) {
    await time.wait(integerBetween(random, 50, setting.thinkMs))
    const dice = random() * setting.whims
    if (dice < 0.25) await send(sign())
    else if (dice < 0.35) await send(lookalike())
    else if (dice < 0.5) await burst()
    else if (dice < 0.72) await broadcast(signed.length > 0 ? pick(random, signed) : sign())
    else if (dice < 0.86) await replace()
    else {
      const before = nextNonce
      await broadcast(impossible())
      nextNonce = before
    }
  }
}
