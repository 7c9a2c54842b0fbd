import { answerOf } from '../broadcast/answers.ts'
import { readWalletBody, signedCommandFrom } from '../broadcast/wallet-body.ts'
import { networkNameQuery, signatureKindQuery } from '../chain/actions/network-name.ts'
import { findCommandQuery } from '../chain/broadcast/pool-check.ts'
import { sendCommand } from '../chain/broadcast/send-command.ts'
import type { BroadcastView } from '../chain/port.ts'
import type { broadcastDelegationContract } from '../contract/endpoints/broadcast-delegation.ts'
import type { WalletBody } from '../contract/wallet-body.ts'
import { broadcastResultFromNode, nodeCommand } from '../mapping/command.ts'
import {
  commandInput,
  commandVariables,
  isSameCommand,
  type SignedCommand,
  signatureInput,
  variablesInEachOrder,
} from '../mapping/signed-command.ts'
import { operation } from '../upstream/operation.ts'
import { called, shape } from '../upstream/wire.ts'
import type { Endpoint } from './endpoint.ts'

const sendDelegation = operation(
  'node',
  'mutation',
  'sendDelegation',
  commandVariables,
  shape({
    sendDelegation: called(
      `sendDelegation(input: {${commandInput}}, ${signatureInput})`,
      shape({ delegation: nodeCommand }),
      ({ delegation }, signed) => isSameCommand(delegation, signed, 'delegation'),
    ),
  }),
)

const failureMessage = 'Error in sending delegation'

/** POST /broadcast/delegation: a signed stake delegation. */
export const broadcastDelegation: Endpoint<typeof broadcastDelegationContract, SignedCommand> = {
  name: 'broadcastDelegation',
  method: 'POST',
  path: '/broadcast/delegation',
  tag: 'broadcast',
  summary: 'Broadcast a signed stake delegation',
  caching: {},
  operations: [sendDelegation, findCommandQuery, networkNameQuery, signatureKindQuery],
  failureMessage,
  acceptsXml: true,

  readBody: (given, options) => readWalletBody(given, 'delegation', options),

  // The precompiled validator has accepted the body as one of these shapes.
  input: ({ body }) => signedCommandFrom(body as WalletBody, 'delegation'),

  async run(command, chain: BroadcastView) {
    const outcome = await sendCommand(chain, {
      kind: 'delegation',
      command,
      mutation: sendDelegation,
      ...variablesInEachOrder(command),
      commandOf: (data) => data.sendDelegation.delegation,
    })
    return answerOf(outcome, command, {
      success: (held) => ({
        message: 'Delegation broadcast sucessfully',
        result: { delegation: broadcastResultFromNode(held) },
      }),
      failureMessage,
    })
  },
}
