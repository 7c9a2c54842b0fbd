// The server between service and upstreams: it passes on the answers of the chains, applies one fault, and keeps a record.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../../../local/start/listen.ts'
import { parseJson } from '../exact-json.ts'
import { answers, type Delivered, type Fault, type TrueExchange } from '../fault.ts'
import type { Scenario } from './scenarios.ts'
import type { TwinChains } from './twin-chains.ts'

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
  /** True once a node has taken the command that is broadcast. */
  isHeld: boolean
  /** True if a question took so long that the service may think that the indexer is busy with a walk over a ledger. */
  wasSlow: boolean
  end(): void
}

interface Question {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

export async function faultServer(chains: TwinChains) {
  const sessions = new Map<string, readonly [Session, Scenario]>()

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id = '', path] = request.url?.split('/') ?? []
    const [session, scenario] = sessions.get(id) ?? []
    const body = await text(request)
    if (session === undefined || scenario === undefined) return void response.destroy()
    // An answer belongs to the request during which the question came.
    const { exchanges, isHeld, fault: spoilt } = session
    const { query, variables = {} }: Question = JSON.parse(body)
    const [upstream, isMutation] = [path === 'indexer' ? 'indexer' : 'node', query.startsWith('mutation')] as const
    const { isBeforeBerkeley = false, isMutationSilent } = scenario
    const setting = { isHeld: isHeld || isMutation, isBeforeBerkeley, condition: spoilt?.fault.condition }
    const answer = await chains.answer(upstream, setting, body)
    const name = /^\w+ (\w+)/.exec(query)?.[1] ?? ''
    const exchange: TrueExchange = { upstream, name, document: query, variables, text: answer, json: parseJson(answer) }
    const fault = spoilt?.operation === name && spoilt.fault.hits(exchange) ? spoilt.fault : undefined
    const isSilent = isMutation && isMutationSilent
    const sending = fault?.sending(exchange) ?? answers(isSilent ? '{"data":null}' : answer)
    if (isMutation && !fault?.isQuestionLost && !answer.includes('"errors"')) session.isHeld = true
    exchanges.push({ ...exchange, delivered: sending.delivered })
    sending.send(response)
  }

  const server = await listen(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
    0,
    '127.0.0.1',
  )
  let opened = 0
  return {
    open(scenario: Scenario): Session {
      const id = String(opened++)
      const url = `http://127.0.0.1:${server.port}/${id}`
      const session: Session = {
        nodeUrl: `${url}/node`,
        indexerUrl: `${url}/indexer`,
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
