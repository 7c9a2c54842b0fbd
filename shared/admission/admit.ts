// Decides if a request can have an answer, and normalises it. CloudFront and the local gateway run this first, so that
// a request costs a call only if a function must see it, and equivalent requests share a cache key. Plain syntax and no
// expression that backtracks: the code runs in a CloudFront Function, in time linear in its input.
import { canonicalNumberFrom, cursorFrom, hasForm } from '../contract/forms.ts'
import { faultText, isMeaningless } from '../contract/query/read-options.ts'
import { readQuery } from '../contract/query/read-query.ts'
import { collapseSlashes } from './paths.ts'
import { noRoute, type ParameterRule, type Refusal, type RouteRule } from './rule.ts'

type Pair = readonly [key: string, value: string]

export interface RawRequest {
  readonly method: string
  /** As it came, still percent-encoded. */
  readonly path: string
  /**
   * Keys and values as they came, still percent-encoded; the values of a repeated key one by one. Undefined if there
   * are more than `max`. Only GETs of the contract read them.
   */
  readonly query: (max: number) => readonly Pair[] | undefined
  /** By name in lower case; only their presence counts. */
  readonly headers: Readonly<Record<string, unknown>>
}

export type Admission<Rule extends RouteRule> =
  /** A browser asks for permission. The answer is the same for every path. */
  | { readonly kind: 'preflight' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'admitted'
      readonly rule: Rule
      /** Normalised. */
      readonly path: string
      readonly parameters: Readonly<Record<string, string>>
      /** Normalised: an option that has its default is absent. */
      readonly query: Readonly<Record<string, string>>
    }

/** Several times the longest path that has an answer, but short enough for CloudFront's millisecond. */
const maxPathLength = 256

/** A GET of the contract refuses a query of more keys. */
const maxQueryKeys = 32

/** Encoding at most triples the length of an option's name, or of its value. */
const maxKeyLength = 3 * 16
const maxValueLength = 3 * 64

const refused = (refusal: Refusal) => ({ kind: 'refused', refusal }) as const

const refusedQuery = (message: string) => refused({ status: 400, message, cacheControl: 'no-store' })

/** A rule, and the path's parameters by name. */
interface Match<Rule> {
  readonly rule: Rule
  readonly parameters: Readonly<Record<string, string>>
}

/** The path of the rule that has this alias; any other path unchanged. */
function withoutAlias(rules: readonly RouteRule[], path: string): string {
  const rule = rules.filter((one) => one.alias === path)[0]
  return rule === undefined ? path : rule.path
}

/** The path's parameters by name, still encoded, or undefined if the route has another path. */
function matchPath(path: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = path.split('/')
  if (parts.length !== segments.length) return undefined
  const parameters: Record<string, string> = {}
  for (let index = 0; index < parts.length; index += 1) {
    const part = String(parts[index])
    const segment = String(segments[index])
    const isParameter = part.charAt(0) === '{'
    if (isParameter ? segment === '' : segment !== part) return undefined
    if (isParameter) parameters[part.slice(1, -1)] = segment
  }
  return parameters
}

/** The rule of a request; of several the one with the fewest parameters. */
function findMatch<Rule extends RouteRule>(
  rules: readonly Rule[],
  method: string,
  segments: readonly string[],
): Match<Rule> | undefined {
  let best: Match<Rule> | undefined
  rules.forEach((rule) => {
    const parameters = rule.methods.indexOf(method) === -1 ? undefined : matchPath(rule.path, segments)
    if (parameters === undefined) return
    const isBetter = best === undefined || Object.keys(parameters).length < Object.keys(best.parameters).length
    if (isBetter) best = { rule, parameters }
  })
  return best
}

const digestLength = 16
const notHexadecimal = /[^0-9a-f]/

/** True if a text may be a value of the parameter. */
function isOfForm(text: string, form: ParameterRule['forms'][number]): boolean {
  if ('prefix' in form) return hasForm(text, form)
  if ('cursor' in form) return cursorFrom(text) !== undefined
  if ('max' in form) return canonicalNumberFrom(text, form) !== undefined
  if (form.ending === '') return form.names.indexOf(text) !== -1
  const start = text.indexOf('-') + 1
  const end = start + digestLength
  const isNamed = form.names.indexOf(text.slice(0, start - 1)) !== -1 && text.slice(end) === form.ending
  return isNamed && !notHexadecimal.test(text.slice(start, end))
}

/** The refusal of the first parameter that is malformed. */
function parameterRefusal(match: Match<RouteRule>): Refusal | undefined {
  const rule = match.rule
  const parameters = match.parameters
  const names = Object.keys(parameters)
  for (let index = 0; index < names.length; index += 1) {
    const name = String(names[index])
    const text = String(parameters[name])
    const known = rule.parameters?.[name]
    const isPossible = known === undefined ? text.indexOf('%') === -1 : known.forms.some((form) => isOfForm(text, form))
    if (!isPossible) return known?.refusal ?? noRoute
  }
  return undefined
}

/** Decodes as API Gateway does, except that a plus sign stays: no value has a plus sign or a blank. */
function decoded(text: string): string {
  try {
    return text.indexOf('%') === -1 ? text : decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The texts by key; those of a repeated key are joined by commas. Keys and texts too long for any option stay encoded,
 * to save time.
 */
function givenTexts(query: readonly Pair[]): Record<string, string> {
  const given: Record<string, string> = Object.create(null)
  query.forEach((pair) => {
    const key = pair[0].length > maxKeyLength ? pair[0] : decoded(pair[0])
    if (isMeaningless(key)) return
    const text = pair[1].length > maxValueLength ? pair[1] : decoded(pair[1])
    const earlier = given[key]
    given[key] = earlier === undefined ? text : `${earlier},${text}`
  })
  return given
}

const isPreflight = (request: RawRequest): boolean =>
  request.method === 'OPTIONS' &&
  request.headers.origin !== undefined &&
  request.headers['access-control-request-method'] !== undefined

/**
 * Decides whether a request can have an answer. Of several routes that match, the one with the fewest parameters counts.
 *
 * @returns the normalised request, which is itself admitted unchanged; or the service's own refusal
 * @example
 * const asked = { method: 'GET', path: '//blocks/', query: [['limit', '007'], ['utm', 'x']], headers: {} }
 * admit(routeRules, asked) // { kind: 'admitted', path: '/blocks', query: { limit: '7' }, … }
 */
export function admit<Rule extends RouteRule>(rules: readonly Rule[], request: RawRequest): Admission<Rule> {
  if (isPreflight(request)) return { kind: 'preflight' }
  if (request.path.length > maxPathLength) return refused(noRoute)
  const path = withoutAlias(rules, collapseSlashes(request.path))
  const match = findMatch(rules, request.method, path.split('/'))
  if (match === undefined) return refused(noRoute)
  const options = match.rule.options
  const pairs = options === undefined ? [] : request.query(maxQueryKeys)
  if (pairs === undefined) return refusedQuery(`the query must have at most ${maxQueryKeys} keys`)
  const reading = readQuery(options ?? {}, givenTexts(pairs), match.rule.path)
  if (reading.faults.length > 0) return refusedQuery(faultText(reading.faults))
  const refusal = parameterRefusal(match)
  if (refusal !== undefined) return refused(refusal)
  return { kind: 'admitted', rule: match.rule, path, parameters: match.parameters, query: reading.values }
}
