// The executions of an account, which its functions share.
import { endpoints } from '../../shared/endpoints/all.ts'

/** AWS refuses a reservation that would leave less of the account to all other functions. */
export const minUnreserved = 100

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

/** The executions that can be reserved for each GET function: an equal share of what the account leaves, `maxReads` at most. */
export const readsWithin = ({ accountConcurrency, broadcasts, maxReads }: Shares, counts = functionCounts): number => {
  const left = accountConcurrency - minUnreserved - counts.broadcasts * broadcasts
  return Math.min(maxReads, Math.floor(left / counts.reads))
}
