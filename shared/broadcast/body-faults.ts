// The faults of a signed command that a schema cannot express, with advice on those that wallets run into.
import { isPublicKey } from '../mapping/base58check.ts'
import { maxMemoBytes } from '../mapping/command.ts'
import { isObject, memberOf } from '../mapping/exact-json.ts'
import type { CommandKind } from '../mapping/signed-command.ts'
import type { RequestFault } from '../upstream/errors.ts'
import { defaultTerms, nameOf, pathOf, placeOf, type ReadBody } from './body-shape.ts'
import { signatureFaults } from './signature.ts'

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
const memo = {
  holds: (memo: string) => memo.isWellFormed() && new TextEncoder().encode(memo).length <= maxMemoBytes,
  problem: `must be well-formed text of at most ${maxMemoBytes} bytes in UTF-8`,
}
type TextRule = typeof memo

/** The rules for the texts of the signed part. */
const signedTexts = (kind: CommandKind): Readonly<Record<string, TextRule>> => ({
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
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typeof item === 'number' ? `${item}` : item]))
    : value

const faultsIn = (holder: unknown, at: string, rules: Readonly<Record<string, TextRule>>): readonly RequestFault[] =>
  Object.entries(rules).flatMap(([key, { holds, problem }]) => {
    const text = nonEmptyText(memberOf(holder, key))
    return text === undefined || holds(text) ? [] : [{ at: `${at}/${key}`, problem }]
  })

/** The expected shape, for the error text. */
function shapeWanted(kind: CommandKind): string {
  const amount = kind === 'payment' ? '"amount":"…",' : ''
  const signed = `{"to":"B62…","from":"B62…","fee":"…",${amount}"nonce":"…","memo":"…","validUntil":"…"}`
  return (
    `must be {"publicKey":"B62…","signature":{"field":"…","scalar":"…"},"payload":${signed}}, ` +
    'or the {"signature":…,"publicKey":…,"data":…} that mina-signer gives, ' +
    `or the {"signature":…,"${kind === 'payment' ? 'payment' : 'stake_delegation'}":…} of Rosetta`
  )
}

const underData = 'put the command under data in place of payload, which takes'

/** Faults of a payload that `data` would not have. */
const faultsOfPayloadAlone = (payload: unknown): readonly RequestFault[] => [
  ...['fee', 'amount', 'nonce', 'validUntil']
    .filter((key) => typeof memberOf(payload, key) === 'number')
    .map((key) => ({
      at: `/payload/${key}`,
      problem: `must be a string: quote the digits, or ${underData} numbers`,
    })),
  ...(memberOf(payload, 'memo') === ''
    ? [{ at: '/payload/memo', problem: `must not be empty: ${underData} an empty memo` }]
    : []),
  ...Object.entries(defaultTerms)
    .filter(([key]) => !has(payload, key))
    .map(([key, value]) => ({
      at: `/payload/${key}`,
      problem: `is missing: give the value that was signed, or ${underData} "${value}" for it`,
    })),
]

/**
 * The faults of a body that a schema cannot express, or cannot advise on. Only the node verifies the signature.
 *
 * @param kind a delegation's `amount` is an unknown key like any other, and ignored
 * @returns every fault
 */
export function bodyFaults(read: ReadBody, kind: CommandKind): readonly RequestFault[] {
  const { body, readAs } = read
  const given = memberOf(body, readAs.slice(1))
  const isSigners = readAs === '/data'
  const signed = isSigners ? withDigits(given) : given
  const isEitherKind = kind === 'payment' && !read.isRosetta && has(signed, 'to')
  const faults = [
    ...faultsIn(body, '', { publicKey }),
    ...signatureFaults(memberOf(body, 'signature')),
    ...faultsIn(signed, readAs, signedTexts(kind)),
    ...(isEitherKind && !has(signed, 'amount')
      ? [{ at: `${readAs}/amount`, problem: `is missing: ${nameOf.delegation} goes to ${pathOf.delegation}` }]
      : []),
    ...(isObject(given) && !isSigners ? faultsOfPayloadAlone(given) : []),
    ...(given === undefined ? [{ at: 'body', problem: shapeWanted(kind) }] : []),
  ]

  const sender = memberOf(signed, 'from')
  const signers = {
    '/publicKey': memberOf(body, 'publicKey'),
    ...(isSigners && { '/signature/signer': memberOf(memberOf(body, 'signature'), 'signer') }),
  }
  for (const [at, signer] of Object.entries(signers)) {
    if (signer !== undefined && nonEmptyText(sender) !== undefined && signer !== sender) {
      faults.push({ at, problem: `must be the same as ${placeOf(read, `${readAs}/from`)}` })
    }
  }
  return faults
}
