// Availability as an error budget: the share of requests that may fail in a month, over all routes, and the alarms that
// fire when it is being spent too fast. A single failed request on a quiet stage fires none of them: the heartbeat alone asks
// every read each five minutes.
import { Duration } from 'aws-cdk-lib'
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch'
import type { PlannedAlarm, PlannedPair, Urgency } from './planned-alarm.ts'
import type { ServiceMetrics } from './service-metrics.ts'
import { maxFailedPercent } from './thresholds.ts'

interface Burn {
  readonly id: string
  readonly urgency: Urgency
  /** Times the rate that spends the budget in just a month. */
  readonly times: number
  /** Shows that it matters. */
  readonly long: Duration
  /** Shows that it goes on, so that the alarm ends soon after the failures. */
  readonly short: Duration
}

/**
 * Those of Google's SRE workbook: a fiftieth of the budget gone in an hour wakes somebody, a twentieth in six hours does not,
 * since five days are left.
 */
const burns: readonly Burn[] = [
  {
    id: 'ErrorBudgetFast',
    urgency: 'page',
    times: 14.4,
    long: Duration.hours(1),
    short: Duration.minutes(5),
  },
  {
    id: 'ErrorBudgetSlow',
    urgency: 'ticket',
    times: 6,
    long: Duration.hours(6),
    short: Duration.minutes(30),
  },
]

/** Per cent of the requests. */
const thresholdOf = ({ times }: Burn): number => maxFailedPercent * times

/** The shares of failed requests beyond which an alarm fires, in per cent, each with its window. */
export const budgetThresholds: readonly { readonly value: number; readonly label: string }[] = burns.map((burn) => ({
  value: thresholdOf(burn),
  label: `threshold of ${burn.long.toHumanString()}`,
}))

/** The share of requests that failed in a window, in per cent. Every request counts as one, so that no route has a rate. */
export function failedShare(metrics: ServiceMetrics, window: Duration): MathExpression {
  return new MathExpression({
    expression: '100 * faults / requests',
    usingMetrics: { faults: metrics.sum('Faults'), requests: metrics.sum('Requests') },
    period: window,
    label: 'failed, %',
  })
}

/** One pair for each speed: it fires while both windows are beyond its threshold. */
export const errorBudget = (metrics: ServiceMetrics): readonly PlannedPair[] =>
  burns.map((burn) => {
    const { id, urgency, long, short } = burn
    const threshold = thresholdOf(burn)
    const what = `More than ${threshold} % of the requests failed in ${long.toHumanString()}, and do in the last ${short.toHumanString()}.`
    const share = (window: Duration): PlannedAlarm['condition'] => ({
      metric: failedShare(metrics, window),
      threshold,
    })
    return {
      id,
      what,
      section: 'failing-requests',
      urgency,
      both: { Long: share(long), Short: share(short) },
    }
  })
