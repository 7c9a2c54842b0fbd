import { broadcast } from '../broadcast.ts'
import { findCommand } from '../command-search.ts'
import type { TransactionRequest } from '../contract/broadcast.ts'
import type { Endpoint } from '../endpoint.ts'
import { broadcastResultFromNode, nodeCommand } from '../mapping/command.ts'
import {
  commandInput,
  commandVariables,
  type SignedCommand,
  signatureInput,
  signedCommandFaults,
  signedCommandFrom,
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
export const broadcastTransaction: Endpoint<SignedCommand> = {
  name: 'broadcastTransaction',
  method: 'POST',
  path: '/broadcast/transaction',
  tag: 'broadcast',
  summary: 'Broadcast a signed payment',
  operations: [sendPayment, findCommand],
  failureMessage,

  faults: ({ body }) => signedCommandFaults(body, 'payment'),

  // The precompiled validator has accepted the body as this type.
  input: ({ body }) => signedCommandFrom(body as TransactionRequest, 'payment'),

  run: (command, ask) =>
    broadcast(
      {
        kind: 'payment',
        command,
        mutation: sendPayment,
        variables: variablesOf(command),
        commandOf: (data) => data.sendPayment.payment,
        success: (held) => ({
          message: 'Transaction broadcast sucessfully',
          result: { payment: broadcastResultFromNode(held) },
        }),
        failureMessage,
      },
      ask,
    ),
}
