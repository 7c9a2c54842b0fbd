// Broadcasts a signed command to every node at once, and waits until what they did is known well enough.
import type { Answer } from '../endpoints/endpoint.ts'
import { WireError } from '../upstream/errors.ts'
import type { EndpointContext, NodePort } from '../upstream/query.ts'
import { askNode } from './ask-node.ts'
import { askWitness } from './ask-witness.ts'
import { type Finding, holds, isDecisive, type Witness } from './finding.ts'
import type { Submission } from './submit.ts'
import { answerOf } from './truth.ts'

/** How long a 201 waits for other nodes: a command that two nodes hold survives the death of one. */
const graceMs = 300

/** More copies of a command would not make it safer. */
const mostSentTo = 3

/** One of several nodes, whose calls end with the signal, and which gets none after it. */
const endingWith = (node: NodePort, signal: AbortSignal): NodePort => ({
  ...node,
  async query(operation, variables, limits) {
    if (signal.aborted) throw new WireError('timeout', 'no longer needed', { isUnsent: true })
    return node.query(operation, variables, { ...limits, signal })
  },
})

/**
 * How many nodes hold the command, of those asked. Nothing where several nodes hide behind the only address: how many of
 * them took it is not known.
 */
function nodesHeader(
  nodes: readonly NodePort[],
  findings: readonly Finding[],
  witnesses: readonly Witness[],
): Readonly<Record<string, string>> {
  if (nodes.length === 1 && nodes[0]?.sharedAddress) return {}
  const holding = findings.filter(holds).length + witnesses.filter(({ sighting }) => sighting.state === 'held').length
  const asked = Math.min(nodes.length, mostSentTo) + witnesses.length
  return { 'x-broadcast-nodes': `${holding}/${asked}` }
}

/**
 * Broadcasts a signed command to at most three nodes side by side. Once a node holds it, the others have 300 ms and are then
 * given up; until then each is asked until its part is known. Where none holds it, the nodes that it was not sent to are
 * asked whether they do: an earlier request may have sent it to them.
 *
 * @returns 201 with the command as a node holds it; else 400: refused with the reason of a node, or of unknown outcome
 */
export async function broadcast<Data, Body>(
  submission: Submission<Data, Body>,
  { nodes, deadline }: Pick<EndpointContext, 'nodes' | 'deadline'>,
): Promise<Answer<Body>> {
  const enough = new AbortController()
  const { signal } = enough
  const untilEnough = {
    timeLeftMs: () => (signal.aborted ? 0 : deadline.timeLeftMs()),
    pause: (milliseconds: number) => deadline.pause(milliseconds, signal),
  }
  const sentTo = nodes.slice(0, mostSentTo)
  const findings = new Map<number, Finding>()
  const isDecided = () => [...findings.values()].some(isDecisive)
  let turns = 0
  const turn = () => ++turns
  const isHeld = Promise.withResolvers<void>()

  const all = Promise.all(
    sentTo.map(async (node, index) => {
      // Nothing ends the calls to a single node before its part is known.
      const asked = sentTo.length === 1 ? node : endingWith(node, signal)
      const finding = await askNode(submission, asked, { deadline: untilEnough, isDecided, turn })
      findings.set(index, finding)
      if (holds(finding)) isHeld.resolve()
    }),
  )
  await Promise.race([all, isHeld.promise])
  const isUnfinished = findings.size < sentTo.length
  if (isUnfinished) await Promise.race([all, deadline.pause(graceMs, signal)])
  const known = sentTo.flatMap((_node, index) => findings.get(index) ?? [])
  const witnesses =
    isDecided() || known.some(holds)
      ? []
      : await Promise.all(nodes.slice(mostSentTo).map((node) => askWitness(submission, node, deadline)))
  // What is left running would be frozen with the instance, and go on in its next request.
  if (isUnfinished) enough.abort()

  const answer = answerOf(submission, known, witnesses)
  return { ...answer, headers: { ...answer.headers, ...nodesHeader(nodes, known, witnesses) } }
}
