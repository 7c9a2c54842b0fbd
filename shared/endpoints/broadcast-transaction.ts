import { answerOf } from '../broadcast/answers.ts'
import { readWalletBody, signedCommandFrom } from '../broadcast/wallet-body.ts'
import { networkNameQuery, signatureKindQuery } from '../chain/actions/network-name.ts'
import { findCommandQuery } from '../chain/broadcast/pool-check.ts'
import { sendCommand } from '../chain/broadcast/send-command.ts'
import type { BroadcastView } from '../chain/port.ts'
import type { broadcastTransactionContract } from '../contract/endpoints/broadcast-transaction.ts'
import type { WalletBody } from '../contract/wallet-body.ts'
import { isHeartbeatPayment } from '../deployment/broadcast-heartbeat.ts'
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

const sendPayment = operation(
  'node',
  'mutation',
  'sendPayment',
  `${commandVariables}, $amount: UInt64!`,
  shape({
    sendPayment: called(
      `sendPayment(input: {${commandInput}, amount: $amount}, ${signatureInput})`,
      shape({ payment: nodeCommand }),
      ({ payment }, signed) => isSameCommand(payment, signed, 'payment'),
    ),
  }),
)

const failureMessage = 'Error in sending transaction'

/** POST /broadcast/transaction: a signed payment. */
export const broadcastTransaction: Endpoint<typeof broadcastTransactionContract, SignedCommand> = {
  name: 'broadcastTransaction',
  method: 'POST',
  path: '/broadcast/transaction',
  tag: 'broadcast',
  summary: 'Broadcast a signed payment',
  caching: {},
  operations: [sendPayment, findCommandQuery, networkNameQuery, signatureKindQuery],
  failureMessage,
  isHeartbeat: isHeartbeatPayment,

  readBody: (given, options) => readWalletBody(given, 'payment', options),

  // The precompiled validator has accepted the body as one of these shapes.
  input: ({ body }) => signedCommandFrom(body as WalletBody, 'payment'),

  async run(command, chain: BroadcastView) {
    const outcome = await sendCommand(chain, {
      kind: 'payment',
      command,
      mutation: sendPayment,
      ...variablesInEachOrder(command),
      commandOf: (data) => data.sendPayment.payment,
    })
    return answerOf(outcome, command, {
      success: (held) => ({
        message: 'Transaction broadcast sucessfully',
        result: { payment: broadcastResultFromNode(held) },
      }),
      failureMessage,
    })
  },
}
