// Where there are several nodes: the checks of each, and how far they agree.
import type { Settings } from '../../../functions/runtime/settings/settings.ts'
import { queryOver } from '../../../functions/runtime/upstreams/upstreams.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import { mutationFindings, readSchema } from './mutations.ts'
import { type Expected, nodeFindings, tipIn } from './node-checks.ts'
import { type NodeFacts, readNodeFacts } from './node-facts.ts'
import { mutations } from './queries.ts'

/** One of several nodes by its own account. */
export interface NamedFacts {
  readonly name: string
  readonly facts: NodeFacts
}

/** Nodes of one network are rarely further apart than a block or two. */
const maxBlocksApart = 2

/** The settings as if the first node were the only one: the doctor must know which node answers. */
export function firstNodeOnly({ nodes: _nodes, ...settings }: Settings): Settings {
  return settings
}

const named = (name: string, finding: Finding): Finding => ({
  ...finding,
  subject: finding.subject.replace(/^(node|mutation)/, `$1 ${name}`),
})

async function schemaFindings(query: QueryUpstream, { status, isRust }: NodeFacts): Promise<readonly Finding[]> {
  if (isRust || status.state === 'failed') return []
  const findings = mutationFindings(await readSchema(query), mutations)
  return findings.filter(({ level }) => level !== 'ok')
}

/** Examines the second node and those after it. Of its schema only what is missing is reported. */
export async function* examineOtherNodes(
  { nodes = [], extension }: Settings,
  expected: Expected,
  now: () => number,
): AsyncGenerator<Finding, readonly NamedFacts[], undefined> {
  const examined: NamedFacts[] = []
  for (const { name, sharedAddress: _shared, ...node } of nodes.slice(1)) {
    const query = queryOver({ node, ...(extension !== undefined && { extension }) })
    const facts = await readNodeFacts(query, node, now)
    examined.push({ name, facts })
    for (const finding of nodeFindings(facts, expected, node.timeoutMs, now())) yield named(name, finding)
    for (const finding of await schemaFindings(query, facts)) yield named(name, finding)
  }
  return examined
}

function networkFinding(nodes: readonly NamedFacts[]): readonly Finding[] {
  const networks = nodes.flatMap(({ name, facts }) => {
    const tip = tipIn(facts)
    if (tip === undefined || facts.status.state === 'failed') return []
    return [{ name, network: `${tip.genesisStateHash} ${facts.status.data.daemonStatus.chainId}` }]
  })
  const [first] = networks
  if (first === undefined || networks.length < 2) return []
  const others = networks.filter(({ network }) => network !== first.network).map(({ name }) => name)
  if (others.length === 0) return [ok('nodes network', `genesis and chain id of ${networks.length} nodes agree`)]
  const says = `${others.join(', ')}: another genesis or chain id than ${first.name}, which comes first`
  return [fail('nodes network', says, 'take the node that is wrong out of nodes: the service does not use it')]
}

const unpinned = warn(
  'nodes pin',
  'genesisStateHash is not set: while the first node is down, one of another network would be used',
  "set genesisStateHash to the first node's genesis",
)

function heightFinding(nodes: readonly NamedFacts[]): readonly Finding[] {
  const heights = nodes.flatMap(({ name, facts }) => {
    const tip = tipIn(facts)
    return tip === undefined ? [] : [{ name, height: tip.height }]
  })
  if (heights.length < 2) return [warn('nodes heights', 'not compared: fewer than two nodes have a tip', 'see above')]
  const all = heights.map(({ height }) => height)
  const says = heights.map(({ name, height }) => `${name} ${height}`).join(', ')
  if (Math.max(...all) - Math.min(...all) <= maxBlocksApart) return [ok('nodes heights', says)]
  return [warn('nodes heights', says, 'the service asks a node that is behind last; check its peers')]
}

/** Compares network and height of several nodes; their clocks are each compared with this machine's. */
export const comparisonFindings = (nodes: readonly NamedFacts[], isPinned: boolean): readonly Finding[] => [
  ...networkFinding(nodes),
  ...(isPinned ? [] : [unpinned]),
  ...heightFinding(nodes),
]
