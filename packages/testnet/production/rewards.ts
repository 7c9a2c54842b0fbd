// The rewards of a block: the slot's winner, the provers' jobs and the fee transfers.
import type { FeeTransfer, SnarkJob } from '../block.ts'
import type { Genesis } from '../ledger/genesis.ts'
import type { Account, Ledger } from '../ledger/ledger.ts'
import type { Random } from '../random.ts'
import { integerBetween, pick } from '../random.ts'

/** Draws a winner weighted by stake, among the accounts that delegate to a block producer. */
export function slotWinner(genesis: Genesis, stakingLedger: Ledger, random: Random): Account {
  const producers = new Set(genesis.producers.map(({ publicKey }) => publicKey))
  const staked = [...stakingLedger.values()].filter(({ delegate }) => producers.has(delegate))
  const stake = staked.reduce((sum, { balance }) => sum + balance, 0n)
  let drawn = (stake * BigInt(Math.floor(random() * 2 ** 32))) >> 32n
  const winner = staked.find(({ balance }) => {
    drawn -= balance
    return drawn < 0n
  })
  if (winner === undefined) throw new RangeError('No stake to win a slot with')
  return winner
}

/**
 * One to three jobs, together cheaper than the lowest fee of the chain's own commands.
 *
 * @param height at every 4th the last of several jobs is in the second part of the block's diff
 */
export function snarkJobs({ provers }: Genesis, random: Random, height: number): readonly SnarkJob[] {
  const count = integerBetween(random, 1, 3)
  return Array.from({ length: count }, (_, index) => ({
    prover: pick(random, provers).publicKey,
    fee: BigInt(integerBetween(random, 1, 30)) * 100_000n,
    workIds: Array.from({ length: integerBetween(random, 1, 2) }, () => integerBetween(random, 1, 2 ** 31 - 1)),
    part: height % 4 === 0 && index > 0 && index === count - 1 ? 2 : 1,
  }))
}

/**
 * Command fees first pay the provers, in each part of the diff; the receiver of the coinbase gets the rest, as in Mina. All in nanomina.
 *
 * @param viaCoinbase the first job is paid out of the coinbase instead
 */
export function feeTransfers(
  fees: bigint,
  jobs: readonly SnarkJob[],
  coinbaseReceiver: string,
  viaCoinbase: boolean,
): FeeTransfer[] {
  const owed = new Map<string, { recipient: string; fee: bigint }>()
  for (const { prover, fee, part } of viaCoinbase ? jobs.slice(1) : jobs) {
    const earlier = owed.get(`${part} ${prover}`)?.fee ?? 0n
    owed.set(`${part} ${prover}`, { recipient: prover, fee: earlier + fee })
  }
  const paid = [...owed.values()].reduce((sum, { fee }) => sum + fee, 0n)
  const [first] = jobs
  return [
    ...[...owed.values()].map((transfer) => ({ ...transfer, type: 'Fee_transfer' as const })),
    ...(fees > paid ? [{ recipient: coinbaseReceiver, fee: fees - paid, type: 'Fee_transfer' as const }] : []),
    ...(viaCoinbase && first
      ? [{ recipient: first.prover, fee: first.fee, type: 'Fee_transfer_via_coinbase' as const }]
      : []),
  ]
}
