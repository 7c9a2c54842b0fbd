// The code under test: what answers a broadcast.
import type { Answer, Ask, Endpoint } from '../../shared/endpoint.ts'
import { broadcastDelegation } from '../../shared/endpoints/broadcast-delegation.ts'
import { broadcastTransaction } from '../../shared/endpoints/broadcast-transaction.ts'
import { type HistoryCommand, requestBody } from './signed-command.ts'

/** Answers the request to broadcast a command. */
export type Broadcaster = (command: HistoryCommand, ask: Ask) => Promise<Answer>

function answered<Input>(endpoint: Endpoint<Input>, command: HistoryCommand, ask: Ask): Promise<Answer> {
  const request = { path: {}, query: {}, body: requestBody(command) }
  const faults = endpoint.faults?.(request) ?? []
  if (faults.length > 0) throw new Error(`The wallets send malformed requests: ${JSON.stringify(faults)}`)
  return endpoint.run(endpoint.input(request), ask)
}

/** The real endpoints. */
export const service: Broadcaster = (command, ask) =>
  command.kind === 'PAYMENT'
    ? answered(broadcastTransaction, command, ask)
    : answered(broadcastDelegation, command, ask)
