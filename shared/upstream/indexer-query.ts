// Questions to an indexer.
import { type Operation, operation } from './operation.ts'
import type { WireType } from './wire.ts'

/** See `operation`. */
export const indexerQuery = <Data>(
  name: string,
  variables: string,
  data: WireType<Data>,
  traits: Pick<Operation, 'isPatient' | 'hasOwnConnection' | 'dialect'> = {},
): Operation<Data> => operation<Data>('indexer', 'query', name, variables, data, traits)
