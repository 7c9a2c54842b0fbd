// Wrong chains that believe too much about a command. The judge of fates must see each.
import { failureOf } from '../../../../shared/chain/outcome.ts'
import type { RequestOptions } from '../../../../shared/chain/port.ts'
import type { RecentData } from '../../../../shared/transactions/shown-commands.ts'
import type { Operation } from '../../../../shared/upstream/operation.ts'
import type { Variables } from '../../../../shared/upstream/wire.ts'
import { withChanges } from '../../changed-view.ts'
import { changedAnswers, changedView, unasked, type Variant } from './variant.ts'

const isSearch = (data: unknown): data is RecentData => Object.hasOwn(Object(data), 'bestChain')

/** Changes what each node shows of a command. */
const shown = (change: (data: RecentData) => object): Variant => {
  const changed = <Data>(data: Data): Data => (isSearch(data) ? { ...data, ...change(data) } : data)
  return changedView((view) => ({
    async request(operation, variables, options) {
      const answer = await view.request(operation, variables, options)
      return { ...answer, data: changed(answer.data) }
    },
    async call(...asked) {
      const outcome = await view.call(...asked)
      return outcome.kind === 'answer' ? { ...outcome, data: changed(outcome.data) } : outcome
    },
  }))
}

/** The latest block with the commands of the pool among its own. */
function withPool({ bestChain, pooledUserCommands = [], userCommandsByHash = [] }: RecentData): object {
  const blocks = bestChain ?? []
  const waiting = [...pooledUserCommands, ...userCommandsByHash]
  return {
    bestChain: blocks.map((block, index) => {
      if (index < blocks.length - 1 || block.transactions === undefined) return block
      const userCommands = [...block.transactions.userCommands, ...waiting]
      return { ...block, transactions: { ...block.transactions, userCommands } }
    }),
  }
}

/** Commands that differ in their fee from what they are. */
const withOtherFees = <Command extends { readonly fee: bigint }>(commands: readonly Command[]): readonly Command[] =>
  commands.map((command) => ({ ...command, fee: command.fee + 1n }))

/** Each payment and delegation with another fee, so that it differs from what its wallet has signed. */
const withRivals = ({ bestChain, pooledUserCommands = [] }: RecentData): object => ({
  pooledUserCommands: withOtherFees(pooledUserCommands),
  // An answer of pools and tip alone has no commands in its block.
  bestChain: (bestChain ?? []).map((block) => {
    if (block.transactions === undefined) return block
    const userCommands = withOtherFees(block.transactions.userCommands)
    return { ...block, transactions: { ...block.transactions, userCommands } }
  }),
})

/** What a pool shows by its hash, as if no ledger had used its nonce. */
const withFreeNonces = ({ userCommandsByHash = [] }: RecentData): object => ({
  userCommandsByHash: userCommandsByHash.map((command) => ({ ...command, nonce: Number.MAX_SAFE_INTEGER })),
})

const isNamed = ({ name }: Operation, wanted: string): boolean => name === wanted

interface IndexedData {
  readonly byNonce?: readonly { readonly command: { readonly fee: bigint } }[]
}

/** Changes what an indexer shows of a command. */
const indexed = (change: (answer: { readonly data: IndexedData; readonly variables: Variables }) => object): Variant =>
  changedView((view) => ({
    indexers: changedAnswers(view, <Data>(data: Data, { name }: Operation, variables: Variables) =>
      ['indexedTransaction', 'indexedNonce'].includes(name)
        ? (change({ data: data as IndexedData, variables }) as Data)
        : data,
    ),
  }))

/** The nodes' blocks by their heights, as they were searched. */
const searched = new Map<unknown, string>()
const noting = shown(({ bestChain }) => {
  for (const { protocolState, stateHash } of bestChain ?? [])
    searched.set(protocolState.consensusState.blockHeight, stateHash)
  return {}
})
const proving = indexed(({ data, variables: { proofHeight } }) => {
  const proof = { blockHeight: proofHeight, canonical: true, stateHash: searched.get(proofHeight) }
  return { ...data, proof: [proof] }
})
const believing: Variant = (make) => noting(proving(make))

export const fateLies = {
  'believes a node that lies behind': changedView(() => ({ isStaleHeight: () => false })),
  'calls an absence at one node an absence at all': changedView(() => ({
    call: async (node) => ({ ...failureOf(unasked()), node }),
  })),
  'takes what waits in a pool for included': shown(withPool),
  'believes a pool against the ledger': shown(withFreeNonces),
  'makes a command its own rival': shown(withRivals),
  'forgets that the ledger is past the nonce': shown(() => ({ account: null })),
  'takes an orphan of the indexer for canonical': changedView((view) => ({
    async request<Data>(operation: Operation<Data>, variables: Variables, options?: RequestOptions) {
      const answer = await view.request(operation, variables, options)
      return isNamed(operation, 'commandsAtHeight') ? { ...answer, data: undefined } : answer
    },
    networks: withChanges(view.networks, {
      async of(genesisStateHash) {
        const network = await view.networks.of(genesisStateHash)
        return network?.constants && { ...network, constants: { ...network.constants, k: 0 } }
      },
    }),
  })),
  'believes an indexer on a long dead branch of the same genesis': believing,
  'takes what an indexer shows for another command without proof': indexed(({ data }) => ({
    ...data,
    byNonce: (data.byNonce ?? []).map((hit) => ({ ...hit, command: { ...hit.command, fee: hit.command.fee + 1n } })),
  })),
} satisfies Record<string, Variant>
