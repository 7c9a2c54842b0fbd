// Where there are several nodes: the checks of each, and how far they agree.
import type { ChainSettings } from '../../../functions/runtime/settings/settings.ts'
import { queryOver } from '../../../functions/runtime/upstreams/upstreams.ts'
import { compareBranches } from '../../../shared/chain/actions/node-branch.ts'
import { isoTime } from '../../../shared/mapping/times.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { type Finding, fail, ok, warn } from '../finding.ts'
import { daemonsFinding, readPeers } from './daemons.ts'
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
export function firstNodeOnly({ nodes: _nodes, ...settings }: ChainSettings): ChainSettings {
  return settings
}

/** A finding on one of several nodes. */
export const named = (name: string, finding: Finding): Finding => ({
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
  { nodes = [], extension }: ChainSettings,
  expected: Expected,
  now: () => number,
): AsyncGenerator<Finding, readonly NamedFacts[], undefined> {
  const examined: NamedFacts[] = []
  for (const { name, sharedAddress, ...node } of nodes.slice(1)) {
    const query = queryOver({ node, indexers: [], ...(extension !== undefined && { extension }) })
    const facts = await readNodeFacts(query, node, now)
    examined.push({ name, facts })
    for (const finding of nodeFindings(facts, expected, node.timeoutMs, now())) yield named(name, finding)
    if (facts.status.state === 'answered' && !facts.isRust) {
      yield named(name, daemonsFinding(await readPeers(node, extension), sharedAddress ? 'shared' : 'one'))
    }
    for (const finding of await schemaFindings(query, facts)) yield named(name, finding)
  }
  return examined
}

interface KnownNetwork {
  readonly name: string
  readonly genesisStateHash: string
  readonly chainId: string
  /** Of its newest block, in milliseconds since 1970. */
  readonly date: number
}

function networksOf(nodes: readonly NamedFacts[]): readonly KnownNetwork[] {
  return nodes.flatMap(({ name, facts }) => {
    const tip = tipIn(facts)
    if (tip === undefined || facts.status.state === 'failed') return []
    const { genesisStateHash, date } = tip
    return [{ name, genesisStateHash, date, chainId: facts.status.data.daemonStatus.chainId }]
  })
}

/** No chain is the right one by the order of the nodes: on the day of a hard fork the first may be the dead one. */
function apartFinding(chains: readonly (readonly KnownNetwork[])[]): Finding {
  const each = chains.map((nodes) => {
    const newest = Math.max(...nodes.map(({ date }) => date))
    return `${nodes.map(({ name }) => name).join(', ')}, newest block of ${isoTime(newest)}`
  })
  const remedy =
    'if only the newest goes on, follow "The day of a hard fork" in docs/runbook.md; otherwise take the nodes of another network out of nodes: the service uses one chain'
  return fail('nodes network', `on ${chains.length} chains: ${each.join('; ')}`, remedy)
}

/** Where the nodes are on both sides of a hard fork that the pins foresee: none is wrong, and their heights say nothing. */
function forkFinding(networks: readonly KnownNetwork[], pins: readonly string[]): Finding | undefined {
  const places = networks.map(({ genesisStateHash }) => pins.indexOf(genesisStateHash))
  if (places.includes(-1) || new Set(places).size < 2) return undefined
  const last = Math.max(...places)
  const on = (isLater: boolean) => networks.filter((_, at) => (places[at] === last) === isLater).map(({ name }) => name)
  const says = `${on(true).join(', ')} after the hard fork, ${on(false).join(', ')} before it, as pinned`
  return warn('nodes network', says, 'upgrade those before it once the new chain has begun: it alone is served then')
}

const unpinned = warn(
  'nodes pin',
  'genesisStateHash is not set: while the first node is down, one of another network would be used',
  "set genesisStateHash to the first node's genesis",
)

function heightFinding(nodes: readonly NamedFacts[]): Finding {
  const tips = nodes.flatMap(({ name, facts }) => {
    const tip = tipIn(facts)
    return tip === undefined
      ? []
      : [{ name, height: tip.height, branch: facts.branch.length > 0 ? facts.branch : [tip] }]
  })
  const [best, ...others] = tips.toSorted((left, right) => right.height - left.height)
  if (best === undefined || others.length === 0)
    return warn('nodes heights', 'not compared: fewer than two nodes have a tip', 'see above')
  const says = tips.map(({ name, height }) => `${name} ${height}`).join(', ')
  const far = others
    .map((other) => ({ ...other, ...compareBranches(best.branch, other.branch) }))
    .filter(({ lacks }) => lacks > maxBlocksApart)
  for (const { name, lacks, rivals } of far) {
    if (rivals === undefined) continue
    const [{ height, stateHash }, rival] = rivals
    const blocks = `at height ${height} ${best.name} has ${stateHash}, ${name} ${rival.stateHash}`
    const remedy = `ask somebody else, such as a public explorer, for block ${height}: take the node that has another one out of nodes until it has synchronised anew`
    return fail('nodes branches', `${says}, on two branches for ${lacks} blocks or more: ${blocks}`, remedy)
  }
  if (far.length === 0) return ok('nodes heights', says)
  return warn('nodes heights', says, 'the service asks a node that is behind last; check its peers')
}

/**
 * Compares network and height of several nodes; their clocks are each compared with this machine's.
 *
 * @param pins the state hashes of the pinned genesis blocks, in the order of time
 */
export function comparisonFindings(nodes: readonly NamedFacts[], pins?: readonly string[]): readonly Finding[] {
  const networks = networksOf(nodes)
  const fork = forkFinding(networks, pins ?? [])
  if (fork !== undefined) return [fork]
  const chains = [...Map.groupBy(networks, (node) => `${node.genesisStateHash} ${node.chainId}`).values()]
  const advice = pins === undefined ? [unpinned] : []
  if (chains.length > 1) return [apartFinding(chains), ...advice]
  const agreed =
    networks.length < 2 ? [] : [ok('nodes network', `genesis and chain id of ${networks.length} nodes agree`)]
  return [...agreed, ...advice, heightFinding(nodes)]
}
