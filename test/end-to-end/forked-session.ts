// The embedded chain through a hard fork: alice's payment is in the parent, carol's in the first of three discarded blocks.
import { createForkDay } from '../../local/chain/fork-day.ts'
import { startSession } from '../local/chain/session.ts'

const slotMs = 10_000

/** @param newBlocks of the new chain, beyond its genesis block */
export function forkedSession(historyBlocks: number, newBlocks: number) {
  const session = startSession({ historyBlocks, slotsPerEpoch: 20 })
  const day = createForkDay(session.chain)
  const nextSlot = () => {
    session.advance(slotMs)
    day.produceIfDue()
  }
  session.pay({ from: 'alice', to: 'bob', amount: 7n })
  nextSlot()
  const parent = session.chain.tip()
  session.pay({ from: 'carol', to: 'bob', amount: 9n })
  for (let made = 0; made < 3; made++) nextSlot()
  day.fork(3)
  for (let made = 0; made < newBlocks; made++) nextSlot()
  return { session, day, parent }
}
