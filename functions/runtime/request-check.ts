// The checks that a request passes before its endpoint sees it: the lock, which admits only what comes through
// CloudFront, and the check of its parameters and body.
import type middy from '@middy/core'
import type { ErrorObject } from 'ajv'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { type OptionTexts, unknownOptionFaults } from '../../shared/contract/query/read-options.ts'
import type { EndpointSettings } from '../../shared/deployment/stage-settings.ts'
import type { Endpoint, EndpointRequest } from '../../shared/endpoints/endpoint.ts'
import { closedAddress, heartbeatKey, originHeader } from '../../shared/http/routes.ts'
import { ApiError, type RequestFault } from '../../shared/upstream/errors.ts'

/** Compares in constant time. Hashing both would delay each cold start. */
function isSecret(secret: string, header: string): boolean {
  let differences = secret.length ^ header.length
  for (let index = 0; index < header.length; index += 1) {
    differences |= secret.charCodeAt(index) ^ header.charCodeAt(index)
  }
  return differences === 0
}

/**
 * The lock that admits only what comes through CloudFront. Its time does not show how much of a header is right.
 *
 * @param secrets as from `originSecretsOf`; without any the lock stays closed
 * @returns true for a header that opens it
 */
export const originLock =
  (secrets: readonly string[]) =>
  (header = ''): boolean =>
    secrets.map((secret) => isSecret(secret, header)).includes(true)

/** True for the event that EventBridge invokes a read's function with. It bypasses CloudFront and carries no secret. */
const isHeartbeat = (event: object): boolean =>
  Object.hasOwn(event, heartbeatKey) && Reflect.get(event, heartbeatKey) === true

/**
 * Refuses requests that bypass CloudFront, except a read's heartbeat.
 *
 * @returns middleware that throws ApiError 403
 */
export function lockingOrigin(
  secrets: readonly string[],
  { method }: Pick<Endpoint, 'method'>,
): middy.MiddlewareObj<APIGatewayProxyEventV2> {
  const isOpenedBy = originLock(secrets)
  return {
    before({ event }) {
      if (method === 'GET' && isHeartbeat(event)) return
      if (!isOpenedBy(event.headers[originHeader])) throw new ApiError(403, closedAddress)
    },
  }
}

/** An event whose body is parsed. */
type ParsedEvent = Omit<APIGatewayProxyEventV2, 'body'> & { readonly body?: unknown }

/** A validator that `npm run generate` has compiled. */
export interface CompiledSchema {
  (event: unknown): boolean
  errors?: ErrorObject[] | null
}

function readQuery({ method, path, query }: Endpoint, given: OptionTexts) {
  if (query !== undefined) return query.read(given, path)
  // A broadcast ignores its query.
  return { values: {}, faults: method === 'GET' ? unknownOptionFaults(given, [], path) : [] }
}

/** The request with its options and its body as the endpoint reads it, and the faults that no schema can express. */
export function readRequest(endpoint: Endpoint, event: ParsedEvent, settings: EndpointSettings) {
  const { pathParameters: path = {}, queryStringParameters: given = {} } = event
  const { values, faults } = readQuery(endpoint, given)
  const ofBody = endpoint.readBody?.(event.body, settings)
  const request: EndpointRequest = { path, query: values, body: ofBody === undefined ? event.body : ofBody.body }
  return { request, ofBody, faults: [...(ofBody?.faults ?? []), ...faults] }
}

/** An event with its reading. */
export type ReadEvent = APIGatewayProxyEventV2 & { readonly reading: ReturnType<typeof readRequest> }

/** Reads the request once, for its check and for the endpoint. */
export const readingRequest = (
  endpoint: Endpoint,
  settings: EndpointSettings,
): middy.MiddlewareObj<APIGatewayProxyEventV2> => ({
  before(request) {
    const { event } = request
    const read: ReadEvent = { ...event, reading: readRequest(endpoint, event, settings) }
    request.event = read
  },
})

/** Called by @middy/validator: false if there are faults, which are then in `errors`. */
export interface RequestCheck {
  (event: ReadEvent): boolean
  errors?: readonly RequestFault[]
}

/** The place as the caller knows it: a JSON Pointer into the body, or a parameter's name. */
function locationOf(pointer: string): string {
  const [, part = '', ...keys] = pointer.split('/')
  if (part !== 'body') return keys.join('/') || part
  return keys.length === 0 ? 'body' : `/${keys.join('/')}`
}

const namesOf = (types: string | readonly string[]): string =>
  [types]
    .flat()
    .map((type) => `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`)
    .join(' or ')

function problemOf({ keyword, params }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'type':
      return `must be ${namesOf(params.type)}`
    case 'minLength':
      return 'must not be empty'
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'pattern':
      return `must match ${params.pattern}`
    default:
      return `is refused: ${keyword}`
  }
}

function faultOf(error: ErrorObject): RequestFault {
  const { instancePath, keyword, params } = error
  const pointer = keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath
  return { at: locationOf(pointer), problem: problemOf(error) }
}

/** True if an endpoint's own text about one place says all that a caller needs to know about the other. */
const covers = (own: RequestFault, at: string): boolean => own.at === at || at.startsWith(`${own.at}/`)

/**
 * The check of one endpoint, for @middy/validator: the faults that the precompiled schema finds, and those that the endpoint
 * finds. If both find a fault in one place, the endpoint's text takes precedence.
 */
export function requestCheck(schema: CompiledSchema): RequestCheck {
  const errorsOf = (event: ParsedEvent): readonly ErrorObject[] => {
    if (schema(event)) return []
    // A failed branch of the schema says nothing by itself; the faults inside it do.
    return (schema.errors ?? []).filter(({ keyword }) => keyword !== 'if')
  }
  const check: RequestCheck = (event) => {
    const { request, ofBody, faults: ownFaults } = event.reading
    const isClear = ofBody === undefined || ofBody.body !== undefined
    const schemaFaults = (isClear ? errorsOf({ ...event, body: request.body }) : [])
      .map(faultOf)
      .map(({ at, problem }) => ({ at: ofBody?.placeOf(at) ?? at, problem }))
    const faults = [...schemaFaults.filter(({ at }) => !ownFaults.some((own) => covers(own, at))), ...ownFaults]
    check.errors = faults
    return faults.length === 0
  }
  return check
}
