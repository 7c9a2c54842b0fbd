// The event of a request, as an HTTP API makes it (payload 2.0). A function can also be invoked by hand, with any JSON.
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { isObject } from '../../shared/mapping/exact-json.ts'

type Event = APIGatewayProxyEventV2

/** True for an optional part that is absent or well-formed. */
const isAbsentOr = (value: unknown, isPart: (value: unknown) => boolean): boolean =>
  value === undefined || isPart(value)

/** AWS never sends null members; `sam local` and serverless-offline do. */
const withoutNulls = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))

/** Names in lower case, as AWS sends them; emulators leave them as they came. */
const byLowerCaseName = (headers: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(withoutNulls(headers)).map(([name, value]) => [name.toLowerCase(), value]))

/** An event as AWS would have written it. */
function asOfAws(event: object): Record<string, unknown> {
  const given = withoutNulls(event)
  return isObject(given.headers) ? { ...given, headers: byLowerCaseName(given.headers) } : given
}

const isText = (value: unknown): value is string => typeof value === 'string'

const hasTexts = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((text) => isAbsentOr(text, isText))

/**
 * True for an event of an HTTP API, by the parts that the functions read. Events of the test button in Lambda's console, of
 * payload 1.0 and of other services have other shapes.
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
export const emptyEvent = { headers: {} } as Event

/** The event that a function was invoked with; `emptyEvent` if no gateway made it. */
export function requestIn(given: unknown): Event {
  const event = isObject(given) ? asOfAws(given) : given
  return isGatewayEvent(event) ? event : emptyEvent
}

/** The text of the 400 for an event that no gateway made. */
export const notAGatewayEvent = 'The event is not a request of an HTTP API (payload 2.0).'
