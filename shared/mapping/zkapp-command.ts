// A zkApp command as a node reports it. It is neither a payment nor a delegation, so only what identifies it is read.
import { count, hash, listOf, nullable, shape, shortText, text, type Wire } from '../upstream/wire.ts'

const payer = { zkappCommand: shape({ feePayer: shape({ body: shape({ nonce: count, publicKey: shortText }) }) }) }

/** By whom it is paid, with which nonce. */
export const paidZkapp = shape(payer)

export const zkappCommand = shape({
  failureReason: nullable(listOf(nullable(shape({ failures: listOf(text) })))),
  hash,
  ...payer,
})

type ZkappCommand = Wire<typeof zkappCommand>

/** @returns the failures of all its account updates as one text, each named once; null for a command that was applied */
export function failureOfZkapp({ failureReason }: ZkappCommand): string | null {
  const failures = (failureReason ?? []).flatMap((update) => update?.failures ?? [])
  return failures.length === 0 ? null : [...new Set(failures)].join(', ')
}
