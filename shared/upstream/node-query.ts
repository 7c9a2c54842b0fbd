// Every question to a node is made here, so that every answer has its label.
import { WireError } from './errors.ts'
import { type LabelTip, labelFields, labelGenesis, labelOf } from './node-label.ts'
import { type Operation, operation } from './operation.ts'
import type { QueryUpstream } from './query.ts'
import { dataOf } from './reply.ts'
import { shape, type Wire, type WireType } from './wire.ts'

type LabelField = keyof typeof labelFields

/** Fields of a question; a `bestChain` of its own ends with the tip and must be able to label the answer. */
type QueryFields = Readonly<Record<string, WireType<unknown>>> & {
  readonly bestChain?: WireType<readonly LabelTip[] | null>
}

type LabelledFields<Fields> = Omit<typeof labelFields, keyof Fields & LabelField> & Fields

type Data<Fields> = { readonly [Key in keyof LabelledFields<Fields>]: Wire<LabelledFields<Fields>[Key]> }

/**
 * A query for a node that also selects what labels its answer.
 *
 * @param variables declarations as GraphQL text: `$limit: Int!`; empty for none
 * @param fields what else is asked
 */
export const nodeQuery = <const Fields extends QueryFields>(
  name: string,
  variables: string,
  fields: Fields,
  traits: Pick<Operation<Data<Fields>>, 'needsNoTip'> = {},
): Operation<Data<Fields>> => {
  const data = shape({ ...labelFields, ...fields }) as unknown as WireType<Data<Fields>>
  return operation('node', 'query', name, variables, data, traits)
}

/** A query for a node whose error leaves no other data in the answer; its label is asked beside it. */
export const unlabelledNodeQuery = <Fields extends Record<string, WireType<unknown>>>(
  name: string,
  variables: string,
  fields: Fields,
) => operation('node', 'query', name, variables, shape(fields), { labelBeside: true })

/** Which network a node is on: a daemon answers at once, a Rust node refuses it. */
export const networkCheck = operation('node', 'query', 'networkCheck', '', shape({ genesisBlock: labelGenesis }))

/** Only the label. */
export const nodeTipQuery = nodeQuery('nodeTip', '', {})

/**
 * The questions to one node, with the label asked beside those that need it. The label's request leaves first, so that
 * it is not newer than the answer unless the requests overtake each other.
 *
 * @param query sends to one and the same node
 */
export const labelling =
  (query: QueryUpstream): QueryUpstream =>
  async (operation, variables, limits) => {
    if (operation.labelBeside !== true) return query(operation, variables, limits)
    const [tip, reply] = await Promise.all([query(nodeTipQuery, {}, limits), query(operation, variables, limits)])
    dataOf(nodeTipQuery, {}, tip)
    const label = labelOf(tip.data)
    if (label === undefined) throw new WireError('busy', `${operation.name}: the node shows no tip`)
    return { ...reply, label }
  }
