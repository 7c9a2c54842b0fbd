// Reads the body of a broadcast. Only in the bundles of endpoints that take one.
import jsonBodyParser from '@middy/http-json-body-parser'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { ApiError } from '../../shared/upstream/errors.ts'
import { bodyText } from './body-text.ts'
import type { Middleware } from './serve.ts'

const readingText: Middleware = {
  before({ event }) {
    Object.assign(event, { body: bodyText(event), isBase64Encoded: false })
  },
}

/** The parser's own error, a 422. */
interface UnprocessableBody {
  readonly cause: {
    readonly package: string
    /** Of the error behind this one; absent if the parser itself refuses a key. */
    readonly message?: string
  }
}

const isUnprocessable = (error: unknown): error is UnprocessableBody =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 422

/** A hint for an unparsable text that holds the replacement character. */
const damageIn = (text: string): string =>
  text.includes('\uFFFD')
    ? '; it holds U+FFFD, which stands for bytes that were not UTF-8: send UTF-8, and nothing compressed'
    : ''

/** The reason why the parser refuses a body. */
async function problemOf({ cause }: UnprocessableBody, text: string): Promise<string> {
  if (text.trim() === '') return 'body is empty'
  if (cause.message === undefined) return 'body must not have the key __proto__, or a constructor with a prototype'
  // Loaded on demand, since nearly every body is JSON.
  const { jsonFault } = await import('../../shared/http/json-fault.ts')
  const fault = jsonFault(text)
  // The parser checks keys recursively, and overflows the stack; JSON.parse alone does not recurse.
  if (fault === undefined) return 'body must be nested a few levels deep at most'
  return `body is not JSON: ${fault}${damageIn(text)}`
}

/** Wallets post without a content type, so a body is read as JSON whatever its content type. */
const parser = jsonBodyParser({ disableContentTypeCheck: true }) as Middleware

const parsingJson: Middleware = {
  async before(request) {
    const { body: text = '' } = request.event
    try {
      return await parser.before?.(request)
    } catch (error) {
      if (!isUnprocessable(error)) throw error
      throw new ApiError(400, await problemOf(error, text))
    }
  },
}

const xmlType = /^\s*(?:application|text)\/xml\s*(?:;|$)/i

const isXml = ({ headers }: APIGatewayProxyEventV2): boolean => xmlType.test(headers['content-type'] ?? '')

/** @returns undefined for text that it refuses */
export type ParseXml = (xml: string) => unknown

const xmlForm = 'body must be XML with one root, nested a few levels deep, without document type or entities'

/** Only a body whose content type is XML is read as XML. */
const parsingXmlOrJson = (loadXmlParser: () => Promise<ParseXml>): Middleware => ({
  async before(request) {
    const { event } = request
    const { body: text = '' } = event
    if (isXml(event)) {
      const parseXml = await loadXmlParser()
      const body = parseXml(text)
      if (body === undefined) throw new ApiError(400, xmlForm + damageIn(text))
      Object.assign(event, { body })
      return undefined
    }
    if (/^\s*</.test(text)) throw new ApiError(400, 'body is XML: send it with the content type application/xml')
    return parsingJson.before?.(request)
  },
})

/**
 * Replaces the body by its parsed value: JSON, or XML if the content type says so and there is a parser.
 *
 * @param loadXmlParser called at each XML body
 * @returns middleware that throws ApiError 400 for a body that is too large, that is not text, or that it cannot parse
 */
export const readingBody = (loadXmlParser?: () => Promise<ParseXml>): readonly Middleware[] => [
  readingText,
  loadXmlParser === undefined ? parsingJson : parsingXmlOrJson(loadXmlParser),
]
