// The requests of the benchmark, each with what the node answers to it.
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import Client from 'mina-signer'
import { portsOver } from '../../../functions/runtime/upstreams/upstreams.ts'
import { createChain as createEmbeddedChain } from '../../../local/chain/chain.ts'
import { nodeServer } from '../../../local/chain/node/server.ts'
import { signedPayment } from '../../../local/demo/signing.ts'
import { listen } from '../../../local/start/listen.ts'
import { createChain } from '../../../shared/chain/chain.ts'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { originHeader } from '../../../shared/http/front.ts'
import { routeOf } from '../../../shared/http/routes.ts'
import { printExactJson } from '../../../shared/mapping/json.ts'
import type { QueryUpstream } from '../../../shared/upstream/query.ts'
import { tenFullBlocks } from '../load/full-blocks.ts'

export const originSecret = 'bench-secret'

export interface Scenario {
  readonly title: string
  readonly endpoint: Endpoint
  readonly event: Partial<APIGatewayProxyEventV2>
  /** JSON, the same for each question. */
  readonly nodeAnswer: string
  /** Requests to one process after its first. */
  readonly warmRequests: number
}

interface Parts {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: string
}

/** As API Gateway makes it, with the header that CloudFront adds. */
function eventFor(endpoint: Endpoint, { query, body }: Parts): Partial<APIGatewayProxyEventV2> {
  const { method, path } = endpoint
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'curl/8.10.1' }
  const context = { domainName: 'api.example', http, requestId: 'r', stage: '$default', timeEpoch: 1_795_255_200_000 }
  return {
    version: '2.0',
    routeKey: routeOf(endpoint),
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { accept: '*/*', host: 'api.example', 'user-agent': 'curl/8.10.1', [originHeader]: originSecret },
    requestContext: context as APIGatewayProxyEventV2['requestContext'],
    isBase64Encoded: false,
    ...(query && { queryStringParameters: query }),
    ...(body !== undefined && { body }),
  }
}

/** The embedded node's answer to the only question of an endpoint. */
async function recordedAnswers(payment: string): Promise<{ readonly summary: string; readonly payment: string }> {
  const chain = createEmbeddedChain({ seed: 'cold', now: () => Date.UTC(2026, 0, 1) })
  const [alice, bob] = chain.wallets
  if (alice === undefined || bob === undefined) throw new Error('the chain has no wallets')
  const node = await listen(nodeServer(chain), 0, '127.0.0.1')
  const settings = { node: { url: `http://127.0.0.1:${node.port}/graphql`, headers: {}, timeoutMs: 8000 } }
  const options = portsOver(settings)
  const record = async (endpoint: Endpoint, body: unknown): Promise<string> => {
    let recorded = ''
    const nodes = options.nodes.map((node) => ({
      ...node,
      async query(...question: Parameters<QueryUpstream>) {
        const reply = await node.query(...question)
        recorded = printExactJson({ data: reply.data })
        return reply
      },
    }))
    const input = endpoint.input({ path: {}, query: {}, body })
    const exchange = createChain({ ...options, nodes }).exchange({ deadline: Date.now() + 8000 })
    const { status } = await endpoint.run(input, exchange)
    exchange.end()
    if (status >= 300) throw new Error(`${endpoint.name} answers ${status}`)
    return recorded
  }
  try {
    return {
      summary: await record(getSummary, undefined),
      payment: await record(broadcastTransaction, JSON.parse(payment)),
    }
  } finally {
    await node.close()
  }
}

function payment(): string {
  const { wallets, network } = createEmbeddedChain({ seed: 'cold', now: () => Date.UTC(2026, 0, 1) })
  const [alice, bob] = wallets
  if (alice === undefined || bob === undefined) throw new Error('the chain has no wallets')
  const signer = { ...alice, nonce: 0 }
  return JSON.stringify(signedPayment(new Client({ network }), signer, bob.publicKey, '1500000000').signed)
}

export async function scenarios(): Promise<readonly Scenario[]> {
  const body = payment()
  const recorded = await recordedAnswers(body)
  return [
    {
      title: 'GET /summary',
      endpoint: getSummary,
      event: eventFor(getSummary, {}),
      nodeAnswer: recorded.summary,
      warmRequests: 400,
    },
    {
      title: 'POST /broadcast/transaction',
      endpoint: broadcastTransaction,
      event: eventFor(broadcastTransaction, { body }),
      nodeAnswer: recorded.payment,
      warmRequests: 400,
    },
    {
      title: 'GET /blocks?limit=10, 100 commands each',
      endpoint: getBlocks,
      event: eventFor(getBlocks, { query: { limit: '10' } }),
      nodeAnswer: await tenFullBlocks(),
      warmRequests: 60,
    },
  ]
}
