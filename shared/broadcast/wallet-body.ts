// A signed command as a wallet sends it, in any accepted shape: what a schema cannot check, and its one form.
import type { AnySignature, WalletBody } from '../contract/wallet-body.ts'
import { isPublicKey } from '../mapping/base58check.ts'
import { maxMemoBytes } from '../mapping/command.ts'
import { memberOf } from '../mapping/json.ts'
import type { RequestFault } from '../upstream/errors.ts'
import type { SignedCommand } from './signed-command.ts'

type Kind = 'payment' | 'delegation'

const canonicalUnsigned = (bits: bigint) => (digits: string) =>
  /^(?:0|[1-9]\d{0,19})$/.test(digits) && BigInt(digits) < 1n << bits

const publicKey = { holds: isPublicKey, problem: 'must be a public key (B62…, 55 characters, with a right checksum)' }
const uint64 = {
  holds: canonicalUnsigned(64n),
  problem: 'must be a whole number from 0 to 18446744073709551615 without sign or leading zeros',
}
const uint32 = {
  holds: canonicalUnsigned(32n),
  problem: 'must be a whole number from 0 to 4294967295 without sign or leading zeros',
}
/** Some daemons crash on other text, or on more digits than a field element has. */
const fieldElement = {
  holds: (digits: string) => /^\d{1,78}$/.test(digits),
  problem: 'must be decimal digits, at most 78',
}
const memo = {
  holds: (memo: string) => memo.isWellFormed() && new TextEncoder().encode(memo).length <= maxMemoBytes,
  problem: `must be well-formed text of at most ${maxMemoBytes} bytes in UTF-8`,
}
const hexadecimal = {
  holds: (digits: string) => /^[0-9A-Fa-f]{128}$/.test(digits),
  problem: 'must be 128 hexadecimal digits',
}
const objectOrHexadecimal = {
  ...hexadecimal,
  problem: `must be an object with field and scalar, or 128 hexadecimal digits`,
}

type TextRule = typeof memo

/** The rules for the texts of the signed part. */
const signedTexts = (kind: Kind): Readonly<Record<string, TextRule>> => ({
  to: publicKey,
  from: publicKey,
  fee: uint64,
  ...(kind === 'payment' && { amount: uint64 }),
  nonce: uint32,
  memo,
  validUntil: uint32,
})

const has = (value: unknown, key: string): boolean => memberOf(value, key) !== undefined

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** An object with its numbers as text. Where only text is accepted, the schema has refused the numbers. */
const withDigits = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typeof item === 'number' ? `${item}` : item]))
    : value

const faultsIn = (holder: unknown, at: string, rules: Readonly<Record<string, TextRule>>): readonly RequestFault[] =>
  Object.entries(rules).flatMap(([key, { holds, problem }]) => {
    const text = nonEmptyText(memberOf(holder, key))
    return text === undefined || holds(text) ? [] : [{ at: `${at}/${key}`, problem }]
  })

function signatureFaults(body: unknown): readonly RequestFault[] {
  const signature = memberOf(body, 'signature')
  if (typeof signature === 'string') return faultsIn(body, '', { signature: objectOrHexadecimal })
  const isRaw = has(signature, 'rawSignature') && !has(signature, 'field') && !has(signature, 'scalar')
  return faultsIn(
    signature,
    '/signature',
    isRaw ? { rawSignature: hexadecimal } : { field: fieldElement, scalar: fieldElement },
  )
}

/** The expected shape, for the error text. */
function shapeWanted(kind: Kind): string {
  const amount = kind === 'payment' ? '"amount":"…",' : ''
  const signed = `{"to":"B62…","from":"B62…","fee":"…",${amount}"nonce":"…","memo":"…","validUntil":"…"}`
  return (
    `must be {"publicKey":"B62…","signature":{"field":"…","scalar":"…"},"payload":${signed}}, ` +
    'or the {"signature":…,"publicKey":…,"data":…} that mina-signer gives'
  )
}

/**
 * The faults of a body that a schema cannot express. Looks only at texts that are there: the schema names missing ones.
 * The signature itself is left to the node.
 *
 * @param body of any shape
 * @param kind a delegation's `amount` is an unknown key like any other, and ignored
 * @returns every fault
 */
export function walletBodyFaults(body: unknown, kind: Kind): readonly RequestFault[] {
  const isSigners = has(body, 'data') && !has(body, 'payload')
  const part = isSigners ? '/data' : '/payload'
  const signed = isSigners ? withDigits(memberOf(body, 'data')) : memberOf(body, 'payload')
  const faults = [
    ...faultsIn(body, '', { publicKey }),
    ...signatureFaults(body),
    ...faultsIn(signed, part, signedTexts(kind)),
  ]
  if (has(body, 'data') && has(body, 'payload')) faults.push({ at: '/data', problem: 'must not stand beside /payload' })
  if (!has(body, 'data') && !has(body, 'payload')) faults.push({ at: 'body', problem: shapeWanted(kind) })

  const sender = memberOf(signed, 'from')
  const signers = {
    '/publicKey': memberOf(body, 'publicKey'),
    ...(isSigners && { '/signature/signer': memberOf(memberOf(body, 'signature'), 'signer') }),
  }
  for (const [at, signer] of Object.entries(signers)) {
    if (signer !== undefined && nonEmptyText(sender) !== undefined && signer !== sender) {
      faults.push({ at, problem: `must be the same as ${part}/from` })
    }
  }
  return faults
}

function signatureFrom(signature: AnySignature): SignedCommand['signature'] {
  if (typeof signature === 'string') return { rawSignature: signature }
  if ('field' in signature) return { field: signature.field, scalar: signature.scalar }
  return { rawSignature: signature.rawSignature }
}

/**
 * The command of a body that its schema and `walletBodyFaults` have accepted.
 *
 * @param kind a delegation's `amount` is ignored
 */
export function signedCommandFrom(body: WalletBody, kind: Kind): SignedCommand {
  const signed = 'payload' in body ? body.payload : body.data
  const command = {
    from: signed.from,
    to: signed.to,
    fee: String(signed.fee),
    nonce: String(signed.nonce),
    memo: signed.memo,
    validUntil: String(signed.validUntil),
    signature: signatureFrom(body.signature),
  }
  return kind === 'payment' && 'amount' in signed ? { ...command, amount: String(signed.amount) } : command
}
