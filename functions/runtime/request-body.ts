// Reads the body of a broadcast. Not in the bundles of endpoints that take none.
import jsonBodyParser from '@middy/http-json-body-parser'
import { maxBodyBytes } from '../../shared/deployment/settings.ts'
import { ApiError } from '../../shared/upstream/errors.ts'
import type { Middleware } from './serve.ts'

const limitingBody: Middleware = {
  before({ event: { body = '', isBase64Encoded } }) {
    if (Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > maxBodyBytes) {
      throw new ApiError(400, `body must have at most ${maxBodyBytes} bytes`)
    }
  },
}

/** Wallets post without a content type, so a body is read as JSON whatever its content type. */
const parsingJson = jsonBodyParser({ disableContentTypeCheck: true }) as Middleware

const xmlType = /^\s*(?:application|text)\/xml\s*(?:;|$)/i

/** @throws ApiError for text that it refuses */
type ParseXml = (xml: string) => unknown

/** Only a body whose content type is XML is read as XML. */
const parsingXmlOrJson = (parseXml: ParseXml): Middleware => ({
  before(request) {
    const { headers, body = '', isBase64Encoded } = request.event
    if (!xmlType.test(headers['content-type'] ?? '')) return parsingJson.before?.(request)
    const xml = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body
    Object.assign(request.event, { body: parseXml(xml) })
  },
})

/**
 * Replaces the body by its parsed value: JSON, or XML if the content type says so and there is a parser.
 *
 * @returns middleware that throws ApiError 400 for a body that is too large, or that it cannot parse
 */
export const readingBody = (parseXml?: ParseXml): readonly Middleware[] => [
  limitingBody,
  parseXml === undefined ? parsingJson : parsingXmlOrJson(parseXml),
]
