// Reads the body of a broadcast, in any accepted shape, into a command of one form.
import type { AnySignature } from '../contract/signature.ts'
import type { FilledTerm, WalletBody } from '../contract/wallet-body.ts'
import type { EndpointSettings } from '../deployment/stage-settings.ts'
import { type CommandKind, mayBeDamaged, type SignedCommand } from '../mapping/signed-command.ts'
import { bodyFaults } from './body-faults.ts'
import type { BodyReading } from './body-reading.ts'
import { defaultTerms, digitsOf, nameOf, pathOf, placeOf, readBody } from './body-shape.ts'
import { isRaw, readingsIn } from './signature.ts'

/**
 * Reads the body of a broadcast.
 *
 * @param given of any shape
 */
export function readWalletBody(
  given: unknown,
  kind: CommandKind,
  { lenientPayload }: Pick<EndpointSettings, 'lenientPayload'>,
): BodyReading {
  const read = readBody(given, kind, lenientPayload)
  if ('faults' in read) return { faults: read.faults, placeOf: (at) => at }
  const faults = bodyFaults(read, kind).map(({ at, problem }) => ({ at: placeOf(read, at), problem }))
  return { body: read.body, faults, placeOf: (at) => placeOf(read, at) }
}

const damagedMemo =
  'The memo holds U+FFFD, which stands for bytes that were not UTF-8: if it was not signed, send the same signed command in UTF-8.'

/** The value that known signers sign when the sender leaves out a term. */
function signedFor({
  term,
  given,
  isRosetta,
}: FilledTerm): { readonly by: string; readonly value: string } | undefined {
  if (term === 'memo' && given === 'null' && !isRosetta) {
    return { by: 'mina-signer 2 to 4 sign the word null', value: 'null' }
  }
  return term === 'validUntil' && isRosetta ? { by: 'rosetta-sdk-go signs 0', value: '0' } : undefined
}

function sentenceOn(filled: FilledTerm): string {
  const { term, name, given } = filled
  const readAs = `\`${name}\` was ${given} and read as ${defaultTerms[term] || 'empty'}`
  const known = signedFor(filled)
  return known === undefined
    ? `${readAs}: send the value that was signed.`
    : `${readAs}: ${known.by} for it; send \`"${name}": "${known.value}"\` with this signature.`
}

/** Advice for a sender whose signature turns out to be wrong. */
function sentencesFor(
  signature: AnySignature,
  readings: number,
  amount: unknown,
  kind: CommandKind,
): readonly string[] {
  const other = kind === 'payment' ? 'delegation' : 'payment'
  const digits = digitsOf(amount)
  const isOtherKind = kind === 'payment' ? digits === '0' : digits !== ''
  return [
    ...(isRaw(signature) && readings === 1
      ? ['The raw signature was tried in both byte orders; in one of them it has a half that is not below its modulus.']
      : []),
    ...(isRaw(signature) && readings === 2 ? ['The raw signature was tried in both byte orders.'] : []),
    ...(isOtherKind ? [`If ${nameOf[other]} was signed, send it to ${pathOf[other]}.`] : []),
  ]
}

/**
 * The command of a body that `readWalletBody` and the schema have accepted.
 *
 * @param kind a delegation's `amount` is ignored
 */
export function signedCommandFrom(body: WalletBody, kind: CommandKind): SignedCommand {
  const signed = 'payload' in body ? body.payload : body.data
  const readings = readingsIn(body.signature)
  const [signature, otherSignature] = readings
  if (signature === undefined) throw new TypeError('a raw signature without a reading')
  const amount = 'amount' in signed ? signed.amount : undefined
  return {
    from: signed.from,
    to: signed.to,
    fee: String(signed.fee),
    ...(kind === 'payment' && { amount: String(amount) }),
    nonce: String(signed.nonce),
    memo: signed.memo,
    validUntil: String(signed.validUntil),
    signature,
    ...(otherSignature && { otherSignature }),
    ifInvalid: [
      ...sentencesFor(body.signature, readings.length, amount, kind),
      ...('data' in body ? body.filled.map(sentenceOn) : []),
      ...(mayBeDamaged(signed.memo) ? [damagedMemo] : []),
    ],
  }
}
