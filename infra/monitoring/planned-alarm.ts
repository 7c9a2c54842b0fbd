import type { AlarmProps } from 'aws-cdk-lib/aws-cloudwatch'

/** Who is told of an alarm: `page` wakes somebody, since users are hurt now; `ticket` waits for the morning. */
export type Urgency = 'page' | 'ticket'

export type Condition = Pick<AlarmProps, 'metric' | 'threshold'> & Partial<AlarmProps>

interface Planned {
  readonly id: string
  readonly what: string
  /** The anchor of a heading in the runbook. */
  readonly section: string
  readonly urgency: Urgency
}

/** An alarm before it is made. */
export interface PlannedAlarm extends Planned {
  /** True for an alarm that a bad release causes, so that a deployment during which it fires is rolled back. */
  readonly rollsBack?: true
  readonly condition: Condition
}

/** An alarm that fires while two others do, which tell nobody themselves. */
export interface PlannedPair extends Planned {
  /** By what is added to the id. */
  readonly both: Readonly<Record<string, Condition>>
}
