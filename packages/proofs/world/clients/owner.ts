// The owner of a wallet: wants payments to be made, and signs. After an end the owner does what the client's README says of
// signing another one, and nothing else. What the owner keeps outlives the program.
import type { Client, Inclusion, QueuedCommand } from '../../../client/src/client.ts'
import { minimumFee } from '../../../testnet/pool/refusals.ts'
import { integerBetween, pick, type Random } from '../../../testnet/random.ts'
import { type HistoryCommand, receivers, signature, signCommand } from '../broadcasts/signed-command.ts'
import type { Network } from '../chain/network.ts'
import { dialects } from '../fates/prober.ts'
import type { VirtualTime } from '../time.ts'
import { type Setting, wallet } from './setting.ts'

/** A payment that the owner wants made once, by whichever of its commands. */
interface Purpose {
  readonly to: string
  readonly amount: bigint
  /** Oldest first; each was signed to take the place of those before it. */
  readonly commands: HistoryCommand[]
  readonly startsAtMs: number
  readonly raisedAtMs: number
  /** The client has told that one of its commands is included. */
  isPaid: boolean
  /** The command to sign next: with the nonce of the command before, or with a new one. */
  wants: 'nothing' | 'a new one' | 'the same nonce'
}

/** A signed command in the owner's store. */
export interface Kept extends QueuedCommand {
  readonly command: HistoryCommand
  readonly purpose: Purpose
  readonly body: string
  readonly neverSent: boolean
  maySent?: boolean
  told: string
  /** The height of the best chain when it was first told that its nonce is used, which is when a search for the rival begins. */
  usedToldAtHeight?: number
  /** It was told last that nobody answers. */
  isUnanswered?: boolean
}

/** The end of a command, as the client has told it. */
export interface Told {
  readonly kept: Kept
  readonly state: Inclusion['state']
  /** Blocks on top of the one that shows it; undefined where no reorganisation can change it. */
  readonly confirmations: number | undefined
  /** The block that shows it, if one does. */
  readonly block: { readonly height: number; readonly stateHash: string } | undefined
  /** The height of the best chain then. */
  readonly tipHeight: number
  /** In the world's time. */
  readonly atMs: number
}

export type Owner = ReturnType<typeof createOwner>

