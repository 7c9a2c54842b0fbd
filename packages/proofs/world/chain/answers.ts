// A simulated daemon's answers: those of the embedded node, over this daemon's chain and pool.
import { GraphQLError } from 'graphql'
import { memberOf } from '../../../../shared/mapping/exact-json.ts'
import type { Operation } from '../../../../shared/upstream/operation.ts'
import type { Chain as EmbeddedChain } from '../../../testnet/chain.ts'
import type { Root } from '../../../testnet/graphql-answers.ts'
import { chainId } from '../../../testnet/hashes.ts'
import { commandView } from '../../../testnet/node/views.ts'
import { answerFrom, type GraphQlAnswer, queriesOver, type Variables } from '../../node-answers.ts'
import { type HistoryCommand, signature } from '../broadcasts/signed-command.ts'
import { type Block, sinceGenesis, userCommandsIn, zkappCommandsIn } from './block.ts'
import type { Daemon } from './daemon.ts'
import type { Network } from './network.ts'

/** The request behind a call. */
export interface Submitted {
  /** The command that a mutation submits; undefined for a request that reads. */
  readonly command: HistoryCommand | undefined
  /** True if the pool refuses new commands now. */
  readonly isOverloaded: boolean
}

/** A daemon's resolvers, and its answers to queries since it last changed: most questions are asked again before that. */
interface Known {
  readonly root: Root<Submitted>
  readonly answers: Map<string, GraphQlAnswer>
  changes: number
}

const known = new WeakMap<Daemon, Known>()

/** The daemon as the embedded node's resolvers see a chain. */
function chainOf(network: Network, daemon: Daemon): EmbeddedChain {
  const tip = () => daemon.chain().at(-1) as Block
  const { frontierBlocks } = network
  const queued = (publicKey: string | undefined) =>
    publicKey === undefined ? daemon.allQueued() : daemon.queued(publicKey)
  const seen: Partial<EmbeddedChain> = {
    network: 'testnet',
    networkName: 'testnet',
    chainId: chainId(network.genesisStateHash),
    genesisTimestamp: 0,
    slotDurationMs: network.slotMs,
    slotsPerEpoch: 7140,
    frontierBlocks,
    now: () => 0,
    currentSlot: () => network.slot(),
    get bootstrapping() {
      return daemon.state === 'bootstrapping'
    },
    tip,
    ledger: () => tip().ledger,
    genesisBlock: () => network.genesis,
    frontier: () => sinceGenesis(daemon.chain()).slice(-frontierBlocks),
    frontierBlock(stateHash) {
      const block = daemon.block(stateHash)
      return block !== undefined && block.height > tip().height - frontierBlocks ? block : undefined
    },
    account: daemon.account,
    inferredNonce: ({ publicKey }) => daemon.inferredNonce(publicKey),
    zkappPool: (publicKey) => zkappCommandsIn(queued(publicKey)),
    pool: (publicKey) => userCommandsIn(queued(publicKey)),
  }
  return seen as EmbeddedChain
}

/** True if a mutation carries the one signature that the simulated nodes take. */
function isSigned(args: object): boolean {
  const given = memberOf(args, 'signature')
  return memberOf(given, 'field') === signature.field && memberOf(given, 'scalar') === signature.scalar
}

function rootOf(network: Network, daemon: Daemon): Root<Submitted> {
  const chain = chainOf(network, daemon)
  const queries = queriesOver(chain)
  const submit =
    (field: 'payment' | 'delegation') =>
    (args: object, { command, isOverloaded }: Submitted) => {
      if (command === undefined) throw new Error('a request that reads submits something')
      const isNew = !daemon.queued(command.from).includes(command)
      const judged = isSigned(args) || command.flaw !== 'none' ? command : { ...command, flaw: 'signature' as const }
      const isRefused = isOverloaded && isNew && daemon.state === 'up'
      const error = isRefused ? 'Couldn\'t send user command: ["Overloaded"]' : network.submit(daemon, judged)
      if (error !== undefined) throw new GraphQLError(error)
      return { [field]: commandView(chain, command) }
    }
  return {
    ...queries,
    bestChain(args, submitted) {
      if (daemon.state === 'bootstrapping') throw new GraphQLError(daemon.bootstrapError)
      return queries.bestChain?.(args, submitted)
    },
    sendPayment: submit('payment'),
    sendDelegation: submit('delegation'),
  }
}

/** @throws Error for a fault of the simulation */
export function answerOf(
  network: Network,
  daemon: Daemon,
  { document }: Operation,
  variables: Variables,
  submitted: Submitted,
): GraphQlAnswer {
  const own: Known = known.get(daemon) ?? { root: rootOf(network, daemon), changes: 0, answers: new Map() }
  known.set(daemon, own)
  if (own.changes !== daemon.changes()) own.answers.clear()
  own.changes = daemon.changes()
  if (document.startsWith('mutation')) return answerFrom(own.root, document, variables, submitted)
  const key = `${daemon.state} ${network.slot()} ${document} ${JSON.stringify(variables)}`
  const answer = own.answers.get(key) ?? answerFrom(own.root, document, variables, submitted)
  own.answers.set(key, answer)
  return answer
}
