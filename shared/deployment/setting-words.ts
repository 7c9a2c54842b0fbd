// The meaning of each setting of `stage-settings.ts`: for docs/operations.md, for messages about wrong values and for
// `npm start -- --help`. Apart from the rows, since functions say none of it.
import type { StageSettingName } from './stage-settings.ts'

export const settingWords: { readonly [Name in StageSettingName]: string } = {
  chainId: 'chain ids of the networks, in the order of their genesis blocks: pins them',
  genesisStateHash: 'genesis block of the network: pins it; before a hard fork two, with a comma, the old one first',
  nodeGraphqlUrl: 'the node, or several with commas; several daemons may answer at a single address',
  nodes: 'nodes in place of that, each with its own headers: a single daemon is asked less here',
  upstreamTimeoutMs: 'time-out of a call to the node, in milliseconds',
  upstreamHeaders: 'HTTP headers of each request to the node',
  nodeCredential: 'key of the node, as a secret',
  indexerGraphqlUrl: "the indexer, or several with commas: first the one that follows the node's chain",
  indexerHeaders: 'HTTP headers of each request to the indexer',
  indexerCredential: 'key of the indexer, as a secret',
  indexerTimeoutMs: 'time-out of a call to the indexer, in milliseconds',
  indexerStakesTimeoutMs: 'time-out of a call to the indexer that walks a staking ledger, in milliseconds',
  indexerStakes: 'whether accounts have the staking fields, for which the indexer walks whole ledgers',
  lenientPayload: 'whether broadcasts read `payload` as leniently as `data`, for wallets of the old service',
}
