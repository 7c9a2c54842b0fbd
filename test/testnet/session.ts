// A chain with a clock that the test sets, and wallets that sign as a user's would.
import type { Chain, Wallet } from '../../packages/testnet/chain.ts'
import { createChain } from '../../packages/testnet/chain.ts'
import type { ChainOptions } from '../../packages/testnet/chain-options.ts'
import { type CommandPayload, neverExpires } from '../../packages/testnet/command.ts'
import type { Submission } from '../../packages/testnet/pool/pool.ts'
import { createSigner } from '../../packages/testnet/signer.ts'

export const startMs = Date.UTC(2024, 5, 5, 12, 0, 3)

/** A payment's fields; those that are absent have a default. Amounts in nanomina. */
interface Draft {
  readonly from: string
  readonly to: string
  readonly amount?: bigint
  readonly fee?: bigint
  readonly nonce?: number
  readonly memo?: string
  readonly validUntil?: number
}

/** A chain of a few blocks, quick to make. */
export function startSession(options: Partial<ChainOptions> = {}) {
  let nowMs = startMs
  const chain: Chain = createChain({
    seed: 'test',
    now: () => nowMs,
    historyBlocks: 4,
    signsOwnCommands: false,
    ...options,
  })
  const wallet = (name: string): Wallet => {
    const found = chain.wallets.find((candidate) => candidate.name === name)
    if (found === undefined) throw new Error(`No wallet ${name}`)
    return found
  }
  const complete = ({ from, to, ...given }: Draft) => ({
    ...{ amount: 1_000n, fee: 10_000_000n, nonce: 0, memo: '', validUntil: neverExpires, ...given },
    from: wallet(from).publicKey,
    to: chain.wallets.some(({ name }) => name === to) ? wallet(to).publicKey : to,
  })
  const sign = (draft: Draft, kind: CommandPayload['kind'] = 'PAYMENT') =>
    createSigner(chain.network).sign({ ...complete(draft), kind }, wallet(draft.from).privateKey)
  return {
    chain,
    wallet,
    /** Moves the clock. */
    advance: (milliseconds: number) => {
      nowMs += milliseconds
    },
    account(name: string) {
      const account = chain.account(wallet(name).publicKey)
      if (account === undefined) throw new Error(`${name} has no account`)
      return account
    },
    complete,
    sign,
    pay: (draft: Draft): Submission => chain.sendPayment(complete(draft), sign(draft)),
    delegate: (draft: Draft): Submission => chain.sendDelegation(complete(draft), sign(draft, 'STAKE_DELEGATION')),
  }
}
