// The examples of the OpenAPI document, which local/examples writes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointName } from '../../shared/contract/responses.ts'

type NamedBodies = Readonly<Record<string, unknown>>

interface EndpointExamples {
  readonly requests?: NamedBodies
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly responses: Readonly<Record<string, NamedBodies>>
}

const written: Readonly<Record<EndpointName, EndpointExamples>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8'),
)

/** `refusedByTheNode` is `Refused by the node`. */
const titled = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const named = (bodies: NamedBodies): object => ({
  examples: Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, { summary: titled(name), value }])),
})

export const requestExamples = (name: EndpointName): object => named(written[name].requests ?? {})

/** The value of a parameter in the request of an example. */
export const parameterExample = (name: EndpointName, parameter: string): unknown =>
  written[name].parameters?.[parameter]

/** @returns undefined for an answer that no example has */
export function responseExamples(name: EndpointName, status: string): object | undefined {
  const bodies = written[name].responses[status]
  return bodies && named(bodies)
}
