// The service on an embedded chain, as the recipes meet it.
import type { Payer } from '../../docs/recipes/pay.ts'
import { hurriedClock } from '../../local/start/hurried-clock.ts'
import { startService } from '../../local/start/service.ts'
import { untilTestEnds } from '../serving.ts'

export const network = 'testnet'

/** A service with a payer and a receiver; time passes with its blocks. */
export async function service() {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const options = {
    now: () => clock.now,
    after: hurriedClock.after,
    repeat: () => () => undefined,
    log: () => undefined,
    signsOwnCommands: false,
  }
  const { url, chain, wallets } = untilTestEnds(await startService(options))
  const [payer, receiver] = wallets
  if (chain === undefined || payer === undefined || receiver === undefined) throw new Error('no chain or wallets')
  const nextBlock = () => {
    clock.now += 10_000
    return chain.produceBlock()
  }
  const ours: Payer = { network, privateKey: payer.privateKey }
  return { url, chain, nextBlock, payer: ours, to: receiver.publicKey }
}
