// Pages of histories on a chain that stands still.
import type { Chain } from '../../../testnet/chain.ts'
import { truthOf } from '../../account-history/chain-truth.ts'
import type { ChainCommand } from '../../account-history/walk.ts'

/** A page of an account's history. */
export interface AskedHistory {
  readonly publicKey: string
  readonly limit: number
  readonly before?: { readonly height: number; readonly stateHash: string }
  /** Of the answer while no upstream is at fault. */
  readonly status: number
  /** The account's commands on the chain. */
  readonly truth: readonly ChainCommand[]
  /** State hashes of the chain by height. */
  readonly blocks: ReadonlyMap<number, string>
}

type Page = Pick<AskedHistory, 'publicKey' | 'limit' | 'before'>

/**
 * Pages of each kind, by the name of the request.
 *
 * @param fork a block that was replaced
 * @param strangeKey has no account
 * @param strangeHash of a block on no chain that anybody knows
 */
export function historiesIn(
  chain: Chain,
  fork: { readonly height: number; readonly stateHash: string },
  strangeKey: string,
  strangeHash: string,
): Readonly<Record<string, AskedHistory>> {
  const tip = chain.tip()
  const blocks = chain.bestChain()
  const at = (depth: number) => {
    const block = blocks.find(({ height }) => height === tip.height - depth)
    if (block === undefined) throw new Error(`no block ${depth} below the tip`)
    return { height: block.height, stateHash: block.stateHash }
  }
  const [zkapp] = blocks.flatMap(({ zkappCommands }) => zkappCommands)
  const [waiting] = chain.pool()
  if (zkapp === undefined || waiting === undefined) throw new Error('no such command')
  // It sends payments, and pays fees of zkApp commands.
  const busy = zkapp.from
  const pages = {
    'a full first page': { publicKey: busy, limit: 1 },
    'all of it': { publicKey: busy, limit: 100 },
    'with pending commands': { publicKey: waiting.from, limit: 5 },
    'of an updated account': { publicKey: zkapp.updates.at(-1)?.publicKey ?? busy, limit: 100 },
    'below the tip': { publicKey: busy, limit: 100, before: at(2) },
    'below an old block': { publicKey: busy, limit: 2, before: at(14) },
    'below a final block': { publicKey: busy, limit: 100, before: at(tip.height - 9) },
    'of a stranger': { publicKey: strangeKey, limit: 5 },
  }
  const replaced = {
    'below a replaced block': { publicKey: busy, limit: 5, before: fork },
    'below an old block that is not canonical': {
      publicKey: busy,
      limit: 5,
      before: { ...at(20), stateHash: strangeHash },
    },
  }
  const unknown = {
    'above the tip': { publicKey: busy, limit: 5, before: { height: tip.height + 1, stateHash: strangeHash } },
  }
  const truth = truthOf(chain)
  const hashes = new Map(blocks.map(({ height, stateHash }) => [height, stateHash]))
  const of = ({ publicKey }: { readonly publicKey: string }) => ({
    truth: [...(truth.get(publicKey)?.values() ?? [])],
    blocks: hashes,
  })
  const all: readonly (readonly [number, Readonly<Record<string, Page>>])[] = [
    [200, pages],
    [409, replaced],
    [503, unknown],
  ]
  return Object.fromEntries(
    all.flatMap(([status, some]) =>
      Object.entries(some).map(([name, page]) => [name, { ...page, ...of(page), status }]),
    ),
  )
}
