// The checks from outside, who is told, and what the stack may cost.
import { optional, text, trueOrFalse, wholeNumber } from '../kinds.ts'

const address = (what: string) =>
  optional(text(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, `an e-mail address for ${what}`, 'ops@example.org'))

const topic = (what: string) =>
  optional(
    text(
      /^arn:aws:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/,
      `the ARN of an SNS topic for ${what}`,
      'arn:aws:sns:us-east-1:123456789012:explorer-alarms',
    ),
  )

export const watching = {
  healthCheck: trueOrFalse(
    'whether Route 53 requests the public /summary every 30 seconds from three regions (in us-east-1 only)',
  ).default(false),
  broadcastHeartbeat: trueOrFalse(
    'whether a function posts a payment that can never run to the public address every five minutes',
  ).default(false),
  routeMetrics: trueOrFalse('whether each route has separate metrics and alarms (see Small stages)').default(true),
  cdnAccessLog: trueOrFalse(
    'whether CloudFront logs each request, without its address, path and query (in us-east-1 only)',
  ).default(false),
  alarmEmail: address('pages, and for tickets unless they have one'),
  alarmTopicArn: topic('pages, in place of a new one, and for tickets unless they have one'),
  ticketEmail: address('tickets'),
  ticketTopicArn: topic('tickets, in place of a new one'),
  monthlyBudgetDollars: optional(
    wholeNumber(
      { min: 1, max: 1_000_000 },
      'US dollars a month above which AWS Budgets writes a ticket (see Budget)',
      100,
    ),
  ),
}
