// The executions of an account, which its functions share.
import { minUnreserved } from '../../shared/deployment/settings.ts'
import { endpoints } from '../../shared/endpoints/all.ts'

const functionsOf = (method: 'GET' | 'POST'): number =>
  endpoints.filter((endpoint) => endpoint.method === method).length

/** The functions of each kind. That of the docs page only answers GET. */
export const functionCounts = { reads: functionsOf('GET') + 1, broadcasts: functionsOf('POST') }

interface Shares {
  readonly accountConcurrency: number
  /** Reserved for each broadcast function. */
  readonly broadcasts: number
  readonly maxReads: number
}

/**
 * The executions to reserve for each GET function: an equal share of what the account leaves, `maxReads` at most. One share stays
 * free: CloudFormation adds and raises before it deletes, so that a release with an endpoint more, and the way back from it,
 * needs room beside this one.
 */
export const readsWithin = ({ accountConcurrency, broadcasts, maxReads }: Shares, counts = functionCounts): number => {
  const left = accountConcurrency - minUnreserved - counts.broadcasts * broadcasts
  return Math.min(maxReads, Math.floor(left / (counts.reads + 1)))
}
