// The test wallets that `npm start` prints. The chain itself never spends from them.
import type { Timing, ZkappState } from './ledger.ts'
import { nanominaPerMina } from './ledger.ts'

/** A key pair to sign with. */
export interface Wallet {
  readonly name: string
  readonly publicKey: string
  readonly privateKey: string
  /** Its use in a test. */
  readonly note: string
}

/** A wallet before its keys are known. */
export interface WalletPlan {
  readonly name: string
  /** Nanomina. */
  readonly balance: bigint
  /** Name of another wallet or of a block producer; without one, the account delegates to itself. */
  readonly delegate?: string
  readonly timing?: Timing
  readonly zkapp?: ZkappState
  readonly note: string
}

const mina = (whole: number): bigint => BigInt(whole) * nanominaPerMina

export const walletPlans: readonly WalletPlan[] = [
  { name: 'alice', balance: mina(5_000), note: 'plain; bob and carol delegate to her' },
  { name: 'bob', balance: mina(12_500) + 123_456_789n, delegate: 'alice', note: 'delegates to alice' },
  { name: 'carol', balance: mina(70_000), delegate: 'alice', note: 'delegates to alice' },
  { name: 'dave', balance: mina(1_000_000), delegate: 'kestrel', note: 'delegates to the block producer kestrel' },
  {
    name: 'erin',
    balance: mina(66_000_000) + 1n,
    delegate: 'heron',
    note: 'more than 2^53 nanomina; delegates to heron',
  },
  {
    name: 'frank',
    balance: mina(10_050),
    timing: lock({ initial: 10_000, cliffTime: 100_000, cliff: 2_500, period: 100, increment: 75 }),
    note: '10000 of 10050 MINA locked until slot 100000',
  },
  {
    name: 'grace',
    balance: mina(10_000),
    delegate: 'dave',
    timing: lock({ initial: 9_000, cliffTime: 20, cliff: 1_000, period: 5, increment: 10 }),
    note: 'vesting now: 10 MINA more every 5 slots',
  },
  {
    name: 'heidi',
    balance: mina(2_000),
    timing: lock({ initial: 2_000, cliffTime: 10, cliff: 1_000, period: 1, increment: 500 }),
    note: 'time-locked once, all vested by slot 12',
  },
  { name: 'ivan', balance: mina(2), note: 'only 2 MINA: refused for insufficient funds' },
  {
    name: 'judy',
    balance: mina(100),
    zkapp: {
      elements: [
        1n,
        42n,
        28948022309329048855892746252171976963363056481941560715954676764349967630336n,
        0n,
        0n,
        0n,
        0n,
        0n,
      ],
      isProved: true,
      verificationKey: 'AAA=',
      verificationKeyHash: 7133389471213434215493948272831492749385910283745610928374650192837465091n,
      uri: 'https://zkapp.example/counter',
    },
    note: 'small; a zkApp with state',
  },
  { name: 'mallory', balance: mina(250_000), delegate: 'bob', note: 'delegates to bob, who delegates to alice' },
  { name: 'oscar', balance: mina(9_007_199) + 254_740_993n, note: 'exactly 2^53+1 nanomina' },
]

/** Amounts in MINA, times in slots. */
function lock(plan: { initial: number; cliffTime: number; cliff: number; period: number; increment: number }): Timing {
  return {
    initialMinimumBalance: mina(plan.initial),
    cliffTime: plan.cliffTime,
    cliffAmount: mina(plan.cliff),
    vestingPeriod: plan.period,
    vestingIncrement: mina(plan.increment),
  }
}
