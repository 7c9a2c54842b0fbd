// The chains of the public networks, by the genesis blocks and chain ids that their daemons name.
import { berkeleyGenesis, firstMainnetGenesis } from '../contract/genesis-blocks.ts'

/** One chain of a public network: from its genesis block to the next hard fork. */
export interface KnownChain {
  readonly network: 'mainnet' | 'devnet'
  readonly genesisStateHash: string
  /** Height of the genesis block. A hard fork does not begin again at 1. */
  readonly height: number
  /** 64 hexadecimal digits. */
  readonly chainId: string
  /** The day of its genesis block, in UTC. */
  readonly since: string
  /** The day on which a hard fork ended it, in UTC; absent for today's chain. */
  readonly until?: string
}

/** From the daemons' sources and releases, the oldest first. */
export const knownChains: readonly KnownChain[] = [
  {
    network: 'mainnet',
    genesisStateHash: firstMainnetGenesis,
    height: 1,
    chainId: '5f704cc0c82e0ed70e873f0893d7e06f148524e3f0bdae2afb02e7819a0c24d1',
    since: '2021-03-17',
    until: '2024-06-04',
  },
  {
    network: 'devnet',
    genesisStateHash: '3NL93SipJfAMNDBRfQ8Uo8LPovC74mnJZfZYB5SK7mTtkL72dsPx',
    height: 296_372,
    chainId: '29936104443aaf264a7f0192ac64b1c7173198c1ed404c1bcff5e562e05eb7f6',
    since: '2024-04-09',
    until: '2026-08-19',
  },
  {
    network: 'mainnet',
    genesisStateHash: berkeleyGenesis,
    height: 359_605,
    chainId: 'a7351abc7ddf2ea92d1b38cc8e636c271c1dfd2c081c637f62ebc2af34eb7cc1',
    since: '2024-06-05',
    until: '2026-09-03',
  },
  {
    network: 'devnet',
    genesisStateHash: '3NLT7n4LiVo6U4LXr9BjCEp9712fP61uXkRC6hnRnB682A8f4HrJ',
    height: 545_434,
    chainId: 'ebfce0d570bc22eb041e1a7b0a46bbc3ed5d0a1030ef2ab5e36eef908b93eba8',
    since: '2026-08-19',
  },
  {
    network: 'mainnet',
    genesisStateHash: '3NLntCRR9RvjtzP24Q1dRvdhmpjiPvfKGaJmAZuJgYoqGpevqDR7',
    height: 548_147,
    chainId: '0718f61ab88f9d0fa643ff4dc3a3d5998dd6d51a6008b2b0339b0dbb26133886',
    since: '2026-09-03',
  },
]

/** @returns the chain that begins with a genesis block; undefined for a private network's, or a later fork's */
export const chainOf = (genesisStateHash: string): KnownChain | undefined =>
  knownChains.find((chain) => chain.genesisStateHash === genesisStateHash)

/** @returns the chain of a chain id, in upper or lower case */
export const chainWithId = (chainId: string): KnownChain | undefined =>
  knownChains.find((chain) => chain.chainId === chainId.toLowerCase())

/** `mainnet since 2026-09-03`, or `mainnet until 2026-09-03` for a retired chain. */
export const nameOf = ({ network, since, until }: KnownChain): string =>
  until === undefined ? `${network} since ${since}` : `${network} until ${until}`

/**
 * Describes a node that is alone on its chain: it has a known chain's genesis block and another chain id. A daemon
 * whose automatic upgrade at a hard fork goes wrong starts such a chain: the new rules on the old genesis block.
 *
 * @returns what it is, as it follows "the node is"; undefined for a node of a known or an unknown chain
 */
export function loneChain(genesisStateHash: string, chainId: string | undefined): string | undefined {
  const chain = chainOf(genesisStateHash)
  if (chain === undefined || chainId === undefined || chainId.toLowerCase() === chain.chainId) return undefined
  return `alone on a chain of its making: it has the genesis block of ${nameOf(chain)}, and another chain id (${chainId})`
}

/**
 * True if a hard fork may have turned the other chain into this one, as far as is known: the other public network
 * cannot, and no earlier chain can follow today's.
 */
export function canFollow(genesisStateHash: string, earlierStateHash: string): boolean {
  const [later, earlier] = [chainOf(genesisStateHash), chainOf(earlierStateHash)]
  if (later === undefined || earlier === undefined) return true
  return later.network === earlier.network && (earlier.until !== undefined || later.height > earlier.height)
}
