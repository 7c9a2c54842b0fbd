import { broadcast } from '../broadcast.ts'
import type { DelegationRequest } from '../contract/broadcast.ts'
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

const sendDelegation = operation(
  'node',
  'mutation',
  'sendDelegation',
  commandVariables,
  shape({
    sendDelegation: called(
      `sendDelegation(input: {${commandInput}}, ${signatureInput})`,
      shape({ delegation: nodeCommand }),
    ),
  }),
)

const failureMessage = 'Error in sending delegation'

/** POST /broadcast/delegation: a signed stake delegation. */
export const broadcastDelegation: Endpoint<DelegationRequest> = {
  name: 'broadcastDelegation',
  method: 'POST',
  path: '/broadcast/delegation',
  tag: 'broadcast',
  summary: 'Broadcast a signed stake delegation',
  operations: [sendDelegation],
  failureMessage,

  faults: ({ body }) => signedCommandFaults(body, 'delegation'),

  // The precompiled validator has accepted the body as this type.
  input: ({ body }) => body as DelegationRequest,

  run: (request, ask) =>
    broadcast(
      {
        mutation: sendDelegation,
        variables: variablesOf(request),
        commandOf: (data) => data.sendDelegation.delegation,
        success: (command) => ({
          message: 'Delegation broadcast sucessfully',
          result: { delegation: broadcastResultFromNode(command) },
        }),
        failureMessage,
      },
      ask,
    ),
}
