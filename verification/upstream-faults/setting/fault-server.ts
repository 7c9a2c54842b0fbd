// The server between service and upstreams: it passes on what the chains answer, applies one fault, and keeps a record.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../../local/start/listen.ts'
import { parseJson } from '../exact-json.ts'
import { answers, type Delivered, type Fault, type Sending, type TrueExchange, type Upstream } from '../fault.ts'
import type { Scenario } from './scenarios.ts'
import type { Setting, TwinChains } from './twin-chains.ts'

/** A question of the service, the true answer to it, and what the service got. */
export interface Exchange extends TrueExchange {
  readonly delivered: Delivered
}

/** The upstreams of one instance of the service. */
export interface Session {
  readonly nodeUrl: string
  readonly indexerUrl: string
  /** In the order in which the questions came. */
  exchanges: Exchange[]
  /** The fault, and the operation whose answers it spoils. */
  fault: { readonly fault: Fault; readonly operation: string } | undefined
  /** Whether a node has taken the command that is broadcast. */
  isHeld: boolean
  /** Whether a question took so long that the indexer may be taken for busy with a walk over a ledger. */
  wasSlow: boolean
  end(): void
}

export interface FaultServer {
  open(scenario: Scenario): Session
  close(): Promise<void>
}

interface Question {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

const operationName = /^(?:query|mutation) (\w+)/

export async function faultServer(chains: TwinChains): Promise<FaultServer> {
  const sessions = new Map<string, readonly [Session, Scenario]>()
  const parsed = new Map<string, unknown>()
  const jsonOf = (body: string): unknown => {
    if (!parsed.has(body)) parsed.set(body, parseJson(body))
    return parsed.get(body)
  }
  let opened = 0

  async function trueExchange(upstream: Upstream, setting: Setting, body: string): Promise<TrueExchange> {
    const { query, variables = {} }: Question = JSON.parse(body)
    const isMutation = query.startsWith('mutation')
    const answer = await chains.answer(upstream, { ...setting, isHeld: setting.isHeld || isMutation }, body)
    const name = operationName.exec(query)?.[1] ?? ''
    return { upstream, name, document: query, variables, text: answer, json: jsonOf(answer) }
  }

  function sendingOf({ fault }: Session, { isMutationSilent }: Scenario, exchange: TrueExchange): Sending {
    const isMutation = exchange.document.startsWith('mutation')
    if (fault?.operation === exchange.name && fault.fault.hits(exchange)) return fault.fault.sending(exchange)
    return answers(isMutation && isMutationSilent ? '{"data":null}' : exchange.text)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id = '', upstream] = request.url?.split('/') ?? []
    const [session, scenario] = sessions.get(id) ?? []
    const body = await text(request).catch(() => undefined)
    if (session === undefined || scenario === undefined || body === undefined) return void response.destroy()
    // An answer belongs to the request during which the question came.
    const { exchanges } = session
    const { isBeforeBerkeley = false } = scenario
    const setting = { isHeld: session.isHeld, isBeforeBerkeley, condition: session.fault?.fault.condition }
    const exchange = await trueExchange(upstream === 'indexer' ? 'indexer' : 'node', setting, body)
    const sending = sendingOf(session, scenario, exchange)
    const isLost = session.fault?.operation === exchange.name && session.fault.fault.isQuestionLost
    if (exchange.document.startsWith('mutation') && !isLost && !exchange.text.includes('"errors"')) {
      session.isHeld = true
    }
    exchanges.push({ ...exchange, delivered: sending.delivered })
    sending.send(response)
  }

  const server = await listen(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
    0,
    '127.0.0.1',
  )
  return {
    open(scenario) {
      const id = String(opened++)
      const session: Session = {
        nodeUrl: `http://127.0.0.1:${server.port}/${id}/node`,
        indexerUrl: `http://127.0.0.1:${server.port}/${id}/indexer`,
        exchanges: [],
        fault: undefined,
        isHeld: false,
        wasSlow: false,
        end: () => void sessions.delete(id),
      }
      sessions.set(id, [session, scenario])
      return session
    },
    close: () => server.close(),
  }
}
