// The checks of a deployed service over HTTP. It posts empty objects only, which are refused before any submission.
import { createClient } from '../../../packages/client/src/client.ts'
import { message as messageSchema } from '../../../shared/contract/error.ts'
import { filledPath, heldValues, impossibleValues, queryText } from '../../../shared/contract/parameters.ts'
import {
  contracts,
  type DeclaredEndpoint as Endpoint,
  type EndpointName,
  endpoints,
} from '../../../shared/endpoints/all.ts'
import { getHealth } from '../../../shared/endpoints/get-health.ts'
import { cacheControlOf } from '../../../shared/http/answer-headers.ts'
import { cors } from '../../../shared/http/cors.ts'
import { type Finding, warn } from '../finding.ts'
import { chainIdFinding, type Expected } from '../upstreams/node-checks.ts'
import type { Tip } from '../upstreams/node-facts.ts'
import { crossOriginFinding, type NamedAnswer, preflightFinding } from './cross-origin-checks.ts'
import { fetchUnredirected, fromAnotherSite, maxAnswerMs, type ProbeRequest, probe } from './probe.ts'
import { type Promised, routeFinding, unreachableFinding } from './route-checks.ts'
import {
  exactnessFinding,
  healthFinding,
  heightFinding,
  readBlock,
  readSummary,
  readTransactionHash,
} from './service-checks.ts'

interface Request extends ProbeRequest {
  readonly path: string
  readonly promised: Promised
}

const schemaOf = (name: EndpointName, status: number): object => contracts[name].responses[status]?.schema ?? {}

/** Every cache-control that an endpoint may give with a status. */
const cachingOf = ({ caching }: Endpoint, status: 200 | 404): readonly string[] =>
  Object.values(caching[status] ?? {}).map(cacheControlOf)

const uncached = [cacheControlOf(undefined)]

function fixedMessage(name: EndpointName, status: number): { readonly message?: string } {
  const { example } = contracts[name].responses[status] ?? {}
  return example !== undefined && 'message' in example && typeof example.message === 'string'
    ? { message: example.message }
    : {}
}

/** The request to an endpoint: a GET must succeed, a POST must refuse an empty object. */
function requestTo(endpoint: Endpoint, path: string): Request {
  const { name, method, failureMessage } = endpoint
  if (method === 'GET') {
    return { path, promised: { status: 200, schema: schemaOf(name, 200), caching: cachingOf(endpoint, 200) } }
  }
  const headers = { 'x-broadcast-outcome': 'refused', 'x-broadcast-code': 'invalid-request' }
  const fixed = failureMessage === undefined ? {} : { message: failureMessage }
  const promised = { status: 400, schema: schemaOf(name, 400), ...fixed, caching: uncached, headers }
  return { method, path, headers: { 'content-type': 'application/json' }, body: '{}', promised }
}

/** Requests that must fail, with their answers. */
function refusedRequests(): readonly Request[] {
  const refused = ([404, 400] as const).flatMap((status) =>
    endpoints.flatMap((endpoint): readonly Request[] => {
      const { identifier, name, method, path } = endpoint
      const sample = contracts[name].samples[status]
      const isOther = status === 404 && identifier?.unknown.status !== 404
      if (method !== 'GET' || sample === undefined || isOther) return []
      const caching = status === 404 ? cachingOf(endpoint, status) : uncached
      const promised = { status, schema: schemaOf(name, status), ...fixedMessage(name, status), caching }
      return [{ path: filledPath(path, impossibleValues) + queryText(sample.query), promised }]
    }),
  )
  return [...refused, { path: '/no-such-path', promised: { status: 404, schema: messageSchema, caching: uncached } }]
}

/** The same request with superfluous slashes, which one known wallet sends. */
const withSlashes = ({ path, promised, ...request }: Request): Request => ({
  ...request,
  path: `/${path}/`,
  promised: {
    ...promised,
    notFoundRemedy: 'use the address of the CDN: its viewer function collapses slashes, and it must be deployed',
  },
})

/**
 * Examines a deployed service, or one that `npm start` runs.
 *
 * @param url its base address, without a slash at its end
 * @param node the tip of the stage's node, for comparison
 */
export async function* examineDeployment(
  url: string,
  expected: Expected,
  node?: Tip,
): AsyncGenerator<Finding, void, undefined> {
  // Without an origin, so that a cache answers the later requests from a copy made for a caller without one.
  const service = createClient({ baseUrl: url, fetch: fetchUnredirected, timeoutMs: maxAnswerMs, retries: 0 })
  const summary = await readSummary(service)
  if (summary !== undefined && 'failure' in summary) {
    yield unreachableFinding('service', summary.failure)
    return
  }
  const block = summary && (await readBlock(service, summary.stateHash))
  const transactionHash = block && (await readTransactionHash(service))
  const values = heldValues({ ...summary, ...block, ...(transactionHash && { transactionHash }) })

  async function* ask(requests: readonly Request[]): AsyncGenerator<Finding, readonly NamedAnswer[], undefined> {
    const answers: NamedAnswer[] = []
    for (const { path, promised, headers, ...request } of requests) {
      const answer = await probe(url + path, { ...request, headers: { ...headers, ...fromAnotherSite } })
      const name = `${request.method ?? 'GET'} ${path.replace(/(?<=[/-]\w{6})\w{20,}/, '…')}`
      const finding = routeFinding(name, answer, promised)
      yield finding
      answers.push({ name, answer })
      if (path === getHealth.path && 'text' in answer && finding.level === 'ok')
        yield healthFinding(JSON.parse(answer.text))
    }
    return answers
  }

  const requests: Request[] = []
  for (const endpoint of endpoints) {
    const path = filledPath(endpoint.path, values)
    if (path !== undefined) requests.push(requestTo(endpoint, path))
    else {
      const says =
        'not asked: its parameter comes from GET /summary, the block named there or the latest commands, and one of these is missing'
      yield warn(`GET ${endpoint.path}`, says, 'fix those requests, then run the doctor again')
    }
  }
  const summaryRequest = requests.find(({ path }) => path === '/summary')
  const slashes = summaryRequest === undefined ? [] : [withSlashes(summaryRequest)]
  const answered = yield* ask([...requests, ...slashes])
  const refused = yield* ask(refusedRequests())

  if (summary !== undefined) yield chainIdFinding('service chain id', summary.chainId, expected)
  if (summary !== undefined && node !== undefined) yield heightFinding(summary, node)
  if (summary !== undefined && block !== undefined) yield exactnessFinding(summary, block)

  const preflights: NamedAnswer[] = []
  for (const { path } of endpoints.filter(({ method }) => method === 'POST')) {
    const headers = {
      ...fromAnotherSite,
      'access-control-request-method': 'POST',
      'access-control-request-headers': cors.allowHeaders.join(','),
    }
    preflights.push({ name: `OPTIONS ${path}`, answer: await probe(url + path, { method: 'OPTIONS', headers }) })
  }
  yield preflightFinding(preflights)
  const isRefused = ({ answer }: NamedAnswer) => 'status' in answer && answer.status >= 400
  yield crossOriginFinding(
    'CORS',
    answered.filter((each) => !isRefused(each)),
  )
  yield crossOriginFinding('CORS on errors', [...answered.filter(isRefused), ...refused])
}
