// Reads the body of a broadcast. Not in the bundles of endpoints that take none.
import jsonBodyParser from '@middy/http-json-body-parser'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
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

/** The parser's own error, a 422. */
interface UnprocessableBody {
  readonly cause: {
    readonly package: string
    /** The body, or the key that the parser refuses. */
    readonly data?: unknown
    /** Of the error behind this one; absent where the parser itself refuses a key. */
    readonly message?: string
  }
}

const isUnprocessable = (error: unknown): error is UnprocessableBody =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 422

/** The body as text. */
const textOf = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body

/** Strings, numbers, names and signs of JSON that stand at the beginning of a text. */
const tokens = /^(?:[\s,:]+|[[\]{}]|"(?:[^"\\]|\\.)*"|(?:true|false|null)\b|-?\d[\d.eE+-]*)*/s

/** The closing quote may be missing, so that no text is searched for it again and again. */
const strings = /"(?:[^"\\]|\\.)*"?/gs

/** True for a text that is not JSON because its end is missing: it stops in a token, or before a bracket is closed. */
function endsTooEarly(text: string): boolean {
  const [read = ''] = tokens.exec(text) ?? []
  const rest = text.slice(read.length)
  const stopsInString = rest.startsWith('"')
  const stopsInName = /^(?:[a-z]+|-)$/.test(rest)
  if (rest !== '') return stopsInString || stopsInName
  const signs = read.replace(strings, '')
  return signs.split(/[[{]/).length > signs.split(/[\]}]/).length
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Why the parser refuses a body. */
function problemOf({ cause }: UnprocessableBody, text: string): string {
  if (text.trim() === '') return 'body is empty'
  if (cause.message === undefined) return 'body must not have the key __proto__, or a constructor with a prototype'
  // The parser looks at each key by recursion, which ends with the stack; JSON.parse alone does not recurse.
  if (isJson(text)) return 'body must be nested a few levels deep at most'
  if (endsTooEarly(text)) return 'body is not JSON: it ends too early'
  return 'body is not JSON: keys and strings must be double-quoted'
}

/** Wallets post without a content type, so a body is read as JSON whatever its content type. */
const parser = jsonBodyParser({ disableContentTypeCheck: true }) as Middleware

const parsingJson: Middleware = {
  before(request) {
    try {
      return parser.before?.(request)
    } catch (error) {
      if (!isUnprocessable(error)) throw error
      throw new ApiError(400, problemOf(error, textOf(request.event)))
    }
  },
}

const xmlType = /^\s*(?:application|text)\/xml\s*(?:;|$)/i

/** @throws ApiError for text that it refuses */
type ParseXml = (xml: string) => unknown

/** Only a body whose content type is XML is read as XML. */
const parsingXmlOrJson = (parseXml: ParseXml): Middleware => ({
  before(request) {
    const { event } = request
    if (!xmlType.test(event.headers['content-type'] ?? '')) return parsingJson.before?.(request)
    Object.assign(event, { body: parseXml(textOf(event)) })
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
