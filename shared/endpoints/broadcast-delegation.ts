import type { broadcastDelegationContract } from '../contract/endpoints/broadcast-delegation.ts'
import { nodeCommand } from '../mapping/command.ts'
import { commandVariables, isSameCommand, type SignedCommand } from '../mapping/signed-command.ts'
import { operation } from '../upstream/operation.ts'
import { called, shape } from '../upstream/wire.ts'
import { broadcastEndpoint, sendArguments } from './broadcast-endpoint.ts'
import type { Endpoint } from './endpoint.ts'

const sendDelegation = operation(
  'node',
  'mutation',
  'sendDelegation',
  commandVariables,
  shape({
    sendDelegation: called(
      `sendDelegation(${sendArguments()})`,
      shape({ delegation: nodeCommand }),
      ({ delegation }, signed) => isSameCommand(delegation, signed, 'delegation'),
    ),
  }),
)

/** POST /broadcast/delegation: a signed stake delegation. */
export const broadcastDelegation: Endpoint<typeof broadcastDelegationContract, SignedCommand> = broadcastEndpoint({
  name: 'broadcastDelegation',
  kind: 'delegation',
  path: '/broadcast/delegation',
  summary: 'Broadcast a signed stake delegation',
  acceptsXml: true,
  mutation: sendDelegation,
  commandOf: (data) => data.sendDelegation.delegation,
  success: (delegation) => ({ message: 'Delegation broadcast sucessfully', result: { delegation } }),
  failureMessage: 'Error in sending delegation',
})