export function createOwner(
  random: Random,
  setting: Setting,
  home: Pick<Network, 'bestChain' | 'slot'>,
  time: VirtualTime,
  now: () => number,
  trace: (line: () => string) => void,
) {
  const begunAt = time.now()
  const open = new Map<string, Kept>()
  /** Open or not. */
  const signedSoFar: Kept[] = []
  let changedAtMs = 0
  const byBody = new Map<string, HistoryCommand>()
  const ends: Told[] = []
  const purposes = Array.from({ length: setting.purposes }, (_, index): Purpose => {
    const startsAtMs = integerBetween(random, 0, 300_000)
    const raisedAtMs =
      random() < setting.raises
        ? startsAtMs + integerBetween(random, 10_000, pick(random, [120_000, 1_800_000]))
        : Infinity
    const to = receivers[index] ?? ''
    return {
      to,
      amount: BigInt(integerBetween(random, 1, 10 ** 9)),
      commands: [],
      startsAtMs,
      raisedAtMs,
      isPaid: false,
      wants: 'a new one',
    }
  })
  const keptFor = (purpose: Purpose) => [...open.values()].filter((kept) => kept.purpose === purpose)

  function keep(purpose: Purpose, nonce: number, sentAtTip: Kept['sentAtTip'], terms: Partial<HistoryCommand>): void {
    const { to, amount, commands } = purpose
    const validUntil =
      commands.length < 2 && random() < setting.hurry
        ? { validUntil: home.slot() + pick(random, [0, 1, 1, 2, 3, 5, 20, 60]) }
        : {}
    const raised = commands.length === 0 ? 0n : (commands.at(-1)?.fee ?? 0n) + BigInt(pick(random, [1, 50_000_000]))
    const fee = raised > minimumFee ? raised : minimumFee + BigInt(integerBetween(random, 0, 10 ** 7))
    const common = { kind: 'PAYMENT', from: wallet, to, amount, fee, nonce, memo: 'rent' } as const
    const failing = commands.length === 0 && setting.failures > 0 ? { failsFirst: true as const } : {}
    const command = signCommand(random, { ...common, ...validUntil, ...failing, ...terms })
    const texts = {
      to,
      from: wallet,
      nonce: `${nonce}`,
      fee: `${command.fee}`,
      amount: `${amount}`,
      memo: command.memo,
    }
    const signed = { publicKey: wallet, signature, data: { ...texts, validUntil: `${command.validUntil}` } }
    const hash = pick(random, dialects)(command)
    const body = JSON.stringify(signed)
    const kept = { signed, hash, command, purpose, body, sentAtMs: now(), sentAtTip, neverSent: true, told: 'kept' }
    commands.push(command)
    byBody.set(body, command)
    open.set(hash, kept)
    signedSoFar.push(kept)
    changedAtMs = time.now() - begunAt
    trace(
      () =>
        `signs ${command.hash.slice(0, 8)} (${hash.slice(0, 8)}) for ${to.slice(-4)}: nonce ${nonce}, fee ${fee}, until ${command.validUntil}, flaw ${command.flaw}`,
    )
  }

  /** Signs for a purpose what it wants, or with a higher fee. */
  async function signFor(purpose: Purpose, account: Client['account'], isRaise: boolean): Promise<void> {
    const { value, chain } = await account(wallet)
    if (isRaise && keptFor(purpose).length === 0) return
    const last = purpose.commands.at(-1)
    const taken = new Set([...open.values()].map(({ command }) => command.nonce))
    let nonce = value.nextNonce
    while (taken.has(nonce)) nonce++
    if (last && (isRaise || purpose.wants === 'the same nonce')) nonce = last.nonce
    purpose.wants = 'nothing'
    const flaw: Partial<HistoryCommand> =
      last === undefined && random() < setting.flaws
        ? pick(random, [
            { flaw: 'signature' } as const,
            { fee: minimumFee - 1n },
            { validUntil: Math.max(0, home.slot() - 1) },
          ])
        : {}
    keep(purpose, nonce, chain, flaw)
  }

  function toldOf(kept: Kept, end: Inclusion): Told {
    const isFinal = 'final' in end && end.final === true
    const confirmations = 'confirmations' in end && !isFinal ? end.confirmations : undefined
    const tipHeight = home.bestChain().length
    const { blockHeight: height, stateHash } = Object('block' in end ? end.block : undefined)
    const block = stateHash === undefined ? undefined : { height, stateHash }
    return { kept, state: end.state, confirmations, block, tipHeight, atMs: time.now() }
  }

  return {
    open,
    signed: signedSoFar as readonly Kept[],
    /** When it last signed a command, or was told an end, in milliseconds since the history began. */
    changedAtMs: () => changedAtMs,
    ends,
    purposes,
    commandOf: (body: string) => byBody.get(body),
    isDone: () => open.size === 0 && purposes.every(({ wants }) => wants === 'nothing'),
    /** Signs what is due, so long after the history began. */
    async sign(account: Client['account'], sinceMs: number): Promise<void> {
      for (const purpose of purposes) {
        const [only, ...others] = keptFor(purpose)
        const isRaise = purpose.wants === 'nothing' && only !== undefined && purpose.commands.length === 1
        const isOver = setting.signsOverRefusals && only?.told.includes('"refused"') && others.length === 0
        if (isOver) await signFor(purpose, account, true)
        const isDue = isRaise
          ? sinceMs >= purpose.raisedAtMs
          : purpose.wants !== 'nothing' && sinceMs >= purpose.startsAtMs
        if (isDue) await signFor(purpose, account, isRaise)
      }
    },
    toldOf,
    /** Signs with a nonce that later commands wait for, for a purpose of its own. */
    fill(nonce: number): void {
      const purpose: Purpose = {
        to: wallet,
        amount: 1n,
        commands: [],
        startsAtMs: 0,
        raisedAtMs: Infinity,
        isPaid: false,
        wants: 'nothing',
      }
      purposes.push(purpose)
      keep(purpose, nonce, undefined, {})
    },
    /**
     * Notes the end of a command, and what it makes the owner sign.
     *
     * @param isToldOwn that a command of the owner's for the same purpose has replaced it, where the program says so itself
     */
    ended(kept: Kept, end: Inclusion, isToldOwn?: boolean): void {
      const { purpose, command, hash } = kept
      if (!open.delete(hash)) return
      ends.push(toldOf(kept, end))
      changedAtMs = time.now() - begunAt
      trace(() => `${command.hash.slice(0, 8)} ends: ${end.state} ${'code' in end ? end.code : ''}`)
      if (end.state === 'included') Object.assign(purpose, { isPaid: true, wants: 'nothing' })
      // The owner knows each command by the hash that their signer gave it, and one that is not shown may be a raise.
      const others = signedSoFar.filter((other) => other !== kept && other.purpose === purpose)
      const isNamed = (by: string | undefined) => by === undefined || others.some((other) => other.hash === by)
      const isOwn = isToldOwn ?? (end.state === 'replaced' && isNamed(end.by))
      const isUsed = end.state === 'replaced' || end.state === 'failed'
      // Another command of the purpose that is still followed is the other one that the README allows: with another nonce where
      // this one's is used.
      const hasOther = keptFor(purpose).some((other) => !isUsed || other.command.nonce !== command.nonce)
      if (purpose.isPaid || isOwn || hasOther) return
      if (end.state === 'refused') purpose.wants = 'the same nonce'
      if (isUsed || end.state === 'expired') purpose.wants = 'a new one'
    },
  }
}
