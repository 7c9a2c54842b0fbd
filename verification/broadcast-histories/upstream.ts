// What an endpoint is handed for a request: ports to the nodes, over a network that loses and breaks operations.
import { integerBetween, pick, type Random } from '../../local/chain/random.ts'
import { WireError } from '../../shared/upstream/errors.ts'
import type { Operation } from '../../shared/upstream/operation.ts'
import type { EndpointContext, NodePort, QueryUpstream, Reply } from '../../shared/upstream/query.ts'
import { type BrokenAnswer, breakAnswer, brokenAnswers, late, lostRequests } from './broken-answer.ts'
import type { Clock } from './clock.ts'
import { isRival, type RequestRecord, recordCall, recordRival } from './judgement/request-record.ts'
import type { Network } from './network/network.ts'
import type { Node } from './network/node.ts'
import { answerOperation, type GraphQlAnswer } from './network/node-answer.ts'
import { resolversOf } from './network/node-view.ts'
import type { Setting } from './setting.ts'

/** The service's time-out for one operation. */
const timeoutMs = 8000

export interface Upstream {
  /** What an endpoint is handed for a request. */
  contextFor(record: RequestRecord): EndpointContext
}

/** One operation that was sent. */
interface Call {
  readonly record: RequestRecord
  /** The address that it was sent to. */
  readonly place: string
  readonly operation: Operation
  readonly variables: Readonly<Record<string, unknown>>
  readonly isMutation: boolean
  readonly limitMs: number
}

/**
 * @param accepted called when a node has accepted the request's command, which was sent to that place
 * @param trace receives the lines of the history
 */
export function createUpstream(
  random: Random,
  clock: Clock,
  setting: Setting,
  network: Network,
  accepted: (record: RequestRecord, place: string) => void,
  trace: (line: () => string) => void,
): Upstream {
  const quickly = () => integerBetween(random, 2, 150)

  /** The balancer may not have noticed yet that a node is down. */
  function balanced(preferred: Node): Node {
    const node = setting.balancing === 'call' ? pick(random, network.nodes) : preferred
    const other = network.nodes.find((one) => one !== node) ?? node
    return node.state === 'up' || random() < 0.3 ? node : other
  }

  function execute({ record, place, operation: { document }, variables, isMutation }: Call, node: Node): GraphQlAnswer {
    const isOverloaded = random() < setting.overload
    const answer = answerOperation(document, variables, resolversOf(network, node, record.command, isOverloaded))
    record.sawUsedNonce ||= (node.account(record.command.from)?.nonce ?? 0) > record.command.nonce
    if (isMutation && answer.errors.length === 0) accepted(record, place)
    trace(() => `  ${record.number} at ${node.name}: ${summaryOf(isMutation, answer)}`)
    return answer
  }

  function recordTrouble({ record, place, isMutation }: Call, what: string, isLost = true): void {
    record.hadTrouble = true
    if (isMutation && isLost) record.lostAt.add(place)
    trace(() => `  ${record.number} ${isMutation ? 'mutation' : 'search'}: ${what}`)
  }

  async function timeOut(call: Call): Promise<never> {
    await clock.wait(call.limitMs)
    recordTrouble(call, 'time-out')
    throw new WireError('timeout', 'time-out')
  }

  /** The operation reaches no node. */
  async function lose(call: Call): Promise<Reply> {
    const how = pick(random, lostRequests)
    if (how === 'time-out') return timeOut(call)
    await clock.wait(Math.min(quickly(), call.limitMs))
    recordTrouble(call, `lost, ${how}`)
    return breakAnswer(random, how, { data: null, errors: [] })
  }

  /** The operation reaches a node, in time or too late. */
  async function deliver(call: Call, node: Node, fate: BrokenAnswer | 'late' | 'clean'): Promise<Reply> {
    const there = fate === late ? call.limitMs + integerBetween(random, 1, 12_000) : quickly()
    const back = fate === 'slow' ? integerBetween(random, 1_000, 9_000) : quickly()
    if (fate === late || fate === 'time-out' || there + back >= call.limitMs) {
      clock.after(there, () => node.state !== 'down' && execute(call, node))
      return timeOut(call)
    }
    await clock.wait(there)
    if (node.state === 'down') {
      recordTrouble(call, 'connection refused')
      throw new WireError('unreachable', 'connection refused', { isUnsent: true })
    }
    if (node.state === 'bootstrapping') recordTrouble(call, 'the node has no ledger yet', false)
    const answer = execute(call, node)
    const isShown = !call.isMutation && node.holds(call.record.command) && node.state === 'up'
    const showsRival = node.queued(call.record.command.from).some((one) => isRival(one, call.record.command))
    await clock.wait(back)
    // Mixing up changes only the answer of an accepted mutation; any other answer stays intact.
    const isIntact = fate === 'clean' || fate === 'slow' || (fate === 'mixed up' && !(call.isMutation && answer.data))
    if (isIntact) {
      call.record.wasShown ||= isShown
      if (!call.isMutation && node.state === 'up' && !setting.hasOwnAddresses) recordRival(call.record, showsRival)
      return { status: 200, ...answer }
    }
    recordTrouble(call, fate)
    return breakAnswer(random, fate, answer)
  }

  return {
    contextFor(record) {
      const [first = pick(random, network.nodes)] = network.nodes
      const preferred = setting.balancing === 'first' ? first : pick(random, network.nodes)
      const timeLeftMs = () => record.deadline - clock.now()
      const send = async (call: Call, chosen: () => Node): Promise<Reply> => {
        const hasFault = random() < (call.isMutation ? setting.mutationFaults : setting.searchFaults)
        if (hasFault && random() < 0.3) return lose(call)
        return deliver(call, chosen(), hasFault ? pick(random, [...brokenAnswers, late]) : 'clean')
      }
      const queryTo =
        (place: string, chosen: () => Node): QueryUpstream =>
        (operation, variables, { limitMs = timeLeftMs(), signal } = {}) => {
          const isMutation = operation.document.startsWith('mutation')
          recordCall(record, place, isMutation)
          const longestMs = Math.min(timeoutMs, Math.max(1, limitMs))
          return unlessGivenUp(
            send({ record, place, operation, variables, isMutation, limitMs: longestMs }, chosen),
            signal,
          )
        }
      const portTo = (node: Node): NodePort => ({
        name: node.name,
        query: queryTo(node.name, () => node),
        sharedAddress: false,
      })
      const shared = queryTo('node', () => balanced(preferred))
      const nodes = setting.hasOwnAddresses
        ? [preferred, ...network.nodes.filter((node) => node !== preferred)].map(portTo)
        : [{ name: 'node', query: shared, sharedAddress: true }]
      const pause = (milliseconds: number) => clock.wait(milliseconds)
      const query = nodes[0]?.query ?? shared
      return { query, nodes, deadline: { timeLeftMs, pause }, configured: { indexer: false } }
    },
  }
}

/** The reply, or an error as soon as it is given up; the operation itself goes on its way. */
const unlessGivenUp = (reply: Promise<Reply>, signal: AbortSignal | undefined): Promise<Reply> =>
  Promise.race([
    reply,
    new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new WireError('timeout', 'given up')))
    }),
  ])

/** An answer in a few words. */
function summaryOf(isMutation: boolean, { data, errors }: GraphQlAnswer): string {
  if (errors.length > 0) return errors.map((message) => message.replace(/\{.*\}/, '{…}')).join('; ')
  if (isMutation) return 'accepted'
  const hashes = JSON.stringify(data).match(/(?<="hash":")\w{8}/g) ?? ['nothing']
  return `found ${hashes.join(' ')}`
}
