// The checks that a request passes before its endpoint sees it: the lock, which lets in only what comes through CloudFront, and the
// check of its parameters and body.
import type middy from '@middy/core'
import type { ErrorObject } from 'ajv'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { type Given, unknownOptionFaults } from '../../shared/contract/query/read-options.ts'
import type { EndpointSettings } from '../../shared/deployment/stage-settings.ts'
import type { Endpoint, EndpointRequest } from '../../shared/endpoints/endpoint.ts'
import { closedAddress, heartbeatKey, originHeader } from '../../shared/http/routes.ts'
import { ApiError, type RequestFault } from '../../shared/upstream/errors.ts'
import { sha256 } from './sha256.ts'

/** Compares every byte, wherever the first difference is. */
const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.reduce((differences, byte, index) => differences | (byte ^ (other[index] ?? 0)), 0) === 0

/**
 * The lock that lets in only what comes through CloudFront. It takes a time that does not depend on how much of a header is
 * right.
 *
 * @param secrets as from `originSecretsOf`; without any the lock stays closed
 * @returns true for a header that opens it
 */
export function originLock(secrets: readonly string[]): (header: string | undefined) => boolean {
  const digests = secrets.map(sha256)
  return (header = '') => {
    const given = sha256(header)
    return digests.map((digest) => areEqual(given, digest)).includes(true)
  }
}

/** True for the event that EventBridge invokes a read's function with. It comes past CloudFront, and has no secret. */
const isHeartbeat = (event: object): boolean =>
  Object.hasOwn(event, heartbeatKey) && Reflect.get(event, heartbeatKey) === true

/**
 * Refuses requests that bypass CloudFront, but for the heartbeat of a read.
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
export type ParsedEvent = Omit<APIGatewayProxyEventV2, 'body'> & { readonly body?: unknown }

/** A validator that `npm run generate` has compiled. */
export interface CompiledSchema {
  (event: unknown): boolean
  errors?: ErrorObject[] | null
}

function readQuery({ method, path, query }: Endpoint, given: Given) {
  if (query !== undefined) return query.read(given, path)
  // A broadcast ignores its query.
  return { values: {}, faults: method === 'GET' ? unknownOptionFaults(given, [], path) : [] }
}

/** The request with its options and its body as the endpoint reads it, and the faults that are not for a schema to find. */
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

function faultOf({ instancePath, keyword, params }: ErrorObject): RequestFault {
  const at = (pointer: string) => locationOf(pointer)
  switch (keyword) {
    case 'required':
      return { at: at(`${instancePath}/${params.missingProperty}`), problem: 'is missing' }
    case 'type':
      return { at: at(instancePath), problem: `must be ${namesOf(params.type)}` }
    case 'minLength':
      return { at: at(instancePath), problem: 'must not be empty' }
    case 'minimum':
      return { at: at(instancePath), problem: `must be at least ${params.limit}` }
    case 'maximum':
      return { at: at(instancePath), problem: `must be at most ${params.limit}` }
    case 'pattern':
      return { at: at(instancePath), problem: `must match ${params.pattern}` }
    default:
      return { at: at(instancePath), problem: `is refused: ${keyword}` }
  }
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
    // That a branch of the schema failed says nothing; the faults inside it do.
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
