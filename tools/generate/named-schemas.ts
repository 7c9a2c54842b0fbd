// The schemas that have a title: the name that the contract, the types and the OpenAPI document give them.
import { contracts } from '../../shared/endpoints/all.ts'

export interface Titled {
  readonly title?: string
}

function collect(value: unknown, into: Map<string, object>): void {
  if (typeof value !== 'object' || value === null) return
  if ('title' in value && typeof value.title === 'string') {
    const known = into.get(value.title)
    if (known === value) return
    if (known !== undefined) throw new Error(`Two schemas have the title ${value.title}`)
    into.set(value.title, value)
  }
  for (const part of Object.values(value)) collect(part, into)
}

function allNamed(): Readonly<Record<string, object>> {
  const found = new Map<string, object>()
  for (const { request, responses } of Object.values(contracts)) {
    collect(request?.documentedBody, found)
    for (const { schema, headers } of Object.values(responses)) {
      collect(schema, found)
      for (const header of Object.values(headers)) collect(header.schema, found)
    }
  }
  return Object.fromEntries([...found].sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** All that requests and answers of the contract refer to, by title. */
export const namedSchemas = allNamed()
