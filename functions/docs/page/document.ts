// The parts of the OpenAPI document that the page shows.

/** Differences from the contract, with their reasons. */
export interface Marks {
  readonly 'x-contract-addition'?: string
  readonly 'x-contract-departure'?: string
}

export interface Schema extends Marks {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  /** Under `if: {}`, which always holds. */
  readonly then?: { readonly oneOf?: readonly Schema[] }
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly 'x-unit'?: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
  readonly example?: unknown
}

export interface Content {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

/** A part that several operations share, under `components`. */
interface Reference {
  readonly $ref: string
}

/** By media type. */
type Contents = Readonly<Record<string, Content>>

interface Header {
  readonly description: string
  readonly example?: unknown
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Contents
  /** Requests that take a value from this answer. */
  readonly links?: Readonly<
    Record<string, { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> }>
  >
}

export interface Operation extends Marks {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly description: string; readonly content: Contents }
  readonly responses: Readonly<Record<string, Response>>
}

/** An answer as the document has it. */
interface ListedResponse extends Omit<Response, 'headers'> {
  readonly headers?: Readonly<Record<string, Header | Reference>>
}

/** An operation as the document has it. */
interface ListedOperation extends Omit<Operation, 'parameters' | 'responses'> {
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly responses: Readonly<Record<string, ListedResponse | Reference>>
}

interface Components {
  readonly headers?: Readonly<Record<string, Header>>
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly responses?: Readonly<Record<string, ListedResponse>>
  readonly schemas?: Readonly<Record<string, Schema>>
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly [{ readonly url: string }, ...{ readonly url: string }[]]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ListedOperation>>>>
  readonly components?: Components
  /** True if every example comes from the chain being served, so that broadcasting it succeeds. */
  readonly 'x-live-examples'?: boolean
}

export interface Request extends Operation {
  readonly method: string
  readonly path: string
}

/** The examples of a content, each with its title; an unnamed one has none. */
export const examplesOf = ({ example, examples }: Content): readonly { summary: string; value: unknown }[] =>
  Object.values(examples ?? (example === undefined ? {} : { only: { summary: '', value: example } }))

/** The first success that has a body, with its first example. */
export function sampleOf({ responses }: Operation): { status: string; value: unknown } {
  for (const [status, { content = {} }] of Object.entries(responses)) {
    const [first] = Object.values(content).flatMap(examplesOf)
    if (status.startsWith('2') && first !== undefined) return { status, value: first.value }
  }
  return { status: '', value: undefined }
}

const needsValue = ({ parameters = [] }: Operation): boolean => parameters.some(({ required }) => required)

const sampleLength = (operation: Operation): number => JSON.stringify(sampleOf(operation).value ?? null).length

function referredTo<Part extends object>(part: Part | Reference, parts: Readonly<Record<string, Part>> = {}): Part {
  if (!('$ref' in part)) return part
  const reference = String(part.$ref)
  const found = parts[reference.slice(reference.lastIndexOf('/') + 1)]
  if (found === undefined) throw new Error(`The document has no ${reference}`)
  return found
}

/** The operation with its references resolved. */
function wholeOperation(operation: ListedOperation, { headers, parameters, responses }: Components): Operation {
  const whole = (response: ListedResponse): Response => ({
    ...response,
    headers: Object.fromEntries(
      Object.entries(response.headers ?? {}).map(([name, header]) => [name, referredTo(header, headers)]),
    ),
  })
  return {
    ...operation,
    parameters: (operation.parameters ?? []).map((parameter) => referredTo(parameter, parameters)),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [status, whole(referredTo(response, responses))]),
    ),
  }
}

/** Reads before writes. Reads that need no value come first, the shortest answer before the others. */
export function requestsOf({ paths, components = {} }: Document): readonly Request[] {
  const requests = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...wholeOperation(operation, components),
      path,
      method: method.toUpperCase(),
    })),
  )
  const reads = requests.filter(({ method }) => method === 'GET')
  return [
    ...reads.filter((one) => !needsValue(one)).sort((one, other) => sampleLength(one) - sampleLength(other)),
    ...reads.filter(needsValue),
    ...requests.filter(({ method }) => method !== 'GET'),
  ]
}
