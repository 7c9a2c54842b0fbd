// The examples of the OpenAPI document, which local/examples writes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointName } from '../../shared/endpoints/all.ts'

type NamedBodies = Readonly<Record<string, unknown>>

interface EndpointExamples {
  readonly requests?: NamedBodies
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly responses: Readonly<Record<string, NamedBodies>>
}

let written: Readonly<Record<EndpointName, EndpointExamples>> | undefined

/** Read at the first use: `npm run generate` writes the file anew before. */
function examplesOf(name: EndpointName): EndpointExamples {
  written ??= JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8')) as NonNullable<
    typeof written
  >
  return written[name]
}

/** `refusedByTheNode` is `Refused by the node`. */
const titled = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const named = (bodies: NamedBodies): object => ({
  examples: Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, { summary: titled(name), value }])),
})

export const requestExamples = (name: EndpointName): object => named(examplesOf(name).requests ?? {})

const elements = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, part]) => `<${name}>${elements(part)}</${name}>`)
        .join('')
    : String(value)

/** The contract's body as XML. Its texts have no characters that XML would escape. */
export const xmlRequestExample = (name: EndpointName): string =>
  elements({ delegation: examplesOf(name).requests?.contract })

/** The value of a parameter in the request of an example. */
export const parameterExample = (name: EndpointName, parameter: string): unknown =>
  examplesOf(name).parameters?.[parameter]

/** @returns undefined for an answer that no example has */
export function responseExamples(name: EndpointName, status: string): object | undefined {
  const bodies = examplesOf(name).responses[status]
  return bodies && named(bodies)
}
