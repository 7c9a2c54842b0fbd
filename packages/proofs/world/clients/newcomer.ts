// A wallet whose first deposit comes after a daemon has stopped, which lacks its account for good.
import { createRandom } from '../../../testnet/random.ts'
import { senders, signCommand } from '../broadcasts/signed-command.ts'
import { accountAt } from '../chain/block.ts'
import type { Network } from '../chain/network.ts'
import type { StopPlan } from '../stops.ts'
import type { VirtualTime } from '../time.ts'
import { minute, wallet } from './setting.ts'

export const hasAccount = (home: Network): boolean => accountAt(home.bestChain(), wallet) !== undefined

/** Pays it after the stop, and again whenever a reorganisation has taken it off. */
export function payFirstDeposit(
  seed: string,
  home: Network,
  time: VirtualTime,
  { fromMs }: StopPlan,
  untilMs: () => number,
): void {
  const [, from = ''] = senders
  const terms = { kind: 'PAYMENT', from, to: wallet, amount: 500_000_000_000n, fee: 10n ** 8n, nonce: 0 } as const
  const deposit = signCommand(createRandom(`deposit of ${seed}`), { ...terms, opensAccount: true })
  const pay = () => {
    if (time.now() > untilMs()) return
    if (!hasAccount(home)) home.lateBlock([deposit], 0, home.slot())
    time.quietly(10 * minute, pay)
  }
  time.quietly(fromMs + minute, pay)
}
