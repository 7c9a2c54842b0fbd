// The parts of a synthesised template that decide what CloudFront caches and what API Gateway lets through. Forms that
// the model does not cover are refused.
import { runInNewContext } from 'node:vm'
import type { CloudFormation } from '../../tools/synthesise.ts'
import { at } from '../upstream-faults/exact-json.ts'
import type { ViewerRequest } from '../viewer-request.ts'

/** @throws Error if the template has no such resource, or several where no `id` names one */
function propertiesOf({ Resources }: CloudFormation, type: string, id?: unknown): unknown {
  const found = Object.entries(Resources).filter(([name, { Type }]) => Type === type && (id ?? name) === name)
  if (found.length !== 1) throw new Error(`The template must have one ${type}`)
  return found[0]?.[1].Properties
}

const cachingDisabledId = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'

/** @throws Error for another policy of AWS's own, cookies or headers in the cache key, and other times than the answers' */
function policyOf(id: unknown, template: CloudFormation) {
  if (id === cachingDisabledId) return { maxTtl: 0, hasQueryInKey: false }
  const config = at(propertiesOf(template, 'AWS::CloudFront::CachePolicy', at(id, 'Ref') ?? id), 'CachePolicyConfig')
  const key = at(config, 'ParametersInCacheKeyAndForwardedToOrigin')
  const keyedBy = ['Cookie', 'Header', 'QueryString'].map((part) => at(key, `${part}sConfig`, `${part}Behavior`))
  const form = String([...keyedBy, at(config, 'MinTTL'), at(config, 'DefaultTTL')])
  if (!/^none,none,(none|all),0,0$/.test(form)) throw new Error(`Not modelled: caching by ${form}`)
  /** The maximum in seconds. */
  return { maxTtl: Number(at(config, 'MaxTTL')), hasQueryInKey: keyedBy[2] === 'all' }
}

const list = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** A viewer function. After an answer of its own CloudFront asks neither cache nor origin. */
type Rewrite = (
  request: ViewerRequest,
) => ViewerRequest | { readonly statusCode: number; readonly headers: ViewerRequest['headers'] }

function rewriteOf(behavior: unknown, template: CloudFormation): Rewrite {
  const functions = list(behavior, 'FunctionAssociations')
  const viewerFunction = functions.find((one) => at(one, 'EventType') === 'viewer-request')
  if (viewerFunction === undefined) return (request) => request
  const id = at(viewerFunction, 'FunctionARN', 'Fn::GetAtt', 0)
  const code = at(propertiesOf(template, 'AWS::CloudFront::Function', id), 'FunctionCode')
  const handler = runInNewContext(`${code}\n;handler`)
  return (request) => handler({ request: { ...request } })
}

/** `*` matches any text and `?` any character, slashes included; case matters. */
function pathPattern(text: string): RegExp {
  const escaped = text.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's')
}

/** @throws Error for a template without exactly one distribution, and for what the model does not cover */
export function distributionOf(template: CloudFormation) {
  const config = at(propertiesOf(template, 'AWS::CloudFront::Distribution'), 'DistributionConfig')
  const errors = list(config, 'CustomErrorResponses').filter((one) => at(one, 'ErrorCachingMinTTL') !== undefined)
  const routes = Object(at(propertiesOf(template, 'AWS::ApiGatewayV2::Stage'), 'RouteSettings'))
  const limit = (route: string, name: string) => Number(at(routes, route, `Throttling${name}Limit`))
  return {
    /** In the order in which CloudFront tries them; the last one matches every path. */
    behaviors: [...list(config, 'CacheBehaviors'), at(config, 'DefaultCacheBehavior')].map((behavior) => ({
      pattern: pathPattern(String(at(behavior, 'PathPattern') ?? '*')),
      allowedMethods: list(at(behavior, 'AllowedMethods') ?? ['GET', 'HEAD']).map(String),
      policy: policyOf(at(behavior, 'CachePolicyId'), template),
      rewrite: rewriteOf(behavior, template),
    })),
    /** True if one cache stands between all edges and the origin. */
    hasOriginShield: list(config, 'Origins').some((origin) => at(origin, 'OriginShield', 'Enabled') === true),
    /** Error caching minimum TTL in seconds, by status, where the template sets one. */
    errorTtls: new Map(errors.map((one) => [Number(at(one, 'ErrorCode')), Number(at(one, 'ErrorCachingMinTTL'))])),
    /** Of a route, such as `GET /blocks/{state_hash}`: requests a second in the long run, and at once. */
    throttles: Object.keys(routes).map((route) => ({
      ...{ route, rate: limit(route, 'Rate'), burst: limit(route, 'Burst') },
    })),
  }
}

export type CachePolicy = ReturnType<typeof policyOf>
export type Distribution = ReturnType<typeof distributionOf>
