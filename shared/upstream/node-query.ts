// Questions to a node, and its replies. Every question is made here, so that every answer shows the tip that its
// node had when it answered, and its network.
import { nodeBusy, WireError } from './errors.ts'
import { frontierError, isUnknownName, isUnknownQuery, missingHeight } from './node-errors.ts'
import { type Operation, operation } from './operation.ts'
import type { QueryUpstream, Reply, Tip } from './query.ts'
import type { Variables, Wire, WireType } from './wire.ts'
import { called, count, hash, instant, listOf, nullable, shape, word } from './wire.ts'

/**
 * The genesis block of the node's network. `blockchainLength` is selected to make a Rust node refuse the question: its schema
 * lacks that field, and its blocks lack others that we need.
 */
export const genesisFields = shape({
  protocolState: shape({ consensusState: shape({ blockchainLength: count }) }),
  stateHash: hash,
})

/** The fields that are read of a tip. A question with its own `bestChain` selects at least these of each block. */
export const tipBlockFields = {
  protocolState: shape({
    blockchainState: shape({ date: instant }),
    consensusState: shape({ blockHeight: count }),
  }),
  stateHash: hash,
}

export const tipBlock = shape(tipBlockFields)

export type TipBlock = Wire<typeof tipBlock>

/** The best tip, with the given fields; null or an empty list from a node without a frontier. */
export const bestTip = <Block>(block: WireType<Block>): WireType<readonly Block[] | null> =>
  called('bestChain(maxLength: 1)', nullable(listOf(block)), (blocks) => blocks === null || blocks.length <= 1)

/** The fields by which an answer shows its tip, if its question does not select `bestChain` itself. */
const tipFields = { bestChain: bestTip(tipBlock), syncStatus: word, genesisBlock: genesisFields }

const withTip = shape({ ...tipFields, bestChain: nullable(listOf(tipBlock)) })

/**
 * The tip in a node's answer: the last block of its `bestChain`, which lists the tip last, its `syncStatus` and its
 * genesis.
 *
 * @param data as an operation of `nodeQuery` reads it
 * @returns undefined from a node without a frontier, and for an operation that does not ask for the tip
 */
export function tipIn(data: unknown): Tip | undefined {
  const { bestChain, syncStatus, genesisBlock } = data as Partial<Wire<typeof withTip>>
  const block = bestChain?.at(-1)
  if (block === undefined || syncStatus === undefined || genesisBlock === undefined) return undefined
  const { protocolState, stateHash } = block
  return {
    height: protocolState.consensusState.blockHeight,
    stateHash,
    atMs: protocolState.blockchainState.date,
    syncStatus,
    genesisStateHash: genesisBlock.stateHash,
  }
}

/** The tip in the unread data of an answer; undefined if it cannot be read. */
export function tipInUnread(data: unknown): Tip | undefined {
  try {
    return tipIn(withTip.read(data, 'tip'))
  } catch {
    return undefined
  }
}

/** True for words of the node itself about a query, which no gateway uses to refuse load. */
const isOfNode = (message: string): boolean =>
  frontierError(message) !== undefined || missingHeight(message) !== undefined || isUnknownQuery(message)

/**
 * True if an upstream, or a gateway in front of it, refuses for lack of capacity. Gateways also refuse in GraphQL's
 * form, with errors in other words.
 */
export const isRefusedLoad = ({ status, data, errors }: Reply): boolean =>
  (status === 429 || status === 503) &&
  !errors.some(isOfNode) &&
  (data === undefined || data === null || (errors.length > 0 && Object.values(data).every((value) => value === null)))

/** Refused before anything ran, by a Rust node or by a gateway: a daemon answers 200 even then. */
export const isRefusedUnread = ({ status, data, errors }: Reply): boolean =>
  status === 400 && errors.length > 0 && data === undefined

/**
 * True if a question is refused, before anything ran, for a name that the node, or a gateway's copy of its schema, does not
 * have. A node that refuses `networkCheck` so is a Rust node: every daemon has those names.
 */
export const lacksNames = (reply: Reply): boolean => isRefusedUnread(reply) && reply.errors.some(isUnknownName)

/** True if a node says that it is not ready yet. */
export const isBootstrapping = ({ errors }: Reply): boolean =>
  errors.some((message) => frontierError(message) === 'bootstrapping')

/**
 * The data of a clean answer to a query.
 *
 * @param asked the variables of the question
 * @throws WireError `busy` for a node that bootstraps or refuses load, `unreadable` for any other error, for an answer
 * without data and for data without something that was promised, `mismatched` for the answer to another question
 */
export function dataOf<Data>(operation: Operation<Data>, asked: Variables, reply: Reply): Data {
  if (isBootstrapping(reply)) {
    throw nodeBusy(`${operation.name}: the node is bootstrapping`)
  }
  const fault = isRefusedLoad(reply) ? 'busy' : 'unreadable'
  if (reply.errors.length > 0) throw new WireError(fault, `${operation.name}: ${reply.errors.join(' | ')}`)
  if (reply.data === undefined || reply.data === null) {
    throw new WireError(fault, `${operation.name}: no data, HTTP ${reply.status}`)
  }
  return operation.data.read(reply.data, operation.name, asked)
}

