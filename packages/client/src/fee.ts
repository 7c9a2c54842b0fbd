// What to pay for a command: what the service suggests, within what the caller allows.
import type { CallOptions, Reads } from './reads.ts'
import type { SuggestedFees } from './schema.ts'
import { ServiceError } from './service-error.ts'

export interface FeeOptions extends CallOptions {
  /** Default `normal`. */
  readonly speed?: keyof SuggestedFees | undefined
  /** Nanomina; 100,000,000 by default, which is 0.1 MINA. */
  readonly maxFee?: bigint | undefined
}

/** A hundred times the network's minimum. */
const defaultMaxFee = 100_000_000n

/**
 * @returns nanomina: the suggested fee, or `maxFee` if that is less
 * @throws ServiceError for an answer without such a fee too
 */
export async function suggestedFee(
  readFees: Reads['fees'],
  { speed = 'normal', maxFee = defaultMaxFee, ...call }: FeeOptions = {},
): Promise<bigint> {
  const { suggested } = (await readFees(call)).value
  const fee = Object(suggested)[speed]
  // A signer may write a negative fee as a huge one.
  if (!(fee >= 0n)) throw new ServiceError('the answer cannot be read', { status: 200 })
  return fee < maxFee ? fee : maxFee
}
