// Asks the node for something that every node has, so that "not found" is an error.
import { WireError } from '../../upstream/errors.ts'
import type { Operation } from '../../upstream/operation.ts'
import type { Variables } from '../../upstream/wire.ts'
import type { Answered } from '../outcome.ts'
import type { ChainView } from '../port.ts'

/** @throws WireError `unreadable` for a thing that the node says it does not have */
export function requireFound<Data>(
  { name }: Operation,
  { data, ...answered }: Answered<Data | undefined>,
): Answered<Data> {
  if (data === undefined) throw new WireError('unreadable', `${name}: not found`)
  return { ...answered, data }
}

/** @throws WireError when no answer fits, and `unreadable` for a thing that the node says it does not have */
export async function ask<Data>(
  chain: Pick<ChainView, 'request'>,
  operation: Operation<Data>,
  variables: Variables,
): Promise<Answered<Data>> {
  return requireFound(operation, await chain.request(operation, variables))
}
