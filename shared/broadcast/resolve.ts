// Broadcasts a signed command to every node at once, and waits until what they did is known well enough.
import type { Answer } from '../endpoints/endpoint.ts'
import { WireError } from '../upstream/errors.ts'
import type { EndpointContext, NodePort } from '../upstream/query.ts'
import { askNode } from './ask-node.ts'
import { type Finding, holds, isDecisive } from './finding.ts'
import type { Submission } from './submit.ts'
import { answerOf } from './truth.ts'

/** How long a 201 waits for other nodes: a command that two nodes hold survives the death of one. */
const graceMs = 300

/** The node, whose calls end with the signal, and which gets none after it. */
const endingWith = (node: NodePort, signal: AbortSignal): NodePort => ({
  ...node,
  async query(operation, variables, limits) {
    if (signal.aborted) throw new WireError('timeout', 'no longer needed', { isUnsent: true })
    return node.query(operation, variables, { ...limits, signal })
  },
})

/**
 * How many nodes took the command, of those asked. Nothing where several nodes hide behind the only address: how many of
 * them took it is not known.
 */
function nodesHeader(nodes: readonly NodePort[], findings: readonly Finding[]): Readonly<Record<string, string>> {
  if (nodes.length === 1 && nodes[0]?.sharedAddress) return {}
  return { 'x-broadcast-nodes': `${findings.filter(holds).length}/${nodes.length}` }
}

/**
 * Broadcasts a signed command to all nodes side by side. Once a node holds it, the others have 300 ms and are then given
 * up; until then each is asked until its part is known.
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
  const findings = new Map<number, Finding>()
  const isDecided = () => [...findings.values()].some(isDecisive)
  let turns = 0
  const turn = () => ++turns
  const isHeld = Promise.withResolvers<void>()

  const all = Promise.all(
    nodes.map(async (node, index) => {
      const finding = await askNode(submission, endingWith(node, signal), { deadline: untilEnough, isDecided, turn })
      findings.set(index, finding)
      if (holds(finding)) isHeld.resolve()
    }),
  )
  await Promise.race([all, isHeld.promise])
  if (findings.size < nodes.length) await Promise.race([all, deadline.pause(graceMs, signal)])
  // What is left running would be frozen with the instance, and go on in its next request.
  enough.abort()

  const known = nodes.flatMap((_node, index) => findings.get(index) ?? [])
  const answer = answerOf(submission, known)
  return { ...answer, headers: { ...answer.headers, ...nodesHeader(nodes, known) } }
}
