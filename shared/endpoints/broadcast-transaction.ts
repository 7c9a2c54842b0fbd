import type { broadcastTransactionContract } from '../contract/endpoints/broadcast-transaction.ts'
import { isHeartbeatPayment } from '../deployment/broadcast-heartbeat.ts'
import { nodeCommand } from '../mapping/command.ts'
import { commandVariables, isSameCommand, type SignedCommand } from '../mapping/signed-command.ts'
import { operation } from '../upstream/operation.ts'
import { called, shape } from '../upstream/wire.ts'
import { broadcastEndpoint, sendArguments } from './broadcast-endpoint.ts'
import type { Endpoint } from './endpoint.ts'

const sendPayment = operation(
  'node',
  'mutation',
  'sendPayment',
  `${commandVariables}, $amount: UInt64!`,
  shape({
    sendPayment: called(
      `sendPayment(${sendArguments(', amount: $amount')})`,
      shape({ payment: nodeCommand }),
      ({ payment }, signed) => isSameCommand(payment, signed, 'payment'),
    ),
  }),
)

/** POST /broadcast/transaction: a signed payment. */
export const broadcastTransaction: Endpoint<typeof broadcastTransactionContract, SignedCommand> = broadcastEndpoint({
  name: 'broadcastTransaction',
  kind: 'payment',
  path: '/broadcast/transaction',
  summary: 'Broadcast a signed payment',
  isHeartbeat: isHeartbeatPayment,
  mutation: sendPayment,
  commandOf: (data) => data.sendPayment.payment,
  success: (payment) => ({ message: 'Transaction broadcast sucessfully', result: { payment } }),
  failureMessage: 'Error in sending transaction',
})
