// The requests of the benchmark, each with the node's answer to it.
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import Client from 'mina-signer'
import { broadcastTransaction } from '../../../shared/endpoints/broadcast-transaction.ts'
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts'
import { getBlocks } from '../../../shared/endpoints/get-blocks.ts'
import { getSummary } from '../../../shared/endpoints/get-summary.ts'
import { originHeader, routeOf } from '../../../shared/http/routes.ts'
import { embeddedChain, recordedAnswer, tenFullBlocks } from '../../load/canned-node.ts'

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

/** As API Gateway makes it, with the header that CloudFront adds. */
function eventFor(
  endpoint: Endpoint,
  query?: Readonly<Record<string, string>>,
  body?: string,
): Partial<APIGatewayProxyEventV2> {
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

function payment(): unknown {
  const { wallets, network } = embeddedChain()
  const [alice, bob] = wallets
  if (alice === undefined || bob === undefined) throw new Error('the chain has no wallets')
  const parties = { from: alice.publicKey, to: bob.publicKey, amount: '1500000000' }
  const payload = { ...parties, fee: '10000000', nonce: '0', memo: 'bench', validUntil: '4294967295' }
  const { signature } = new Client({ network }).signPayment(payload, alice.privateKey)
  return { publicKey: alice.publicKey, signature, payload }
}

export async function scenarios(): Promise<readonly Scenario[]> {
  const body = payment()
  return [
    {
      title: 'GET /summary',
      endpoint: getSummary,
      event: eventFor(getSummary),
      nodeAnswer: await recordedAnswer(getSummary),
      warmRequests: 400,
    },
    {
      title: 'POST /broadcast/transaction',
      endpoint: broadcastTransaction,
      event: eventFor(broadcastTransaction, undefined, JSON.stringify(body)),
      nodeAnswer: await recordedAnswer(broadcastTransaction, body),
      warmRequests: 400,
    },
    {
      title: 'GET /blocks?limit=10, 100 commands each',
      endpoint: getBlocks,
      event: eventFor(getBlocks, { limit: '10' }),
      nodeAnswer: await tenFullBlocks(),
      warmRequests: 60,
    },
  ]
}
