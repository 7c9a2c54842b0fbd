// Who is there before the first block: the test wallets, and the accounts that the chain runs by itself.

import type { KeyPair, Signer } from '../signer.ts'
import type { Account, Ledger } from './ledger.ts'
import { nanominaPerMina, newAccount } from './ledger.ts'
import type { Wallet } from './wallets.ts'
import { walletPlans } from './wallets.ts'

export interface Genesis {
  readonly wallets: readonly Wallet[]
  /** Block producers; only accounts that delegate to one of them win slots. */
  readonly producers: readonly (KeyPair & { readonly name: string })[]
  /** Takes the coinbase of the last producer. */
  readonly rewardAccount: KeyPair
  readonly provers: readonly KeyPair[]
  /** Accounts from which the chain's own commands come. */
  readonly spenders: readonly KeyPair[]
  /** Keys without an account, which own payments create in the course of time. */
  readonly newcomers: readonly KeyPair[]
  /** A key that stays without an account: payments to it are below the creation fee and fail. */
  readonly nobody: KeyPair
  readonly ledger: Ledger
}

const producerNames = ['kestrel', 'heron', 'osprey']
const proverNames = ['lovelace', 'turing', 'noether']
const mina = (whole: number): bigint => BigInt(whole) * nanominaPerMina

/** All keys and balances that follow from the seed. About 1.15e9 MINA in all. */
export function createGenesis(signer: Signer, seed: string): Genesis {
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
    keyPairs.map(({ publicKey }) => newAccount(publicKey, mina(whole)))
  const delegateOf = ({ plan, wallet }: (typeof planned)[number]): string =>
    [...producers, ...wallets].find(({ name }) => name === plan.delegate)?.publicKey ?? wallet.publicKey

  const accounts: readonly Account[] = [
    ...own(producers, 250_000_000),
    ...own(provers, 10_000),
    ...own([rewardAccount], 1),
    ...own(spenders, 65_000_000),
    ...planned.map((wallet) => ({
      ...newAccount(wallet.wallet.publicKey, wallet.plan.balance),
      delegate: delegateOf(wallet),
      timing: wallet.plan.timing ?? null,
    })),
  ]
  return {
    wallets,
    producers,
    rewardAccount,
    provers,
    spenders,
    newcomers: numbered('newcomer', 4),
    nobody: named('nobody'),
    ledger: new Map(accounts.map((account) => [account.publicKey, account])),
  }
}
