// Services as they must not be, to show that the limits detect each of them.
import { collapseSlashes } from '../../shared/admission/paths.ts'
import type { LearnedAnswer } from './learned-answers.ts'
import type { Service } from './scenarios.ts'
import type { ViewerRequest } from './template/distribution.ts'

type Change = (answer: LearnedAnswer) => LearnedAnswer

const withAnswers = (service: Service, change: Change): Service => ({
  ...service,
  learned: new Map([...service.learned].map(([name, answer]) => [name, change(answer)])),
})

const withCacheControl = (service: Service, pattern: string | RegExp, replacement: string): Service => {
  const change: Change = ({ cacheControl, notModified, ...answer }) => ({
    ...answer,
    ...(cacheControl !== undefined && { cacheControl: cacheControl.replace(pattern, replacement) }),
    ...(notModified !== undefined && { notModified: change(notModified) }),
  })
  return withAnswers(service, change)
}

const withErrorTtls = (service: Service, errorTtls: ReadonlyMap<number, number>): Service => ({
  ...service,
  distribution: { ...service.distribution, errorTtls },
})

function tidied({ method, uri, querystring: { limit } }: ViewerRequest): ViewerRequest {
  return { method, uri: collapseSlashes(uri), querystring: limit === undefined ? {} : { limit } }
}

export const wrongVariants = {
  /** The viewer function passes everything on, but for needless slashes and unknown query keys. */
  withoutAdmission: (service: Service): Service => ({
    ...service,
    distribution: {
      ...service.distribution,
      behaviors: service.distribution.behaviors.map((behavior) => ({ ...behavior, rewrite: tidied })),
    },
  }),
  withoutRevalidating: (service: Service): Service => withCacheControl(service, /stale-while-revalidate=\d+, /, ''),
  withoutErrorTimes: (service: Service): Service =>
    withErrorTtls(
      withAnswers(service, (answer) => (answer.status < 500 ? answer : { ...answer, cacheControl: 'no-store' })),
      new Map([...service.distribution.errorTtls.keys()].map((status) => [status, 0])),
    ),
  /** CloudFront's own time for errors. */
  withDefaultErrorTimes: (service: Service): Service => withErrorTtls(service, new Map()),
  withoutTags: (service: Service): Service => withAnswers(service, ({ notModified, ...answer }) => answer),
  withoutStaleIfError: (service: Service): Service =>
    withCacheControl(service, /stale-if-error=\d+/, 'stale-if-error=0'),
  withLongerAccounts: (service: Service): Service => withCacheControl(service, 'max-age=2,', 'max-age=3,'),
  withoutThrottles: (service: Service): Service => ({
    ...service,
    throttles: new Map([...service.throttles.keys()].map((route) => [route, { rate: 1e9, burst: 1e9 }])),
  }),
}
