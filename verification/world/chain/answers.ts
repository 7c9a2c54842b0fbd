// A simulated daemon's answers: those of the embedded node, over this daemon's chain and pool.
import { buildSchema, type DocumentNode, execute, GraphQLError, parse, validate } from 'graphql'
import type { Chain as EmbeddedChain } from '../../../local/chain/chain.ts'
import { chainId } from '../../../local/chain/hashes.ts'
import { nodeResolvers } from '../../../local/chain/node/resolvers.ts'
import { nodeSchemaText } from '../../../local/chain/node/schema.ts'
import { commandView } from '../../../local/chain/node/views.ts'
import { memberOf } from '../../../shared/mapping/json.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import { type HistoryCommand, signature } from '../broadcasts/signed-command.ts'
import type { Block } from './block.ts'
import type { Daemon } from './daemon.ts'
import type { Network } from './network.ts'

export interface GraphQlAnswer {
  readonly data: Record<string, unknown> | null
  readonly errors: readonly string[]
}

/** The request behind a call. */
export interface Submitted {
  /** The command that a mutation submits; undefined for a request that reads. */
  readonly command: HistoryCommand | undefined
  /** Whether the pool refuses new commands now. */
  readonly isOverloaded: boolean
}

type Variables = Readonly<Record<string, unknown>>
type Resolver = (args: object, submitted: Submitted) => unknown

const schema = buildSchema(nodeSchemaText)
const documents = new Map<string, DocumentNode>()
/** A daemon's resolvers, and its answers to queries since it last changed: most questions are asked again before that. */
const known = new WeakMap<
  Daemon,
  { readonly root: object; changes: number; readonly answers: Map<string, GraphQlAnswer> }
>()

/** @throws GraphQLError for a document that the daemon's schema does not allow */
function parsed(text: string): DocumentNode {
  const document = documents.get(text) ?? parse(text)
  if (!documents.has(text)) for (const fault of validate(schema, document)) throw fault
  documents.set(text, document)
  return document
}

/** The daemon as the embedded node's resolvers see a chain. */
function chainOf(network: Network, daemon: Daemon): EmbeddedChain {
  const tip = () => daemon.chain().at(-1) as Block
  const seen: Partial<EmbeddedChain> = {
    network: 'testnet',
    chainId: chainId(network.genesisStateHash),
    genesisTimestamp: 0,
    slotDurationMs: network.slotMs,
    slotsPerEpoch: 7140,
    frontierBlocks: 291,
    now: () => 0,
    currentSlot: () => network.slot(),
    get bootstrapping() {
      return daemon.state === 'bootstrapping'
    },
    tip,
    ledger: () => tip().ledger,
    genesisBlock: () => network.bestChain()[0] ?? tip(),
    frontier: daemon.chain,
    frontierBlock: daemon.block,
    account: daemon.account,
    inferredNonce: ({ publicKey }) => daemon.inferredNonce(publicKey),
    pool: (publicKey) => (publicKey === undefined ? daemon.allQueued() : daemon.queued(publicKey)),
  }
  return seen as EmbeddedChain
}

/** True if a mutation carries the one signature that the simulated nodes take. */
function isSigned(args: object): boolean {
  const given = memberOf(args, 'signature')
  return memberOf(given, 'field') === signature.field && memberOf(given, 'scalar') === signature.scalar
}

function rootOf(network: Network, daemon: Daemon): Readonly<Record<string, Resolver>> {
  const chain = chainOf(network, daemon)
  const { query } = nodeResolvers(chain)
  const resolvers = Object.entries(query).map(([field, resolve]): [string, Resolver] => [
    field,
    (args) => resolve(undefined, args as never),
  ])
  const submit =
    (field: 'payment' | 'delegation'): Resolver =>
    (args, { command, isOverloaded }) => {
      if (command === undefined) throw new Error('a request that reads submits something')
      const isNew = !daemon.queued(command.from).includes(command)
      const judged = isSigned(args) || command.flaw !== 'none' ? command : { ...command, flaw: 'signature' as const }
      const isRefused = isOverloaded && isNew && daemon.state === 'up'
      const error = isRefused ? 'Couldn\'t send user command: ["Overloaded"]' : network.submit(daemon, judged)
      if (error !== undefined) throw new GraphQLError(error)
      return { [field]: commandView(chain, command) }
    }
  const bestChain: Resolver = (args) => {
    if (daemon.state === 'bootstrapping') throw new GraphQLError(daemon.bootstrapError)
    return query.bestChain(undefined, args)
  }
  return {
    ...Object.fromEntries(resolvers),
    bestChain,
    sendPayment: submit('payment'),
    sendDelegation: submit('delegation'),
  }
}

function run(rootValue: object, { document }: Operation, variables: Variables, contextValue: Submitted): GraphQlAnswer {
  const result = execute({ schema, document: parsed(document), rootValue, contextValue, variableValues: variables })
  if (result instanceof Promise) throw new Error('a resolver answers later')
  const { data = null, errors = [] } = result
  for (const { originalError } of errors)
    if (originalError && !(originalError instanceof GraphQLError)) throw originalError
  return { data: data as GraphQlAnswer['data'], errors: errors.map(({ message }) => message) }
}

/** @throws Error for a fault of the simulation */
export function answerOf(
  network: Network,
  daemon: Daemon,
  operation: Operation,
  variables: Variables,
  submitted: Submitted,
): GraphQlAnswer {
  const own = known.get(daemon) ?? { root: rootOf(network, daemon), changes: 0, answers: new Map() }
  known.set(daemon, own)
  if (own.changes !== daemon.changes()) own.answers.clear()
  own.changes = daemon.changes()
  if (operation.document.startsWith('mutation')) return run(own.root, operation, variables, submitted)
  const key = `${daemon.state} ${network.slot()} ${operation.document} ${JSON.stringify(variables)}`
  const answer = own.answers.get(key) ?? run(own.root, operation, variables, submitted)
  own.answers.set(key, answer)
  return answer
}
