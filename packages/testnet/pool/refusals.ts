// The texts with which a daemon refuses a command.
import type { CommandPayload, Signature } from '../command.ts'
import { encodeMemo } from '../command.ts'
import { nanominaPerMina } from '../ledger/ledger.ts'

/** The lowest fee that a node accepts, in nanomina. */
export const minimumFee = nanominaPerMina / 1000n

/** MINA without trailing zeros, as a daemon writes fees: `0.0101`. */
export function minaText(nanomina: bigint): string {
  const fraction = String(nanomina % nanominaPerMina)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${nanomina / nanominaPerMina}${fraction && `.${fraction}`}`
}

/** The command as the daemon quotes it: fees in MINA, amounts in nanomina. */
function quoted(payload: CommandPayload, { field }: Signature): string {
  const { kind, from, to, amount, fee, nonce, memo, validUntil } = payload
  return JSON.stringify({
    payload: {
      common: {
        fee: minaText(fee),
        fee_payer_pk: from,
        nonce: String(nonce),
        valid_until: String(validUntil),
        memo: encodeMemo(memo),
      },
      body:
        kind === 'PAYMENT'
          ? ['Payment', { receiver_pk: to, amount: String(amount) }]
          : ['Stake_delegation', ['Set_delegate', { new_delegate: to }]],
    },
    signer: from,
    signature: ['Signature', field],
  })
}

const uncreated = (payload: CommandPayload, signature: Signature, why: string): string =>
  `Couldn't send user command: Error creating user command: ${quoted(payload, signature)} Error: ${why}`

/** Why the pool refuses a command that is valid in itself. */
export type PoolRefusal =
  | 'After_slot_tx_end'
  | 'Expired'
  | 'Insufficient_funds'
  | 'Insufficient_replace_fee'
  | 'Overflow'

export const refusals = {
  unknownSender:
    "Couldn't infer nonce for transaction from specified `sender` since `sender` is not in the ledger or sent a " +
    'transaction in transaction pool.',
  noSignature:
    "Couldn't find an unlocked key for specified `sender`. Did you unlock the account you're making a transaction from?",
  incompleteSignature: 'Either field+scalar or rawSignature must by non-null',
  rawSignature: 'rawSignature decoding error',
  memo: 'Invalid `memo` provided.',
  fee: (fee: bigint): string =>
    `Invalid user command. Fee ${minaText(fee)} is less than the minimum fee, ${minaText(minimumFee)}.`,
  nonce: (payload: CommandPayload, signature: Signature, inferred: number, minimum: number): string =>
    uncreated(
      payload,
      signature,
      `Input nonce ${payload.nonce} either different from inferred nonce ${inferred} or below minimum_nonce ${minimum}`,
    ),
  signature: (payload: CommandPayload, signature: Signature): string =>
    uncreated(payload, signature, 'Invalid_signature'),
  pool: (why: PoolRefusal): string => `Couldn't send user command: ["${why}"]`,
}
