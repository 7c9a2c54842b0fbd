// The checks of node and indexer, one after the other so that they do not slow each other down.

import type { ChainSettings } from '../../../functions/runtime/settings/settings.ts'
import { queryOver } from '../../../functions/runtime/upstreams/upstreams.ts'
import { stakingOperations } from '../../../shared/indexer/staking-questions.ts'
import { type Finding, ok, warn } from '../finding.ts'
import { daemonsFinding, readPeers } from './daemons.ts'
import { type IndexerFacts, indexerFindings, readIndexerFacts } from './indexer.ts'
import { mutationFindings, readSchema } from './mutations.ts'
import { type Expected, nodeFindings, tipIn } from './node-checks.ts'
import { readNodeFacts, type Tip } from './node-facts.ts'
import { comparisonFindings, examineOtherNodes, firstNodeOnly, named } from './other-nodes.ts'
import { mutations, queries, queryFinding } from './queries.ts'

const noIndexer = ok('indexer', 'none configured: answers do not have the fields that only an indexer knows')

/** True if an indexer is on the node's chain. */
const follows = ({ tip: indexer }: IndexerFacts, node: Tip | undefined): boolean =>
  node !== undefined && indexer.state === 'answered' && indexer.data.block?.genesisStateHash === node.genesisStateHash

const afterwards = 'fix the problems above, then run the doctor again'

/**
 * Examines the upstreams of a stage. It only reads: no mutation is ever sent.
 *
 * @param now this machine's clock, ms since 1970
 * @returns the node's tip, undefined where it has none
 */
export async function* examineUpstreams(
  settings: ChainSettings,
  stage: Expected,
  now: () => number,
): AsyncGenerator<Finding, Tip | undefined, undefined> {
  const { genesisStateHashes } = settings
  const expected = { ...stage, ...(genesisStateHashes !== undefined && { genesisStateHashes }) }
  const { node } = settings
  const [indexer, ...furtherIndexers] = settings.indexers
  const queryUpstream = queryOver(firstNodeOnly(settings))
  const facts = await readNodeFacts(queryUpstream, node, now)
  const tip = tipIn(facts)
  const [first, ...others] = settings.nodes ?? []
  const ofFirst = (finding: Finding) => (first && others.length > 0 ? named(first.name, finding) : finding)
  yield* nodeFindings(facts, expected, node.timeoutMs, now()).map(ofFirst)
  if (facts.status.state === 'answered' && !facts.isRust) {
    const listed = first === undefined ? 'alone' : first.sharedAddress ? 'shared' : 'one'
    yield ofFirst(daemonsFinding(await readPeers(node, settings.extension), listed))
  }
  if (first !== undefined && others.length > 0) {
    const examined = yield* examineOtherNodes(settings, expected, now)
    yield* comparisonFindings([{ name: first.name, facts }, ...examined], genesisStateHashes)
  }

  const hasStakes = settings.withoutStakes === undefined
  const indexed = indexer && {
    facts: await readIndexerFacts(queryUpstream, indexer, tip, hasStakes),
    upstream: indexer,
  }
  yield* indexed
    ? indexerFindings(indexed.facts, tip, indexed.upstream.timeoutMs, indexed.upstream.slowTimeoutMs)
    : [noIndexer]
  let isBehindFollower = indexed !== undefined && follows(indexed.facts, tip)
  for (const [index, other] of furtherIndexers.entries()) {
    const query = queryOver({ node, indexers: [other] })
    const otherFacts = await readIndexerFacts(query, other, tip, hasStakes)
    const findings = indexerFindings(otherFacts, tip, other.timeoutMs, other.slowTimeoutMs, isBehindFollower)
    isBehindFollower ||= follows(otherFacts, tip)
    yield* findings.map((finding) => ({
      ...finding,
      subject: finding.subject.replace('indexer', `indexer ${index + 2}`),
    }))
  }

  if (facts.isRust) {
    yield warn('queries', 'not asked: a Rust node does not understand them', afterwards)
    yield warn('mutations', 'not checked: no command is sent to a Rust node', afterwards)
    return tip
  }

  if (tip === undefined) yield warn('queries', 'not asked: the node has no tip to ask about', afterwards)
  else {
    const answering = { node, indexer: indexed?.facts.tip.state === 'answered' ? indexer : undefined }
    for (const query of queries) {
      const upstream = answering[query.upstream]
      const isWanted = hasStakes || !stakingOperations.some(({ name }) => name === query.name)
      if (upstream !== undefined && isWanted) yield await queryFinding(queryUpstream, query, tip, upstream)
    }
  }

  if (facts.status.state === 'answered') yield* mutationFindings(await readSchema(queryUpstream), mutations)
  else yield warn('mutations', 'not checked: the node does not answer', afterwards)
  return tip
}
