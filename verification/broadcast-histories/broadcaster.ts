// The code under test: what answers a broadcast.
import type { EndpointContract } from '../../shared/contract/endpoint-contract.ts'
import { broadcastDelegation } from '../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../shared/endpoints/broadcast-transaction.ts'
import type { Answer, Endpoint } from '../../shared/endpoints/endpoint.ts'
import type { EndpointContext } from '../../shared/upstream/query.ts'
import { type HistoryCommand, requestBody } from './signed-command.ts'

/** Answers the request to broadcast a command. */
export type Broadcaster = (command: HistoryCommand, context: EndpointContext) => Promise<Answer>

function answered<Contract extends EndpointContract, Input>(
  endpoint: Endpoint<Contract, Input>,
  command: HistoryCommand,
  context: EndpointContext,
): Promise<Answer> {
  const request = { path: {}, query: {}, body: requestBody(command) }
  const faults = endpoint.faults?.(request) ?? []
  if (faults.length > 0) throw new Error(`The wallets send malformed requests: ${JSON.stringify(faults)}`)
  return endpoint.run(endpoint.input(request), context)
}

/** The real endpoints. */
export const service: Broadcaster = (command, context) =>
  command.kind === 'PAYMENT'
    ? answered(broadcastTransaction, command, context)
    : answered(broadcastDelegation, command, context)
