// The answers to a broadcast: the contract's bodies, and the outcome for machines in headers.
import type { BroadcastOutcome } from '../chain/broadcast/submission.ts'
import { type BroadcastCode, broadcastCodes } from '../contract/broadcast-codes.ts'
import type { Answer } from '../http/answer.ts'
import type { NodeCommand } from '../mapping/command.ts'
import type { Exact } from '../mapping/exact-json.ts'
import { mayBeDamaged, type SignedCommand } from '../mapping/signed-command.ts'

/** The contract's texts of one kind of command. */
interface Texts<Body> {
  /** The body of a 201. */
  readonly success: (command: NodeCommand) => Exact<Body>
  /** The fixed text of a 400. */
  readonly failureMessage: string
}

const unknownOutcome =
  'The outcome is unknown: the command may have been accepted. Sending the same signed command again is safe.'

const nothingTaken =
  'The outcome is unknown: no node took anything from this request, but one may hold the command from an earlier one. Sending the same signed command again is safe.'

const usedNonce =
  'The outcome is unknown: this nonce is used, by this command or by another. Look the command up before signing a new one.'

/** Advice to the sender after an unknown outcome. */
function adviceOn({ nonceIsUsed, wasSent }: Extract<BroadcastOutcome, { readonly state: 'unknown' }>): string {
  if (nonceIsUsed) return usedNonce
  return wasSent ? unknownOutcome : nothingTaken
}

const ofDevnet =
  'mina-signer takes the name devnet from version 3.1.0 on: older ones refuse it, and 3.0.5 and 3.0.7 sign for another network without a warning.'

/** Facts about a signature that a node found wrong. The name to sign for need not be the name of the network. */
const adviceOnSignature = ({ networkName, signsFor }: BroadcastOutcome, { ifInvalid }: SignedCommand) => [
  ...(networkName === undefined ? [] : [`The network of this node is ${networkName}.`]),
  ...(signsFor === undefined ? [] : [`Commands for it are signed for ${signsFor}.`]),
  ...(networkName === 'mina:devnet' ? [ofDevnet] : []),
  ...ifInvalid,
]

/** A wrong signature is not permanent if the memo may be damaged: sent in UTF-8, the command may be valid. */
const codeShown = (code: BroadcastCode, { memo }: SignedCommand): BroadcastCode =>
  code === 'invalid-signature' && mayBeDamaged(memo) ? 'memo-damaged' : code

/** 201 with the command as a node holds it; 400 with a node's reason for the refusal, or for an unknown outcome. */
export function answerOf<Body>(
  result: BroadcastOutcome,
  command: SignedCommand,
  { success, failureMessage }: Texts<Body>,
): Answer<Body> {
  const { nodes, note } = result
  const nodesHeader = nodes && { 'x-broadcast-nodes': `${nodes.holding}/${nodes.asked}` }
  if (result.state === 'sent') {
    const { command: held, outcome } = result
    const headers = { 'x-broadcast-outcome': outcome, 'x-transaction-hash': held.hash, ...nodesHeader }
    return { status: 201, body: success(held), headers }
  }
  const { state, error, nonces, nonceIsUsed } = result
  const code = codeShown(result.code, command)
  const canRepeat = !nonceIsUsed && (state === 'unknown' || broadcastCodes[code] === 'retriable')
  const advice =
    state === 'unknown'
      ? [adviceOn(result)]
      : result.code === 'invalid-signature'
        ? adviceOnSignature(result, command)
        : []
  return {
    status: 400,
    body: { message: failureMessage, error: [error, ...advice].join(' ') },
    headers: {
      'x-broadcast-outcome': state,
      'x-broadcast-code': code,
      'x-broadcast-retriable': String(canRepeat),
      ...(nonces && { 'x-expected-nonce': String(nonces.inferred) }),
      ...nodesHeader,
    },
    ...(note !== undefined && { note }),
  }
}
