// The commands of every account, read block by block from a running node and indexer, without the service's own mapping.
import type { Link } from './blocks.ts'
import { addCommand, type MutableTruth, type Truth } from './chain-truth.ts'

interface NodeCommands {
  readonly userCommands: readonly { readonly hash: string; readonly from: string; readonly to: string }[]
  readonly zkappCommands: readonly {
    readonly hash: string
    readonly zkappCommand: {
      readonly feePayer: { readonly body: { readonly publicKey: string } }
      readonly accountUpdates: readonly { readonly body: { readonly publicKey: string } }[]
    }
  }[]
}

interface IndexerCommand {
  readonly hash: string
  readonly sender: string
  readonly to: string | null
  readonly zkapp: { readonly accounts_updated: readonly { readonly public_key: string }[] } | null
}

async function ask<Data>(url: string, query: string): Promise<Data> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) }
  const { data, errors } = (await (await fetch(url, init)).json()) as { data?: Data; errors?: unknown }
  if (data === undefined || errors !== undefined) throw new Error(`${url}: ${JSON.stringify(errors)}`)
  return data
}

/**
 * Every command in a block of the node's best chain, and below it of the indexer's canonical blocks.
 *
 * @param nodeUrl of the node's GraphQL
 * @param indexerUrl of the indexer's
 */
export async function truthOfUpstreams(nodeUrl: string, indexerUrl: string): Promise<Truth> {
  const truth: MutableTruth = new Map()
  const { bestChain } = await ask<{
    bestChain: {
      stateHash: string
      protocolState: { consensusState: { blockHeight: string } }
      transactions: NodeCommands
    }[]
  }>(
    nodeUrl,
    `{ bestChain(maxLength: 290) { stateHash protocolState { consensusState { blockHeight } } transactions {
      userCommands { hash from to }
      zkappCommands { hash zkappCommand { feePayer { body { publicKey } } accountUpdates { body { publicKey } } } } } } }`,
  )
  for (const { stateHash, protocolState, transactions } of bestChain) {
    const place = { stateHash, height: Number(protocolState.consensusState.blockHeight) }
    for (const { hash, from, to } of transactions.userCommands) addCommand(truth, { ...place, hash }, from, [to], false)
    for (const { hash, zkappCommand } of transactions.zkappCommands) {
      const updated = zkappCommand.accountUpdates.map(({ body }) => body.publicKey)
      addCommand(truth, { ...place, hash }, zkappCommand.feePayer.body.publicKey, updated, true)
    }
  }
  const lowest = Math.min(...bestChain.map((block) => Number(block.protocolState.consensusState.blockHeight)))
  const { blocks } = await ask<{ blocks: { stateHash: string; blockHeight: number }[] }>(
    indexerUrl,
    '{ blocks(query: {canonical: true}, limit: 100000) { stateHash blockHeight } }',
  )
  for (const { stateHash, blockHeight } of blocks.filter((block) => block.blockHeight < lowest)) {
    const { transactions } = await ask<{
      transactions: (IndexerCommand & { block: { stateHash: string } })[]
    }>(
      indexerUrl,
      `{ transactions(query: {blockHeight: ${blockHeight}, canonical: true}, limit: 1000) {
        hash sender to zkapp { accounts_updated { public_key } } block { stateHash } } }`,
    )
    for (const { hash, sender, to, zkapp, block } of transactions) {
      if (block.stateHash !== stateHash) continue
      const others = zkapp === null ? [to ?? ''] : zkapp.accounts_updated.map((update) => update.public_key)
      addCommand(truth, { stateHash, height: blockHeight, hash }, sender, others, zkapp !== null)
    }
  }
  return truth
}

interface BlockLink {
  readonly stateHash: string
  readonly protocolState: { readonly previousStateHash: string }
}

/**
 * The node's best chain, and below it what the `previousStateHash` of each block leads to among all blocks of the indexer, the
 * lowest first.
 *
 * @param nodeUrl of the node's GraphQL
 * @param indexerUrl of the indexer's
 */
export async function blocksOfUpstreams(nodeUrl: string, indexerUrl: string): Promise<readonly Link[]> {
  type OfNode = BlockLink & { protocolState: { consensusState: { blockHeight: string } } }
  const ofNode = await ask<{ bestChain: readonly OfNode[] }>(
    nodeUrl,
    '{ bestChain(maxLength: 290) { stateHash protocolState { previousStateHash consensusState { blockHeight } } } }',
  )
  const ofIndexer = await ask<{ blocks: readonly (BlockLink & { blockHeight: number })[] }>(
    indexerUrl,
    '{ blocks(limit: 100000) { stateHash blockHeight protocolState { previousStateHash } } }',
  )
  const linkOf = (height: number, { stateHash, protocolState }: BlockLink): Link => ({
    ...{ height, stateHash, previousStateHash: protocolState.previousStateHash },
  })
  const older = new Map(ofIndexer.blocks.map((block) => [block.stateHash, linkOf(block.blockHeight, block)]))
  const chain = ofNode.bestChain.map((block) => linkOf(Number(block.protocolState.consensusState.blockHeight), block))
  for (
    let parent = older.get(chain[0]?.previousStateHash ?? '');
    parent;
    parent = older.get(parent.previousStateHash)
  ) {
    chain.unshift(parent)
  }
  return chain
}
