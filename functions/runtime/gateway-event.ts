// The event of a request, as an HTTP API makes it (payload 2.0). A function can also be invoked by hand, with any JSON.
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

type Event = APIGatewayProxyEventV2

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An optional part of the event: absent where the request has nothing of it, never null. */
const isAbsentOr = (value: unknown, isPart: (value: unknown) => boolean): boolean =>
  value === undefined || isPart(value)

const isText = (value: unknown): value is string => typeof value === 'string'

const hasTexts = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((text) => isAbsentOr(text, isText))

/**
 * True for an event that an HTTP API can have made, as far as the functions read it. The test button of Lambda's console, an
 * older payload and an event of another service have another shape.
 */
function isGatewayEvent(event: unknown): event is Event {
  if (!isObject(event)) return false
  const { version, headers, queryStringParameters, pathParameters, requestContext, body }: Partial<Event> = event
  return (
    version === '2.0' &&
    hasTexts(headers) &&
    isAbsentOr(queryStringParameters, hasTexts) &&
    isAbsentOr(pathParameters, hasTexts) &&
    isAbsentOr(body, isText) &&
    isText(requestContext?.http?.method)
  )
}

/** Stands in for an event that no gateway made, until it is refused. It opens no lock. */
export const withoutRequest = { headers: {} } as Event

/** The event that a function was invoked with; `withoutRequest` if no gateway made it. */
export const requestIn = (given: unknown): Event => (isGatewayEvent(given) ? given : withoutRequest)

/** The text of the 400 for an event that no gateway made. */
export const notOfGateway = 'The event is not a request of an HTTP API (payload 2.0).'
