// The part that both broadcast endpoints share, for payments and for stake delegations.
import { answerOf } from '../broadcast/answers.ts'
import { readWalletBody, signedCommandFrom } from '../broadcast/wallet-body.ts'
import { networkNameQuery, signatureKindQuery } from '../chain/actions/network-name.ts'
import { findCommandQuery } from '../chain/broadcast/pool-check.ts'
import { sendCommand } from '../chain/broadcast/send-command.ts'
import type { BroadcastView } from '../chain/port.ts'
import type { EndpointContract, SuccessBody } from '../contract/endpoint-contract.ts'
import type { WalletBody } from '../contract/wallet-body.ts'
import type { EndpointSettings } from '../deployment/stage-settings.ts'
import { broadcastResultFromNode, type NodeCommand } from '../mapping/command.ts'
import type { Exact } from '../mapping/exact-json.ts'
import {
  type CommandKind,
  commandInput,
  type SignedCommand,
  signatureInput,
  variablesInEachOrder,
} from '../mapping/signed-command.ts'
import type { Operation } from '../upstream/operation.ts'
import type { Endpoint } from './endpoint.ts'

type OwnParts = 'name' | 'path' | 'summary' | 'acceptsXml' | 'isHeartbeat'

interface Broadcast<Contract extends EndpointContract, Data> extends Pick<Endpoint<Contract>, OwnParts> {
  readonly kind: CommandKind
  readonly mutation: Operation<Data>
  /** The command in the mutation's answer. */
  readonly commandOf: (data: Data) => NodeCommand
  /** The body of a 201. */
  readonly success: (command: ReturnType<typeof broadcastResultFromNode>) => Exact<SuccessBody<Contract>>
  readonly failureMessage: string
}

/** The arguments of a mutation that sends a command; those of a payment have an amount. */
export const sendArguments = (amount = ''): string => `input: {${commandInput}${amount}}, ${signatureInput}`

export const broadcastEndpoint = <Contract extends EndpointContract, Data>({
  kind,
  mutation,
  commandOf,
  success,
  ...own
}: Broadcast<Contract, Data>): Endpoint<Contract, SignedCommand> => ({
  ...own,
  method: 'POST',
  tag: 'broadcast',
  caching: {},
  operations: [mutation, findCommandQuery, networkNameQuery, signatureKindQuery],

  readBody: (given, settings: Pick<EndpointSettings, 'lenientPayload'>) => readWalletBody(given, kind, settings),

  // The precompiled validator has accepted the body as one of these shapes.
  input: ({ body }) => signedCommandFrom(body as WalletBody, kind),

  async run(command, chain: BroadcastView) {
    const outcome = await sendCommand(chain, { kind, command, mutation, ...variablesInEachOrder(command), commandOf })
    const { failureMessage } = own
    return answerOf(outcome, command, { success: (held) => success(broadcastResultFromNode(held)), failureMessage })
  },
})
