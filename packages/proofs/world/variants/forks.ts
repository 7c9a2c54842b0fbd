// Wrong chains on the day of a hard fork: each breaks one of its rules. The judge of that day must see each.

import { WireError } from '../../../../shared/upstream/errors.ts'
import { indexerQuery } from '../../../../shared/upstream/indexer-query.ts'
import { count, hash, nullable, shape } from '../../../../shared/upstream/wire.ts'
import { changedAnswers, changedNetworks, changedPorts, changedView, type Variant } from './variant.ts'

const endOfIndexer = indexerQuery(
  'endOfIndexer',
  '',
  shape({ block: nullable(shape({ blockHeight: count, stateHash: hash })) }),
)

export const wrongInForkDays = {
  'keeps all that an indexer of the old chain calls canonical': changedNetworks((networks, view) => ({
    async of(genesisStateHash) {
      const network = await networks.of(genesisStateHash)
      const { block } = (await view.indexers[0]?.ask(endOfIndexer, {}))?.data ?? {}
      if (network === undefined || !block) return network
      const { blockHeight: height, stateHash } = block
      return { ...network, genesis: { ...network.genesis, parent: { stateHash, height } } }
    },
  })),

  // It judges by what the indexer said of itself first, as if no other replica could answer next.
  'takes blocks of the new chain for discarded ones': changedView((view) => {
    let genesisStateHash: string | undefined
    return {
      indexers: changedAnswers(view, (data, { name }) => {
        const { block, tip } = Object(data)
        if (!/^(?:receivedTimeOf|indexedBlock)$/.test(name)) return data
        if (genesisStateHash === undefined) {
          genesisStateHash = tip?.genesisStateHash
          return data
        }
        return {
          ...data,
          ...(block && { block: { ...block, genesisStateHash } }),
          ...(tip && { tip: { ...tip, genesisStateHash } }),
        }
      }),
    }
  }),

  'knows nothing from an indexer of the old chain': changedNetworks((networks) => ({
    async of(genesisStateHash) {
      const network = await networks.of(genesisStateHash)
      if (network?.genesis.parent) throw new WireError('busy', 'the indexer is on another chain')
      return network
    },
  })),

  'stays on the network that is pinned first': (make) => (options) =>
    make({ ...options, genesisStateHashes: options.genesisStateHashes?.slice(0, 1) }),

  'takes the old chain for the network while the new one cannot be reached': changedNetworks((networks) => ({
    learnPinned: (patienceMs) => networks.learnPinned(patienceMs).catch(() => undefined),
  })),

  'forgets that it has been on the new chain': (make) => (options) => ({
    view: (terms) => make(options).view(terms),
  }),

  'does not know the words of a pool before a hard fork': changedPorts(() => async (send) => {
    const reply = await send()
    return { ...reply, errors: reply.errors.map((message) => message.replace('After_slot_tx_end', 'Expired')) }
  }),

  'keeps the end of a chain that stands still for as long as of one that lives': changedView(() => ({
    isHalted: false,
  })),

  'sends to the nodes of every pinned network': changedPorts(({ genesisStateHashes = [] }) => async (send) => {
    const reply = await send()
    const { genesisBlock } = Object(reply.data)
    if (genesisBlock?.stateHash !== genesisStateHashes[0]) return reply
    const stateHash = genesisStateHashes.at(-1)
    return { ...reply, data: { ...Object(reply.data), genesisBlock: { ...genesisBlock, stateHash } } }
  }),
} satisfies Record<string, Variant>
