// The limits beyond which alarms fire.
import type { MonitoredFunction } from './monitored-function.ts'

/** Twice in a quarter of an hour: a single bad minute passes. */
export const lasting = { evaluationPeriods: 3, datapointsToAlarm: 2 }

/** With fewer requests in five minutes, a rate says too little. */
export const minRequests = 20

/** Per cent of the requests that may fail in a month: 3.6 hours of an outage. A node that starts anew needs up to one. */
export const maxFailedPercent = 0.5

/** The share of a route's requests. */
export const maxRouteFailures = 0.5

/** Per cent of the requests. */
export const maxFaultPercent = 5

/** Per cent of the requests that the API turns away by the throttles of its routes. */
export const maxThrottledPercent = 5

/** The share of a route's calls that the throttles of the API turn away. */
export const maxRouteRefusals = 0.5

/** A few requests to the API's own address are harmless. A CDN with a wrong secret causes far more at once. */
export const maxOriginRefusals = 10

/** In five minutes. A fault of its code fails far more requests at once. */
export const maxViewerFailures = 10

/** The share of a concurrency limit above which requests will soon be throttled. */
export const concurrencyShare = 0.8

/** By the work behind a request: a look-up, a walk through a staking ledger or behind one, or the search for a lost broadcast. */
export function maxP99Ms({ endpoint: { method, operations } }: MonitoredFunction): number {
  if (method === 'POST') return 15_000
  return operations.some(({ isPatient }) => isPatient) ? 10_000 : 5000
}
