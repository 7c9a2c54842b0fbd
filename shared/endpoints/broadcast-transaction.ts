import { broadcast } from '../broadcast.ts'
import type { TransactionRequest } from '../contract/broadcast.ts'
import type { Endpoint } from '../endpoint.ts'
import { broadcastResultFromNode, nodeCommand } from '../mapping/command.ts'
import {
  commandInput,
  commandVariables,
  signatureInput,
  signedCommandFaults,
  variablesOf,
} from '../mapping/signed-command.ts'
import { called, operation, shape } from '../mapping/wire.ts'

const sendPayment = operation(
  'node',
  'mutation',
  'sendPayment',
  `${commandVariables}, $amount: UInt64!`,
  shape({
    sendPayment: called(
      `sendPayment(input: {${commandInput}, amount: $amount}, ${signatureInput})`,
      shape({ payment: nodeCommand }),
    ),
  }),
)

const failureMessage = 'Error in sending transaction'

/** POST /broadcast/transaction: a signed payment. */
export const broadcastTransaction: Endpoint<TransactionRequest> = {
  name: 'broadcastTransaction',
  method: 'POST',
  path: '/broadcast/transaction',
  tag: 'broadcast',
  summary: 'Broadcast a signed payment',
  operations: [sendPayment],
  failureMessage,

  faults: ({ body }) => signedCommandFaults(body, 'payment'),

  // The precompiled validator has accepted the body as this type.
  input: ({ body }) => body as TransactionRequest,

  run: (request, ask) =>
    broadcast(
      {
        mutation: sendPayment,
        variables: { ...variablesOf(request), amount: request.payload.amount },
        commandOf: (data) => data.sendPayment.payment,
        success: (command) => ({
          message: 'Transaction broadcast sucessfully',
          result: { payment: broadcastResultFromNode(command) },
        }),
        failureMessage,
      },
      ask,
    ),
}
