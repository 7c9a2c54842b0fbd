// The mina-indexer's question about blocks.
import { blake2b } from '@noble/hashes/blake2.js'
import type { ChainBlock } from '../../block.ts'
import { check, sorted } from '../arguments.ts'
import type { Ingested } from '../ingested.ts'
import { vrfOutputBytes } from './protocol-state.ts'

export interface BlocksArguments {
  readonly query?: {
    readonly stateHash?: string | null
    readonly canonical?: boolean | null
    readonly blockHeight?: number | null
    readonly genesisStateHash?: string | null
  } | null
  readonly limit?: number
  readonly sortBy?: 'BLOCKHEIGHT_DESC' | 'BLOCKHEIGHT_ASC' | 'GLOBALSLOT_ASC' | 'GLOBALSLOT_DESC' | null
}

export function blocks(ingested: Ingested, { query, limit = 1, sortBy }: BlocksArguments): readonly ChainBlock[] {
  const { stateHash, canonical, blockHeight, genesisStateHash } = query ?? {}
  check('state hash', stateHash)
  check('genesis state hash', genesisStateHash)
  if (genesisStateHash != null && genesisStateHash !== ingested.genesisStateHash) return []
  const found = ingested.blocks.filter(
    (block) =>
      block.stateHash === (stateHash ?? block.stateHash) &&
      block.height === (blockHeight ?? block.height) &&
      (canonical == null || ingested.isCanonical(block) === canonical),
  )
  const order = sortBy ?? 'BLOCKHEIGHT_DESC'
  const rank = ({ height, slot }: ChainBlock) => (order.startsWith('BLOCK') ? height : slot)
  const list = blockHeight == null ? sorted(found, order, rank, (block) => block.stateHash) : siblings(ingested, found)
  return list.slice(0, Math.max(0, limit))
}

/** Blocks of one height: the canonical one first, then by the hash of the VRF output as in Mina, larger first. */
function siblings({ isCanonical }: Ingested, blocks: readonly ChainBlock[]): readonly ChainBlock[] {
  const hash = ({ vrfOutput }: ChainBlock) =>
    Buffer.from(blake2b(vrfOutputBytes(vrfOutput), { dkLen: 32 })).toString('hex')
  return sorted(
    blocks,
    '_DESC',
    (block) => (isCanonical(block) ? 1 : 0),
    (block) => hash(block) + block.stateHash,
  )
}
