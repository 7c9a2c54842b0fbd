// Services as they must not be, to show that the limits detect each of them.
import { collapseSlashes } from '../../shared/agreements/paths.ts'
import type { LearnedAnswer, LearnedAnswers } from './learned-answers.ts'
import type { Service } from './scenarios.ts'
import type { ViewerRequest } from './template/distribution.ts'

type Change = (answer: LearnedAnswer) => LearnedAnswer

const withAnswers = (service: Service, change: Change): Service => {
  const { blockByDepth, ...others } = service.learned
  const changed = Object.entries(others).map(([name, answer]) => [name, change(answer)])
  const learned = {
    ...Object.fromEntries(changed),
    blockByDepth: new Map([...blockByDepth].map(([depth, answer]) => [depth, change(answer)])),
  } as LearnedAnswers
  return { ...service, learned }
}

const withCacheControl = (service: Service, change: (cacheControl: string) => string): Service => {
  const changed: Change = ({ cacheControl, notModified, ...answer }) => ({
    ...answer,
    ...(cacheControl !== undefined && { cacheControl: change(cacheControl) }),
    ...(notModified !== undefined && { notModified: changed(notModified) }),
  })
  return withAnswers(service, changed)
}

const withErrorTtls = (service: Service, errorTtls: ReadonlyMap<number, number>): Service => ({
  ...service,
  distribution: { ...service.distribution, errorTtls },
})

const withoutRevalidating = (service: Service): Service =>
  withCacheControl(service, (cacheControl) => cacheControl.replace(/stale-while-revalidate=\d+, /, ''))

const withoutErrorTimes = (service: Service): Service =>
  withErrorTtls(
    withAnswers(service, (answer) => (answer.status < 500 ? answer : { ...answer, cacheControl: 'no-store' })),
    new Map([...service.distribution.errorTtls.keys()].map((status) => [status, 0])),
  )

const withoutTags = (service: Service): Service => withAnswers(service, ({ notModified, ...answer }) => answer)

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
  withoutRevalidating,
  withoutErrorTimes,
  /** CloudFront's own time for errors. */
  withDefaultErrorTimes: (service: Service): Service => withErrorTtls(service, new Map()),
  withoutTags,
  withoutStaleIfError: (service: Service): Service =>
    withCacheControl(service, (cacheControl) => cacheControl.replace(/stale-if-error=\d+/, 'stale-if-error=0')),
  withLongerAccounts: (service: Service): Service =>
    withCacheControl(service, (cacheControl) => cacheControl.replace('max-age=2,', 'max-age=3,')),
  withoutThrottles: (service: Service): Service => ({ ...service, throttles: new Map() }),
}

/** With the cache times of before: no answer was given while a new one was fetched, no failure kept, no block for long. */
export const withFormerTimes = (service: Service): Service =>
  withCacheControl(withoutErrorTimes(withoutRevalidating(service)), (cacheControl) =>
    cacheControl.replace('max-age=2,', 'max-age=3,').replace(/max-age=(?:1800|86400),/, 'max-age=60,'),
  )

/** As the model had it before: with these times, and each call brought the whole answer. */
export const before = (service: Service): Service => withoutTags(withFormerTimes(service))
