// Makes a command meet a fate, so that somebody who follows one can see each: of a test wallet's own command where none is
// named.
import type { Chain } from './chain.ts'
import { type Command, type CommandPayload, createCommand, neverExpires } from './command.ts'
import { accountCreationFee, liquidBalance, nanominaPerMina } from './ledger/ledger.ts'
import { createSigner } from './signer.ts'

/** The coming event in words, and the service's paths that show it. */
export interface Arranged {
  readonly happens: string
  readonly see: readonly string[]
}

const pathOf = ({ hash, from, nonce, validUntil }: Command): string =>
  `/transactions/${hash}?from=${from}&nonce=${nonce}&valid_until=${validUntil}`

const fee = nanominaPerMina / 100n

/** A wallet that has no command in the pool, and some MINA to spend; the wallets of the printed lines come last. */
function idleWallet(chain: Chain): { readonly publicKey: string; readonly nonce: number } {
  const isIdle = (publicKey: string) => chain.pool(publicKey).length + chain.zkappPool(publicKey).length === 0
  const canPay = (publicKey: string) => {
    const account = chain.account(publicKey)
    return account !== undefined && liquidBalance(account, chain.tip().slot) >= 10n * nanominaPerMina
  }
  const found = chain.wallets.findLast(({ publicKey }) => isIdle(publicKey) && canPay(publicKey))
  if (found === undefined) throw new RangeError('Every test wallet has a command in the pool: wait for the next block')
  return { publicKey: found.publicKey, nonce: chain.account(found.publicKey)?.nonce ?? 0 }
}

/**
 * A payment of a test wallet, by default of 1 MINA to itself.
 *
 * @throws RangeError if the sender is not one
 */
function signedPayment(chain: Chain, given: Pick<CommandPayload, 'from' | 'nonce'> & Partial<CommandPayload>) {
  const wallet = chain.wallets.find(({ publicKey }) => publicKey === given.from)
  if (wallet === undefined) throw new RangeError(`${given.from} is not a test wallet, so nothing can be signed for it`)
  const defaults = { kind: 'PAYMENT', to: given.from, amount: nanominaPerMina, fee, memo: '', validUntil: neverExpires }
  const payload = { ...defaults, ...given } as CommandPayload
  const signature = createSigner(chain.network).sign(payload, wallet.privateKey)
  return { payload, signature, command: createCommand(payload, () => signature) }
}

/** Sends such a payment. */
function pay(chain: Chain, given: Parameters<typeof signedPayment>[1]): Command {
  const { payload, signature } = signedPayment(chain, given)
  const taken = chain.sendPayment(payload, signature)
  if ('refused' in taken) throw new RangeError(taken.refused)
  return taken.command
}

/** The queued command with this hash, or a new one of a test wallet. */
function queuedOr(chain: Chain, hash: string | undefined, more: Partial<CommandPayload> = {}): Command {
  if (hash === undefined) {
    const { publicKey: from, nonce } = idleWallet(chain)
    return pay(chain, { from, nonce, ...more })
  }
  const queued = chain.pool().find((command) => command.hash === hash)
  if (queued === undefined) throw new RangeError('No payment or delegation in the pool has this hash')
  return queued
}

function replaced(chain: Chain, hash?: string): Arranged {
  const command = queuedOr(chain, hash)
  const rival = pay(chain, { from: command.from, nonce: command.nonce, fee: command.fee * 2n, memo: 'rival' })
  return {
    happens: 'Another payment with the nonce and twice the fee is in the pool, and in the next block.',
    see: [pathOf(command), pathOf(rival)],
  }
}

function expired(chain: Chain, hash?: string): Arranged {
  const slot = Math.max(chain.currentSlot(), chain.tip().slot)
  const command = queuedOr(chain, hash, { validUntil: slot + 1 })
  if (command.validUntil === neverExpires) throw new RangeError('The command never expires: sign it with a validUntil')
  chain.withhold(command)
  return {
    happens: `No block takes it, and the first one after slot ${command.validUntil} drops it. The slot is now ${slot}.`,
    see: [pathOf(command)],
  }
}

function failed(chain: Chain): Arranged {
  const { publicKey: from, nonce } = idleWallet(chain)
  const { publicKey: to } = createSigner(chain.network).keyPair(chain.chainId, 'never funded')
  const command = pay(chain, { from, nonce, to, amount: accountCreationFee - 1n })
  return {
    happens: 'The next block charges its fee only: the amount is too small to create the account of its receiver.',
    see: [pathOf(command)],
  }
}

function reorganised(chain: Chain, hash?: string): Arranged {
  const isIn = ({ userCommands }: ReturnType<Chain['tip']>) => userCommands.some(({ command }) => command.hash === hash)
  const lost = hash === undefined ? chain.tip() : chain.frontier().find(isIn)
  if (lost === undefined)
    throw new RangeError('No block of the best chain that the node holds has a command with this hash')
  const blocks = chain.frontier().filter(({ height }) => height >= lost.height)
  const commands = blocks
    .flatMap(({ userCommands }) => userCommands.map(({ command }) => command))
    .filter((command) => command.hash === (hash ?? command.hash))
  chain.reorganise(blocks.length)
  return {
    happens: 'A longer fork has orphaned the blocks. Commands whose nonces it did not use are in the pool again.',
    see: [...blocks.map(({ stateHash }) => `/blocks/${stateHash}`), ...commands.map(pathOf)],
  }
}

function waiting(chain: Chain, hash?: string): Arranged {
  const dropped = queuedOr(chain, hash)
  const { from, nonce } = dropped
  if (!chain.pool(from).some((queued) => queued.nonce > nonce)) pay(chain, { from, nonce: nonce + 1 })
  chain.evict(dropped)
  const [last = dropped] = chain.pool(from).toReversed()
  const unsent = signedPayment(chain, { from, nonce: last.nonce + 1 }).command
  return {
    happens: `The pool has dropped the command with nonce ${nonce}, and others wait for it. The last one was never sent.`,
    see: [pathOf(dropped), pathOf(last), pathOf(unsent), `/accounts/${from}`],
  }
}

/** By name. Each takes the hash of a command, but `failed`, which sends one of a test wallet. */
export const fates = { replaced, expired, failed, reorganised, waiting } satisfies Record<
  string,
  (chain: Chain, hash?: string) => Arranged
>
