// Payments for the program of `consumer.ts.txt`, and the facts that it must find on the chain.
import type { Chain } from '../../packages/testnet/chain.ts'
import { signPayment, wallet } from '../end-to-end/running-service.ts'

/** Its arguments after the address: a payment, and one with the signature of another. */
export function paymentsOf(chain: Chain, sender: string) {
  const [from, to] = [wallet(chain, sender), wallet(chain, 'bob')]
  const forged = signPayment(chain, from, to, { amount: '1' })
  return [signPayment(chain, from, to), { ...forged, payload: { ...forged.payload, amount: '2' } }] as const
}

/** Makes a block whenever a command waits, until it is stopped. */
export function producing(chain: Chain): () => void {
  const timer = setInterval(() => {
    if (chain.pool().length > 0) chain.produceBlock()
  }, 20)
  return () => clearInterval(timer)
}

/** @returns the facts that it must find if it starts now and its payment is the next command of the chain */
export function expectedNow(chain: Chain): object {
  const [tip, latest] = [chain.tip(), chain.bestChain().slice(-3).reverse()]
  const fees = latest.flatMap(({ userCommands }) => userCommands).reduce((sum, { command }) => sum + command.fee, 0n)
  return {
    total: String(tip.totalCurrency),
    isSame: true,
    height: tip.height,
    tips: [tip.height],
    blocks: latest.map(({ height }) => height),
    fees: String(fees),
    missingFields: [],
    absent: 404,
    forged: 'refused invalid-signature false',
    sent: 'accepted',
    included: `included ${tip.height + 1}`,
    fate: `included ${tip.height + 1}`,
    same: true,
  }
}
