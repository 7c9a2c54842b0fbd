// Commands of each fate on a chain that stands still.
import type { Chain } from '../../../local/chain/chain.ts'
import { zkappCommandHash } from '../../../local/chain/hashes.ts'
import { encodeBase58Check } from '../../../shared/mapping/base58check.ts'

/** A command whose fate is asked for. */
export interface AskedTransaction {
  readonly hash: string
  readonly terms?: { readonly from: string; readonly nonce: string; readonly valid_until: string }
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
  const [applied, older, old] = [recent, held, deep].map((blocks) => includedIn(blocks)[0]?.command)
  const zkapp = recent.flatMap(({ zkappCommands }) => zkappCommands)[0]
  const [pending, pendingZkapp] = [chain.pool()[0], chain.zkappPool()[0]]
  if (!failed || !applied || !older || !old || !zkapp || !pending || !pendingZkapp) throw new Error('no such command')
  const termsOf = ({ from, nonce, validUntil }: Pick<typeof applied, 'from' | 'nonce' | 'validUntil'>) => ({
    from,
    nonce: String(nonce),
    valid_until: String(validUntil),
  })
  return {
    included: { hash: applied.hash },
    failed: { hash: failed.command.hash, terms: termsOf(failed.command) },
    'an included zkApp command': { hash: zkapp.hash },
    pending: { hash: pending.hash, terms: termsOf(pending) },
    'a pending zkApp command': { hash: pendingZkapp.hash },
    replaced: { hash: strange, terms: termsOf(applied) },
    expired: { hash: strange, terms: termsOf({ ...pending, validUntil: tip.slot - 5 }) },
    'behind a rival': { hash: strange, terms: termsOf(pending) },
    'behind a gap': { hash: strange, terms: termsOf({ ...pending, nonce: pending.nonce + 20 }) },
    'without a sender': { hash: strange, terms: termsOf({ ...pending, from: strangeKey }) },
    nowhere: { hash: strange },
    older: { hash: older.hash },
    'older by its nonce': { hash: strange, terms: termsOf(older) },
    old: { hash: old.hash, terms: termsOf(old) },
    'old by its nonce': { hash: strange, terms: termsOf(old) },
    'before Berkeley': { hash: encodeBase58Check(Uint8Array.from([0x12, 1, 0x20, ...new Uint8Array(32)])) },
  }
}
