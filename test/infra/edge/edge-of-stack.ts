// Admission and cache key of a request at the stack's edge, from the synthesised template and its viewer function.
import { runInNewContext } from 'node:vm'
import { type ViewerRequest, viewerRequest } from '../../../packages/proofs/viewer-request.ts'
import { onlyResource, type StackTemplate } from '../stack-template.ts'

interface EdgeAnswer {
  readonly statusCode: number
  readonly headers: ViewerRequest['headers']
}

/** `*` matches any text, slashes included; case matters. */
const pathPattern = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's')

/**
 * @returns what a GET becomes: the request that CloudFront looks for in its cache, with the key of its copy, or an answer of
 *   the edge itself
 */
export function edgeOf(
  template: StackTemplate,
): (target: string) => EdgeAnswer | (ViewerRequest & { readonly key: string }) {
  const { DefaultCacheBehavior, CacheBehaviors } = onlyResource(template, 'AWS::CloudFront::Distribution').properties
    .DistributionConfig
  const policies = template.findResources('AWS::CloudFront::CachePolicy')
  const functions = template.findResources('AWS::CloudFront::Function')
  const behaviors = [...CacheBehaviors, DefaultCacheBehavior].map((behavior) => {
    const [{ FunctionARN }] = behavior.FunctionAssociations
    const { FunctionCode } = functions[FunctionARN['Fn::GetAtt'][0]]?.Properties ?? {}
    const { ParametersInCacheKeyAndForwardedToOrigin: key } =
      policies[behavior.CachePolicyId.Ref]?.Properties.CachePolicyConfig ?? {}
    return {
      pattern: pathPattern(behavior.PathPattern ?? '*'),
      isKeyedByQuery: key?.QueryStringsConfig.QueryStringBehavior === 'all',
      rewrite: runInNewContext(`${FunctionCode}\n;handler`),
    }
  })
  return (target) => {
    const request = viewerRequest('GET', target)
    // CloudFront selects a behaviour by the client's path, before the viewer function rewrites it.
    const behavior = behaviors.find(({ pattern }) => pattern.test(request.uri))
    const viewed = behavior?.rewrite({ request: { ...request } })
    if ('statusCode' in viewed) return viewed
    return { ...viewed, key: JSON.stringify([viewed.uri, behavior?.isKeyedByQuery && viewed.querystring]) }
  }
}
