// A chain of several epochs with a delegation in one of them, and its staking ledgers added up by hand.
import type { ChainOptions } from '../../../packages/testnet/chain-options.ts'
import type { Account } from '../../../packages/testnet/ledger/ledger.ts'
import { startSession } from '../session.ts'

/** In epoch 4; from the ledger of epoch 3 on judy delegates to alice. */
export function stakingSession(options: Partial<ChainOptions> = {}) {
  const session = startSession({ historyBlocks: 12, slotsPerEpoch: 10, ...options })
  const { chain, delegate, advance } = session
  delegate({ from: 'judy', to: 'alice' })
  while (chain.tip().epoch < 4) {
    advance(10_000)
    chain.produceBlock()
  }
  const accountsOf = (epoch: number): Account[] => [...(chain.stakingLedger(epoch)?.accounts.values() ?? [])]
  return {
    ...session,
    delegatedTo: (epoch: number, publicKey: string) => accountsOf(epoch).filter((one) => one.delegate === publicKey),
  }
}
