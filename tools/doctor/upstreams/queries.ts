// The service's own queries, sent as the service sends them.
import { type OperationDefinitionNode, parse } from 'graphql'
import type { Upstream } from '../../../functions/runtime/settings/upstream-settings.ts'
import { unheldValues } from '../../../shared/contract/parameters.ts'
import { endpoints } from '../../../shared/endpoints/all.ts'
import { isUnknownQuery } from '../../../shared/upstream/node-errors.ts'
import type { Operation } from '../../../shared/upstream/operation.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { type Finding, warn } from '../finding.ts'
import type { Tip } from './node-facts.ts'
import { askedWith, askUpstream, questionFinding } from './question.ts'

function definitionOf({ name, document }: Operation): OperationDefinitionNode {
  const definition = parse(document).definitions.find((each) => each.kind === 'OperationDefinition')
  if (definition === undefined) throw new Error(`${name}: its document has no operation`)
  return definition
}

const operations: readonly Operation[] = [...new Set(endpoints.flatMap((endpoint) => endpoint.operations))]

const operationsOf = (kind: 'query' | 'mutation') =>
  operations.filter((operation) => definitionOf(operation).operation === kind)

/** Those that every upstream can answer, whatever its dialect. */
export const queries = operationsOf('query').filter(({ dialect }) => dialect === undefined)

export const mutations = operationsOf('mutation')

/** Values from the tip, and a hash that no command has, by the variable names of the operations. */
const valuesAt = (tip: Tip): Readonly<Record<string, unknown>> => ({
  maxLength: 10,
  newest: 1,
  limit: 10,
  stateHash: tip.stateHash,
  height: tip.height,
  canonical: true,
  publicKey: tip.creator,
  hash: unheldValues.hash,
  from: tip.creator,
  nonce: 0,
  ledgerHash: tip.stakingLedgerHash,
  order: 'STAKE_ASC',
  genesis: undefined,
  rows: 1,
  lowest: Math.max(1, tip.height - 9),
  highest: tip.height,
  branchFrom: Math.max(1, tip.height - 9),
  parentHeight: tip.height,
  proofHeight: Math.max(1, tip.height - 9),
  below: tip.height,
  root: tip.stateHash,
  wantsRoot: false,
  userHashes: [unheldValues.hash],
  zkappHashes: [],
})

/** Of several blocks by their heights only the tip, since a node may have no other one yet; of several accounts its creator's. */
function valueOfNumbered(name: string, tip: Tip): string | number | boolean | undefined {
  const [, kind, index] = /^(height|key|wants)(\d+)$/.exec(name) ?? []
  if (kind === 'height') return tip.height
  if (kind === 'key') return tip.creator
  return kind === undefined ? undefined : index === '0'
}

/** Sends one query and reports its result. */
export async function queryFinding(
  query: QueryUpstream,
  operation: Operation,
  tip: Tip,
  upstream: Upstream,
): Promise<Finding> {
  const subject = `query ${operation.name}`
  const names = definitionOf(operation).variableDefinitions?.map(({ variable }) => variable.name.value) ?? []
  const numbered = names.flatMap((name) => {
    const value = valueOfNumbered(name, tip)
    return value === undefined ? [] : [[name, value] as const]
  })
  const values = { ...Object.fromEntries(numbered), ...valuesAt(tip) }
  const unknown = names.find((name) => !Object.hasOwn(values, name))
  if (unknown !== undefined) {
    return warn(subject, `not asked: no value for $${unknown}`, 'add one in tools/doctor/upstreams/queries.ts')
  }
  const { timeoutMs, slowTimeoutMs = timeoutMs } = upstream
  const variables = Object.fromEntries(names.map((name) => [name, values[name]]))
  const outcome = await askUpstream(query, operation, variables)
  if (operation.mayBeUnknown && outcome.state === 'failed' && isUnknownQuery(outcome.reason)) {
    const remedy = 'an upgrade of the daemon brings it; until then answers are right without the field'
    return warn(subject, 'the node is older than this question', remedy)
  }
  return questionFinding(
    subject,
    askedWith(operation.upstream, upstream),
    outcome,
    operation.timeoutMs ?? (operation.isPatient ? slowTimeoutMs : timeoutMs),
  )
}
