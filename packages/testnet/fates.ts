// Makes a command meet a chosen fate, so that each can be watched. Where no command is named, a test wallet sends one.
import { memoFromText } from '../../shared/mapping/command.ts'
import type { ChainBlock } from './block.ts'
import type { Chain } from './chain.ts'
import { type Command, type CommandPayload, createCommand, neverExpires } from './command.ts'
import { accountCreationFee, liquidBalance, nanominaPerMina } from './ledger/ledger.ts'
import { minaText } from './pool/refusals.ts'
import { createSigner } from './signer.ts'
import { tokenTransfer } from './token-transfer.ts'
import { createZkappCommand, transfer } from './zkapp-command.ts'

/** The coming event in words, and the service's paths that show it. */
export interface Arranged {
  readonly happens: string
  readonly see: readonly string[]
}

/** A caller's wishes; a fate takes the parts that its `parameters` name. */
export interface Wanted {
  /** Of a command. */
  readonly hash?: string
  /** Number of blocks, at least 1. */
  readonly depth?: number
  /** The key that a zkApp command pays. */
  readonly to?: string
  /** Nanomina. */
  readonly amount?: bigint
  readonly fails?: boolean
  /** A token of the sender's in place of MINA. */
  readonly token?: boolean
  /** Number of blocks that a hard fork leaves behind. */
  readonly discard?: number
}

/** The question for its fate by hash and all terms. */
function pathOf({ hash, from, nonce, validUntil, to, fee: paid, memo, kind, amount }: Command): string {
  const first = `from=${from}&nonce=${nonce}&valid_until=${validUntil}`
  const further = `to=${to}&fee=${paid}&memo=${memoFromText(memo)}`
  return `/transactions/${hash}?${first}&${further}${kind === 'PAYMENT' ? `&amount=${amount}` : ''}`
}

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

function replaced(chain: Chain, { hash }: Wanted): Arranged {
  const command = queuedOr(chain, hash)
  const rival = pay(chain, { from: command.from, nonce: command.nonce, fee: command.fee * 2n, memo: 'rival' })
  return {
    happens: 'Another payment with the nonce and twice the fee is in the pool, and in the next block.',
    see: [pathOf(command), pathOf(rival)],
  }
}

function expired(chain: Chain, { hash }: Wanted): Arranged {
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

/** A terminal is to show them all. */
const maxCommandsToSee = 5

/** The last blocks: so many, or back to the one with a command; by default one. */
function lastBlocks(chain: Chain, { hash, depth = 1 }: Wanted): readonly ChainBlock[] {
  const frontier = chain.frontier()
  if (hash === undefined) return frontier.slice(-depth)
  const isIn = ({ userCommands }: ChainBlock) => userCommands.some(({ command }) => command.hash === hash)
  const lost = frontier.find(isIn)
  if (lost === undefined)
    throw new RangeError('No block of the best chain that the node holds has a command with this hash')
  return frontier.filter(({ height }) => height >= lost.height)
}

function reorganised(chain: Chain, wanted: Wanted): Arranged {
  const { hash, depth } = wanted
  const deepest = chain.frontier().length - 1
  if (depth !== undefined && depth > deepest) {
    throw new RangeError(
      `depth: the node holds ${deepest + 1} blocks, of which a fork replaces 1 to ${deepest}, not ${depth}`,
    )
  }
  const blocks = lastBlocks(chain, wanted)
  const commands = blocks
    .flatMap(({ userCommands }) => userCommands.map(({ command }) => command))
    .filter((command) => command.hash === (hash ?? command.hash))
  // A block ahead of the clock is one that no node would take, so a full chain gets a fork of its own length.
  const firstSlot = (blocks[0]?.slot ?? 0) - 1
  const hasRoom = chain.currentSlot() - firstSlot > blocks.length
  chain.reorganise(blocks.length, hasRoom ? 1 : 0)
  return {
    happens: `A fork has orphaned ${blocks.length === 1 ? 'the last block' : `the last ${blocks.length} blocks`}. Commands whose nonces it did not use are in the pool again.`,
    see: [...blocks.map(({ stateHash }) => `/blocks/${stateHash}`), ...commands.slice(0, maxCommandsToSee).map(pathOf)],
  }
}

function waiting(chain: Chain, { hash }: Wanted): Arranged {
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

function zkapp(
  chain: Chain,
  { to = chain.wallets[0]?.publicKey ?? '', amount = 1_500_000_000n, fails = false, token = false }: Wanted,
): Arranged {
  const { publicKey: from, nonce } = idleWallet(chain)
  const updates = token
    ? tokenTransfer(from, to, amount, (publicKey) => chain.account(publicKey))
    : transfer(from, to, amount)
  const command = createZkappCommand({ from, fee, nonce }, { updates, memo: 'zkapp', fails })
  chain.queueZkapp(command)
  const paid = token ? `${amount} of the smallest units of a token` : `${minaText(amount)} MINA`
  const moves = `a zkApp command of ${from} that pays ${paid}`
  const cost = token ? '' : ' A new account has 1 MINA less.'
  return {
    happens: `The next block has ${moves}${fails ? ', and fails: only its fee is charged' : ''}.${cost}`,
    see: [`/transactions/${command.hash}`, `/accounts/${to}`, `/accounts/${from}`],
  }
}

export interface Fate {
  readonly parameters: readonly (keyof Wanted)[]
  /** It takes at most one of them. */
  readonly takesOne?: true
  /** @throws RangeError where the chain cannot do it as it is now; then nothing has changed */
  readonly arrange: (chain: Chain, wanted: Wanted) => Arranged
}

/** The parameters of a fate, for people. */
export const parametersText = ({ parameters, takesOne }: Pick<Fate, 'parameters' | 'takesOne'>): string =>
  parameters.join(takesOne ? ' or ' : ', ')

/** By name. */
export const fates = {
  replaced: { parameters: ['hash'], arrange: replaced },
  expired: { parameters: ['hash'], arrange: expired },
  failed: { parameters: [], arrange: failed },
  reorganised: { parameters: ['hash', 'depth'], takesOne: true, arrange: reorganised },
  waiting: { parameters: ['hash'], arrange: waiting },
  zkapp: { parameters: ['to', 'amount', 'fails', 'token'], arrange: zkapp },
} as const satisfies Record<string, Fate>
