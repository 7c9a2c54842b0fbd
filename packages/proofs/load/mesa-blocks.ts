// Blocks and a pool as full as Mesa allows: as many zkApp commands as they take, each of as many account updates as one may
// have, and each update of another account.
import type { Chain } from '../../testnet/chain.ts'
import { createZkappCommand, minaUpdate, type ZkappCommand } from '../../testnet/zkapp-command.ts'
import { idOf } from '../unheld-values.ts'

/** A block takes two to the seventh transactions, of which the coinbase is one. */
const commandsInBlock = 127

/** A daemon's default. */
const commandsInPool = 3000

/** Sixteen segments, each of two updates that are signed. */
const updatesInCommand = 32

/** As many digits as an amount of MINA can have in practice. */
const amount = -123_456_789_012_345_678n

const greatestCommands = (from: string, count: number, firstNonce: number): readonly ZkappCommand[] =>
  Array.from({ length: count }, (_, index) => {
    const nonce = firstNonce + index
    const updates = Array.from({ length: updatesInCommand }, (_, turn) =>
      minaUpdate(idOf('public_key', `m${nonce}u${turn}`), amount),
    )
    return createZkappCommand({ from, fee: 100_000_000n, nonce }, { updates })
  })

/** The chain with a full pool, and with as many full blocks as are wanted at its end. */
export function fullOfZkapps(chain: Chain, blocks: number): Chain {
  const [payer] = chain.wallets
  if (payer === undefined) throw new Error('the chain has no wallet')
  const latest = chain.bestChain().slice(-blocks)
  for (const [depth, block] of latest.entries()) {
    const commands = greatestCommands(payer.publicKey, commandsInBlock, depth * commandsInBlock)
    Object.assign(block, { zkappCommands: commands.map((command) => ({ ...command, failures: null })) })
  }
  let waiting: readonly ZkappCommand[] | undefined
  const zkappPool = () => {
    waiting ??= greatestCommands(payer.publicKey, commandsInPool, blocks * commandsInBlock)
    return waiting
  }
  return { ...chain, zkappPool }
}
