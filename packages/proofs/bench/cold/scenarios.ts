// The requests of the benchmark, each with the node's answer to it.
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import Client from 'mina-signer'
import { broadcastDelegation } from '../../../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../../../shared/endpoints/broadcast-transaction.ts'
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts'
import { getBlocks } from '../../../../shared/endpoints/get-blocks.ts'
import { getSummary } from '../../../../shared/endpoints/get-summary.ts'
import { originHeader } from '../../../../shared/http/routes.ts'
import { embeddedChain, recordedAnswer, tenFullBlocks } from '../../load/canned-node.ts'
import { type EventOptions, gatewayEvent } from '../../load/gateway-event.ts'

export const originSecret = 'bench-secret'

export interface Scenario {
  readonly title: string
  readonly endpoint: Endpoint
  readonly event: APIGatewayProxyEventV2
  /** JSON, the same for each question. */
  readonly nodeAnswer: string
  /** Requests to one process after its first. */
  readonly warmRequests: number
}

/** With the header that CloudFront adds. */
const asked = (endpoint: Endpoint, request: EventOptions = {}): APIGatewayProxyEventV2 =>
  gatewayEvent(endpoint, { ...request, headers: { [originHeader]: originSecret } })

/** A payment and a delegation, each signed, as mina-signer's users send them. */
function walletBodies() {
  const { wallets, network } = embeddedChain()
  const [alice, bob] = wallets
  if (alice === undefined || bob === undefined) throw new Error('the chain has no wallets')
  const { publicKey, privateKey } = alice
  const signer = new Client({ network })
  const command = { from: publicKey, to: bob.publicKey, fee: '10000000', nonce: '0', memo: 'bench' }
  const delegation = { ...command, validUntil: '4294967295' }
  const payment = { ...delegation, amount: '1500000000' }
  return {
    payment: { publicKey, signature: signer.signPayment(payment, privateKey).signature, payload: payment },
    delegation: {
      publicKey,
      signature: signer.signStakeDelegation(delegation, privateKey).signature,
      payload: delegation,
    },
  }
}

export async function scenarios(): Promise<readonly Scenario[]> {
  const { payment, delegation } = walletBodies()
  return [
    {
      title: 'GET /summary',
      endpoint: getSummary,
      event: asked(getSummary),
      nodeAnswer: await recordedAnswer(getSummary),
      warmRequests: 400,
    },
    {
      title: 'POST /broadcast/transaction',
      endpoint: broadcastTransaction,
      event: asked(broadcastTransaction, { body: JSON.stringify(payment) }),
      nodeAnswer: await recordedAnswer(broadcastTransaction, payment),
      warmRequests: 400,
    },
    {
      title: 'POST /broadcast/delegation',
      endpoint: broadcastDelegation,
      event: asked(broadcastDelegation, { body: JSON.stringify(delegation) }),
      nodeAnswer: await recordedAnswer(broadcastDelegation, delegation),
      warmRequests: 400,
    },
    {
      title: 'GET /blocks?limit=10, 100 commands each',
      endpoint: getBlocks,
      event: asked(getBlocks, { query: { limit: '10' } }),
      nodeAnswer: await tenFullBlocks(),
      warmRequests: 60,
    },
  ]
}
