// When an account is believed absent: a reorganisation may take off its first deposit, and the next block has it again.
import { minConfirmations } from './history.ts'
import { ServiceError } from './service-error.ts'

/**
 * To be told of each answer about one account, whether it is there, and of the tip under which the answer says so.
 *
 * @returns true once it is absent under 15 blocks more than when it was first found absent, or last found there. Where an
 *   answer names no tip, no block can be counted: it is believed
 */
type Absence = (isThere: boolean, height: number | undefined) => boolean

export function absenceOf(): Absence {
  let highest = 0
  let since: number | undefined
  return (isThere, height) => {
    if (isThere) {
      since = undefined
      highest = Math.max(highest, height ?? 0)
    }
    if (isThere || height === undefined) return !isThere
    since ??= Math.max(highest, height)
    return height >= since + minConfirmations
  }
}

/** The trouble that a call reports, and survives, while its own account may be absent for the moment only. */
export const absentNow = (details: Pick<ServiceError, 'chain' | 'requestId'>): ServiceError =>
  new ServiceError('the wallet has no account now', {
    ...{ status: 404, code: 'not-found', chain: details.chain, requestId: details.requestId },
  })