/**
 * The blocks of a `bestChain` answer; the tip is the last one.
 *
 * @throws WireError `busy` for an empty list, which only a node without a frontier gives
 */
export function nonEmptyChain<Block>(bestChain: readonly Block[] | null): readonly [...Block[], Block] {
  const tip = bestChain?.at(-1)
  if (tip === undefined || bestChain === null) throw nodeBusy('bestChain lists no block')
  return [...bestChain.slice(0, -1), tip]
}

/** The tip, which a best chain lists last. */
export const tipOf = <Block>(bestChain: readonly [...Block[], Block]): Block => bestChain[bestChain.length - 1] as Block

/** True if the errors of a reply say one thing only, and no data beside them says another. */
export const saysOnly = ({ data, errors }: Reply, says: (message: string) => boolean): boolean =>
  errors.length > 0 && errors.every(says) && Object.values(Object(data)).every((value) => value === null)

/** The tip of a node's reply: what was asked beside the question, or what its own data says. */
export const tipOfReply = ({ data, tip }: Reply): Tip | undefined => tip ?? tipInUnread(data)

type TipField = keyof typeof tipFields

/** Fields of a question; a `bestChain` among them ends with the tip and must have its fields. */
type QueryFields = Readonly<Record<string, WireType<unknown>>> & {
  readonly bestChain?: WireType<readonly TipBlock[] | null>
}

type WithTipFields<Fields> = Omit<typeof tipFields, keyof Fields & TipField> & Fields

type Data<Fields> = { readonly [Key in keyof WithTipFields<Fields>]: Wire<WithTipFields<Fields>[Key]> }

/**
 * A query for a node that also selects the tip.
 *
 * @param variables declarations as GraphQL text: `$limit: Int!`; empty for none
 * @param fields what else is asked
 */
export const nodeQuery = <const Fields extends QueryFields>(
  name: string,
  variables: string,
  fields: Fields,
  traits: Pick<Operation<Data<Fields>>, 'lacks' | 'needsNoTip' | 'mayBeUnknown' | 'timeoutMs' | 'tooLong'> = {},
): Operation<Data<Fields>> => {
  const data = shape({ ...tipFields, ...fields }) as unknown as WireType<Data<Fields>>
  return operation('node', 'query', name, variables, data, traits)
}

/** A query for a node whose error leaves no other data in the answer: see `withTip` of an operation. */
export const nodeQueryWithoutTip = <Fields extends Record<string, WireType<unknown>>>(
  name: string,
  variables: string,
  fields: Fields,
  traits: Pick<Operation, 'tooLong'> = {},
) => {
  const withTip = operation('node', 'query', name, variables, shape({ ...tipFields, ...fields }), traits)
  return operation('node', 'query', name, variables, shape(fields), { withTip, ...traits })
}

/** Shown to callers who ask for several blocks. */
export const tooManyBlocks = 'These blocks hold more than one answer can. Ask for fewer of them.'

/** Shown to callers whose answer always takes the latest blocks. */
export const tooFullBlocks = 'The latest blocks hold more commands than can be read at once.'

/** Which network a node is on: a daemon answers at once, a Rust node refuses it. */
export const networkCheck = operation('node', 'query', 'networkCheck', '', shape({ genesisBlock: genesisFields }))

/** What people who try a Rust node are told. */
export const rustNode = {
  is: 'a Rust node, which is not supported: its blocks do not show failed commands, coinbase or fee transfers',
  remedy: 'Use an OCaml daemon',
}

/** Asks for the tip alone. */
export const nodeTipQuery = nodeQuery('nodeTip', '', {})

/** @throws WireError for a reply without a tip */
function requiredTip(reply: Reply, { name }: Operation): Tip {
  const tip = tipIn(dataOf(nodeTipQuery, {}, reply))
  if (tip === undefined) throw nodeBusy(`${name}: the node shows no tip`)
  return tip
}

/**
 * The questions to one node, each with the tip under which it was answered. A separate request for the tip leaves
 * first, so that the tip is not newer than the answer unless the requests overtake each other.
 *
 * @param query sends to one address
 * @param inOneDocument true if two requests may reach different daemons; an error then carries no tip
 */
export const askingTip =
  (query: QueryUpstream, inOneDocument: boolean): QueryUpstream =>
  async (operation, variables, limits) => {
    const { withTip } = operation
    if (withTip === undefined) return query(operation, variables, limits)
    if (inOneDocument) {
      const reply = await query(withTip, variables, limits)
      const isEmpty = reply.errors.length > 0 || reply.data === undefined || reply.data === null
      return isEmpty ? reply : { ...reply, tip: requiredTip(reply, operation) }
    }
    const [beside, reply] = await Promise.all([query(nodeTipQuery, {}, limits), query(operation, variables, limits)])
    return { ...reply, tip: requiredTip(beside, operation) }
  }
