// Hashes and keys as the edge admits them, by a label that shows in them. Their checksums are wrong, which no edge sees.
import { type Base58Form, publicKeyForm, stateHashForm, transactionHashForm } from '../../shared/contract/forms.ts'

/** Fills up the form; no label has it. */
const filler = 'x'

/** A zero is not in the alphabet. */
const idOf = ({ length, prefix }: Base58Form, label: string): string =>
  prefix + label.replaceAll('0', 'o').padStart(length - prefix.length, filler)

/** @param label letters and digits of the alphabet, but for `x` and `o` */
export const blockPath = (label: string): string => `/blocks/${idOf(stateHashForm, label)}`

/** @param label letters and digits of the alphabet, but for `x` and `o` */
export const accountPath = (label: string): string => `/accounts/${idOf(publicKeyForm, label)}`

/** @param label letters and digits of the alphabet, but for `x` and `o` */
export const transactionPath = (label: string): string => `/transactions/${idOf(transactionHashForm, label)}`

export const heightPath = (height: number): string => `/blocks/height/${height}`

/** Of `heightPath`, undefined for any other path. */
export const heightIn = (path: string): number | undefined => {
  const digits = /^\/blocks\/height\/(\d+)$/.exec(path)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Higher than the chain of the model ever is. */
export const unreachedHeight = 1_000_000

/** The label in a path. */
export const labelOf = (path: string): string => path.slice(path.lastIndexOf(filler) + 1).replaceAll('o', '0')
/** Begins the label of a block that only the indexer has; one of the frontier has its height. */
export const finalLabel = 'f'

/** Begins the label of a block or an account that nobody has. */
export const unknownLabel = 'u'
