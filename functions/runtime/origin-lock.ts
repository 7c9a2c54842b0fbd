// Lets in only what comes through CloudFront, which adds a secret header that no caller knows.
import { createHash, timingSafeEqual } from 'node:crypto'
import type middy from '@middy/core'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { closedAddress, originHeader } from '../../shared/http/front.ts'
import { ApiError } from '../../shared/upstream/errors.ts'

/** `timingSafeEqual` needs equal lengths. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The values that open the lock: more than one while the secret is being changed.
 *
 * @param text of the variable `ORIGIN_SECRETS`, separated by commas
 */
export const originSecretsOf = (text = ''): readonly string[] => text.split(',').filter((secret) => secret !== '')

/** True if a header opens the lock, in a time that does not depend on how much of it is right. */
export function opensLock(header: string | undefined, secrets: readonly string[]): boolean {
  const given = digestOf(header ?? '')
  const matches = secrets.map((secret) => timingSafeEqual(given, digestOf(secret)))
  return matches.includes(true)
}

/**
 * Refuses requests that bypass CloudFront.
 *
 * @param secrets as from `originSecretsOf`; without any every request is refused
 * @returns middleware that throws ApiError 403
 */
export const lockingOrigin = (secrets: readonly string[]): middy.MiddlewareObj<APIGatewayProxyEventV2> => ({
  before({ event }) {
    if (!opensLock(event.headers[originHeader], secrets)) {
      throw new ApiError(403, closedAddress)
    }
  },
})
