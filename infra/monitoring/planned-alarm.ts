import type { AlarmProps } from 'aws-cdk-lib/aws-cloudwatch'

/** Who is told of an alarm: `page` wakes somebody, since users are hurt now; `ticket` waits for the morning. */
export type Urgency = 'page' | 'ticket'

export type Condition = Pick<AlarmProps, 'metric' | 'threshold'> & Partial<AlarmProps>

/** An alarm before it is made. */
export interface PlannedAlarm {
  readonly id: string
  readonly what: string
  /** The anchor of a heading in the runbook. */
  readonly section: string
  readonly urgency: Urgency
  /** True for an alarm that a bad release causes, so that a deployment during which it fires is rolled back. */
  readonly rollsBack?: true
  readonly condition: Condition
}
