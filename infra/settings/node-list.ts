// Several nodes, each with its own headers and key.
import { z } from 'zod'
import { addressListFault, maxNodes } from '../../shared/deployment/settings.ts'
import { credential } from './credential.ts'
import {
  descriptions,
  graphqlUrl,
  headers,
  type Issue,
  optional,
  rightItems,
  trueOrFalse,
  unwrapped,
  wholeList,
} from './kinds.ts'

export const nodeOfList = z.strictObject({
  graphqlUrl: graphqlUrl("a node's", 'https://node.example/graphql'),
  headers: headers('HTTP headers of each request to this node').default({}),
  credential: optional(
    credential.refine(({ secret, parameter }) => (secret === null) !== (parameter === null), {
      params: { reason: 'a credential names either a secret or a parameter' },
    }),
  ),
  sharedAddress: trueOrFalse('whether several nodes answer at the address in turn').default(false),
})

function listFrom(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return undefined
  }
}

/** The text of the field at a path of a node. */
function wantsAt(schema: unknown, [name, ...rest]: readonly PropertyKey[]): string | undefined {
  const inner = unwrapped(schema)
  if (name !== undefined && inner instanceof z.ZodObject) return wantsAt(inner.shape[String(name)], rest)
  return inner instanceof z.ZodType ? descriptions.get(inner)?.wants : undefined
}

/** Names the node, its field and what belongs there. No value, since it may hold a key. */
function faultOfNode({ path: [index, ...field], keys, params }: Issue): string | undefined {
  if (index === undefined) return undefined
  const at = [`node ${Number(index) + 1}`, ...(field.length > 0 ? [field.join('.')] : [])].join(', ')
  if (keys !== undefined) return `${at}: unknown key ${keys.join(', ')}`
  return `${at}: ${params?.reason ?? wantsAt(nodeOfList, field) ?? 'an object'}`
}

/** Undefined for what is no node. */
const addressOf = (node: unknown): unknown => Object(node).graphqlUrl

/** The hosts only: the rest of an address may be secret. */
function shownNodes(given: unknown): string {
  const nodes = listFrom(given)
  if (!Array.isArray(nodes)) return 'something not shown, since it may hold a key'
  const hosts = nodes.map((node: unknown) => {
    const url = addressOf(node)
    return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : 'no address'
  })
  return `${nodes.length} node${nodes.length === 1 ? '' : 's'}${hosts.length > 0 ? ` at ${hosts.join(', ')}` : ''}`
}

/** One to five nodes, as JSON in a variable. */
export const nodeList = z
  .preprocess(
    listFrom,
    z.array(nodeOfList).superRefine((nodes, context) => {
      const reason = addressListFault(nodes.map(addressOf), 'nodes')
      if (reason !== undefined) context.addIssue({ code: 'custom', params: { reason } })
    }, wholeList),
  )
  .register(descriptions, {
    wants: `1 to ${maxNodes} nodes in place of nodeGraphqlUrl: a list of graphqlUrl, and where needed headers, credential (header and secret or parameter) and sharedAddress (several daemons share the address), as JSON in a variable`,
    example: [{ graphqlUrl: 'https://a.example/graphql' }, { graphqlUrl: 'https://b.example/graphql' }],
    show: shownNodes,
    faultOf: faultOfNode,
    rightPartOf: (given) => rightItems(nodeOfList, listFrom(given)),
  })
