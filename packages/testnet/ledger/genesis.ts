// The accounts of the genesis ledger: test wallets, and those that the chain uses itself.
import type { KeyPair, Signer } from '../signer.ts'
import type { Account, Ledger, Timing } from './ledger.ts'
import { nanominaPerMina, newAccount } from './ledger.ts'
import type { Wallet } from './wallets.ts'
import { walletPlans } from './wallets.ts'

export interface Genesis {
  readonly wallets: readonly Wallet[]
  /** Block producers; only accounts that delegate to one of them win slots. */
  readonly producers: readonly (KeyPair & { readonly name: string })[]
  /** Receives the coinbase of the last producer. */
  readonly rewardAccount: KeyPair
  readonly provers: readonly KeyPair[]
  /** The senders of the chain's own commands. */
  readonly spenders: readonly KeyPair[]
  /** Keys without an account; the chain's own payments create the accounts over time. */
  readonly newcomers: readonly KeyPair[]
  /** A key that never gets an account: every payment to it is below the creation fee and fails. */
  readonly neverCreated: KeyPair
  readonly ledger: Ledger
}

const producerNames = ['kestrel', 'heron', 'osprey']
const proverNames = ['lovelace', 'turing', 'noether']
const mina = (whole: number): bigint => BigInt(whole) * nanominaPerMina

const divided = ({ initialMinimumBalance, cliffAmount, vestingIncrement, ...times }: Timing, by: bigint): Timing => ({
  ...times,
  initialMinimumBalance: initialMinimumBalance / by,
  cliffAmount: cliffAmount / by,
  vestingIncrement: vestingIncrement / by,
})

/**
 * Keys and balances, derived from the seed. About 1.15e9 MINA in all.
 *
 * @param divisor divides every balance
 */
export function createGenesis(signer: Signer, seed: string, divisor = 1n): Genesis {
  const named = (name: string) => ({ name, ...signer.keyPair(seed, name) })
  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => named(`${name} ${index}`))
  const producers = producerNames.map(named)
  const provers = proverNames.map(named)
  const planned = walletPlans.map((plan) => ({ plan, wallet: { ...named(plan.name), note: plan.note } }))
  const wallets = planned.map(({ wallet }) => wallet)
  const spenders = numbered('spender', 5)
  const rewardAccount = named('reward account')

  const own = (keyPairs: readonly KeyPair[], whole: number): Account[] =>
    keyPairs.map(({ publicKey }) => newAccount(publicKey, mina(whole) / divisor))
  const delegateOf = ({ plan, wallet }: (typeof planned)[number]): string =>
    [...producers, ...wallets].find(({ name }) => name === plan.delegate)?.publicKey ?? wallet.publicKey

  const accounts: readonly Account[] = [
    ...own(producers, 250_000_000),
    ...own(provers, 10_000),
    ...own([rewardAccount], 1),
    ...own(spenders, 65_000_000),
    ...planned.map((wallet) => ({
      ...newAccount(wallet.wallet.publicKey, wallet.plan.balance / divisor),
      delegate: delegateOf(wallet),
      timing: wallet.plan.timing ? divided(wallet.plan.timing, divisor) : null,
      zkapp: wallet.plan.zkapp ?? null,
    })),
  ]
  return {
    wallets,
    producers,
    rewardAccount,
    provers,
    spenders,
    newcomers: numbered('newcomer', 4),
    neverCreated: named('nobody'),
    ledger: new Map(accounts.map((account) => [account.publicKey, account])),
  }
}
