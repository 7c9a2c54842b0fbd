// One instance of the service before the upstreams of a session, as a function that lives on between requests.
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { serve } from '../../../../functions/runtime/serve.ts'
import { readSettings } from '../../../../functions/runtime/settings/settings.ts'
import { systemClock } from '../../../../functions/runtime/system-clock.ts'
import { portsOver } from '../../../../functions/runtime/upstreams/upstreams.ts'
import { hurriedClock } from '../../../../local/start/hurried-clock.ts'
import { readersOf } from '../../../../local/start/routes.ts'
import { createChain } from '../../../../shared/chain/chain.ts'
import { endpoints } from '../../../../shared/endpoints/all.ts'
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import { WireError } from '../../../../shared/upstream/errors.ts'
import { createLedgerScans } from '../../../../shared/upstream/ledger-scans.ts'
import type { QueryUpstream } from '../../../../shared/upstream/query.ts'
import type { Session } from './fault-server.ts'
import type { Scenario } from './scenarios.ts'

/** Changes that make a wrong service. */
export interface Variant {
  /** Called once for each instance; what it returns wraps every port. */
  wrapQueries?(): (query: QueryUpstream) => QueryUpstream
  wrapEndpoint?(endpoint: Endpoint): Endpoint
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export type Instance = (scenario: Scenario) => Promise<Received>

const context = { awsRequestId: 'verification', getRemainingTimeInMillis: () => 25_000 } as Context

/** The query of a scenario's address. */
function queryOf({ limit, view, transaction, account, history }: Scenario) {
  if (account !== undefined) return { account }
  if (history === undefined)
    return limit === undefined ? transaction?.terms : { ...(view && { view }), limit: String(limit) }
  const { before } = history
  return { limit: String(history.limit), ...(before && { before: `${before.height}-${before.stateHash}` }) }
}

const eventOf = ({ path, method }: Endpoint, scenario: Scenario) => {
  const { stateHash, height, publicKey, transaction, history, signed } = scenario
  return {
    version: '2.0',
    rawPath: path,
    headers: { host: 'localhost' },
    queryStringParameters: queryOf(scenario),
    pathParameters: {
      state_hash: stateHash,
      height: height?.toString(),
      public_key: publicKey ?? history?.publicKey,
      hash: transaction?.hash,
      cursor: `${height}-${stateHash}`,
    },
    body: signed && JSON.stringify(signed.body),
    requestContext: { http: { method, path }, requestId: 'verification' },
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2
}

const served = await Promise.all(endpoints.map(async (endpoint) => ({ endpoint, readers: await readersOf(endpoint) })))

/** Long enough that no answer of a healthy upstream times out, even on a busy machine. */
const timeoutMs = 20_000

/**
 * @param hangingMs time limit for an answer that the fault withholds
 * @returns what puts requests to one instance of the function; it never throws
 */
export function instanceOf(session: Session, hangingMs: number, variant: Variant = {}): Instance {
  const settings = readSettings({
    NODE_GRAPHQL_URL: session.nodeUrl,
    INDEXER_GRAPHQL_URL: session.indexerUrl,
    UPSTREAM_TIMEOUT_MS: String(timeoutMs),
    INDEXER_TIMEOUT_MS: String(timeoutMs),
    INDEXER_STAKES_TIMEOUT_MS: String(timeoutMs),
  })
  let requests = 0
  // A minute passes between two requests, so that an instance asks again for what it has put off.
  const passedMs = () => requests * 60_000
  const scans = createLedgerScans(passedMs, timeoutMs)
  /** Shortens the time limit of the one answer that the fault withholds. */
  const impatient =
    (query: QueryUpstream): QueryUpstream =>
    (operation, variables, limits = {}) => {
      const { fault, operation: spoilt } = session.fault ?? {}
      if (!fault?.name.includes(' hangs') || spoilt !== operation.name) return query(operation, variables, limits)
      const { limitMs = hangingMs } = limits
      return query(operation, variables, { ...limits, limitMs: Math.min(limitMs, hangingMs) })
    }
  // A broadcast waits for seconds, a read for an answer.
  let clock = systemClock
  let nowMs: number | undefined
  const {
    nodes,
    indexers = [],
    ...options
  } = portsOver(settings, {
    ...systemClock,
    now: () => nowMs ?? systemClock.now(),
    elapsed: () => systemClock.elapsed() + passedMs(),
    after: (milliseconds, action) => clock.after(milliseconds, action),
  })
  const varied = variant.wrapQueries?.() ?? ((query: QueryUpstream) => query)
  const wrapped = (query: QueryUpstream) => varied(impatient(query))
  const timed =
    (query: QueryUpstream): QueryUpstream =>
    async (...asked) => {
      const startedAt = performance.now()
      try {
        return await query(...asked)
      } catch (error) {
        if (error instanceof WireError && error.fault === 'timeout') session.wasSlow = true
        throw error
      } finally {
        if (performance.now() - startedAt > scans.maxLightMs) session.wasSlow = true
      }
    }
  const chain = createChain({
    ...options,
    nodes: nodes.map((node) => ({ ...node, query: wrapped(node.query) })),
    indexers: indexers.map((query) => wrapped(timed(query))),
    scans,
  })
  return async (scenario) => {
    requests += 1
    const own = served.find(({ endpoint }) => endpoint.name === scenario.endpoint)
    if (own === undefined) throw new Error(`no endpoint ${scenario.endpoint}`)
    const endpoint = variant.wrapEndpoint?.(own.endpoint) ?? own.endpoint
    nowMs = scenario.nowMs
    clock = endpoint.method === 'GET' ? systemClock : hurriedClock
    const handler = serve(endpoint, { chain, log: () => undefined, ...own.readers })
    const { statusCode = 0, headers = {}, body = '' } = await handler(eventOf(endpoint, scenario), context)
    const named = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
    return { status: statusCode, headers: Object.fromEntries(named), text: body }
  }
}
