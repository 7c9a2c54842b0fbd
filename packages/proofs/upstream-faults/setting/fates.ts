// Commands of each fate on a chain that stands still.

import { encodeBase58Check } from '../../../../shared/mapping/base58check.ts'
import { memoFromText } from '../../../../shared/mapping/command.ts'
import type { Chain } from '../../../testnet/chain.ts'
import { zkappCommandHash } from '../../../testnet/hashes.ts'

/** A command whose fate is asked for. */
export interface AskedTransaction {
  readonly hash: string
  /** By the chain alone: its state; of an absent one the prospects of its sending; or `not found`. */
  readonly fate: string
  /** The hash of the chain's command that the answer tells of. */
  readonly shows?: string
  readonly terms?: Readonly<Record<'from' | 'nonce' | 'valid_until', string>> &
    Partial<Readonly<Record<'to' | 'fee' | 'memo' | 'amount', string>>>
}

/**
 * Commands of each fate, by the name of the request.
 *
 * @param strangeKey has no account
 */
export function fatesIn(chain: Chain, strangeKey: string): Readonly<Record<string, AskedTransaction>> {
  const tip = chain.tip()
  const strange = zkappCommandHash('strange')
  const between = (least: number, most: number) =>
    chain.bestChain().filter(({ height }) => tip.height - height >= least && tip.height - height <= most)
  const [recent, held, deep] = [between(0, 19), between(20, 28), between(30, tip.height - 3)]
  const includedIn = (blocks: typeof recent) => blocks.flatMap(({ userCommands }) => userCommands)
  const failed = includedIn(recent).find(({ failureReason }) => failureReason !== null)
  const [applied, older, old] = [recent, held, deep].map(
    (blocks) => includedIn(blocks).find(({ command }) => command.kind === 'PAYMENT')?.command,
  )
  const zkappIn = (blocks: typeof recent) => blocks.flatMap(({ zkappCommands }) => zkappCommands)[0]
  const [zkapp, oldZkapp] = [zkappIn(recent), zkappIn(between(30, tip.height - 2))]
  const [pending, pendingZkapp] = [chain.pool()[0], chain.zkappPool()[0]]
  if (!failed || !applied || !older || !old || !zkapp || !oldZkapp || !pending || !pendingZkapp)
    throw new Error('no such command')
  const termsOf = ({ from, nonce, validUntil }: Pick<typeof applied, 'from' | 'nonce' | 'validUntil'>) => ({
    from,
    nonce: String(nonce),
    valid_until: String(validUntil),
  })
  const contentOf = (command: typeof applied, more = 0n) => {
    const { kind, to, fee, memo, amount } = command
    const all = { ...termsOf(command), to, fee: String(fee + more), memo: memoFromText(memo) }
    return kind === 'PAYMENT' ? { ...all, amount: String(amount) } : all
  }
  const withoutAmount = (command: typeof applied) => {
    const { amount: _, ...others } = { amount: '', ...contentOf(command) }
    return others
  }
  return {
    included: { fate: 'included', hash: applied.hash, shows: applied.hash },
    failed: { fate: 'included', hash: failed.command.hash, shows: failed.command.hash, terms: termsOf(failed.command) },
    'an included zkApp command': { fate: 'included', hash: zkapp.hash, shows: zkapp.hash },
    pending: { fate: 'pending', hash: pending.hash, shows: pending.hash, terms: termsOf(pending) },
    'a pending zkApp command': { fate: 'pending', hash: pendingZkapp.hash, shows: pendingZkapp.hash },
    'included by its terms': { fate: 'included', hash: strange, shows: applied.hash, terms: contentOf(applied) },
    'perhaps included': { fate: 'nonce-used', hash: strange, shows: applied.hash, terms: termsOf(applied) },
    'perhaps included, without its amount': {
      fate: 'nonce-used',
      hash: strange,
      shows: applied.hash,
      terms: withoutAmount(applied),
    },
    replaced: { fate: 'replaced', hash: strange, shows: applied.hash, terms: contentOf(applied, 1n) },
    expired: { fate: 'expired', hash: strange, terms: termsOf({ ...pending, validUntil: tip.slot - 5 }) },
    'pending by its terms': { fate: 'pending', hash: strange, shows: pending.hash, terms: contentOf(pending) },
    'perhaps pending': { fate: 'unknown', hash: strange, shows: pending.hash, terms: termsOf(pending) },
    'behind a rival': { fate: 'rival-pending', hash: strange, shows: pending.hash, terms: contentOf(pending, 1n) },
    'behind a gap': {
      fate: 'waits-for-nonce',
      hash: strange,
      terms: termsOf({ ...pending, nonce: pending.nonce + 20 }),
    },
    'without a sender': { fate: 'no-account', hash: strange, terms: termsOf({ ...pending, from: strangeKey }) },
    nowhere: { fate: 'not found', hash: strange },
    older: { fate: 'included', hash: older.hash, shows: older.hash },
    'older by its nonce': { fate: 'nonce-used', hash: strange, shows: older.hash, terms: termsOf(older) },
    'older by its terms': { fate: 'included', hash: strange, shows: older.hash, terms: contentOf(older) },
    'older, replaced': { fate: 'replaced', hash: strange, shows: older.hash, terms: contentOf(older, 1n) },
    old: { fate: 'included', hash: old.hash, shows: old.hash, terms: termsOf(old) },
    'old by its nonce': { fate: 'nonce-used', hash: strange, shows: old.hash, terms: termsOf(old) },
    'old by its terms': { fate: 'included', hash: strange, shows: old.hash, terms: contentOf(old) },
    'old, replaced': { fate: 'replaced', hash: strange, shows: old.hash, terms: contentOf(old, 1n) },
    // An indexer's texts prove no difference.
    'old, of another memo': {
      fate: 'nonce-used',
      hash: strange,
      shows: old.hash,
      terms: { ...contentOf(old), memo: memoFromText('?') },
    },
    'old, without its amount': { fate: 'nonce-used', hash: strange, shows: old.hash, terms: withoutAmount(old) },
    'an old zkApp command': { fate: 'included', hash: oldZkapp.hash, shows: oldZkapp.hash, terms: termsOf(oldZkapp) },
    'before Berkeley': {
      fate: 'not found',
      hash: encodeBase58Check(Uint8Array.from([0x12, 1, 0x20, ...new Uint8Array(32)])),
    },
  }
}
