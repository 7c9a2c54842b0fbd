// The topics that are told of alarms and of the budget.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { onlyResource, templateOf } from '../stack-template.ts'
import { everyUpstream } from '../stage-settings.ts'
import { allAlarms, telling } from './alarm-text.ts'

const checks = { healthCheck: true, broadcastHeartbeat: true, ticketEmail: 'team@example.org' }
const template = await templateOf({ ...checks, ...everyUpstream })

const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8')

/** The ids of topics by the ids of their constructs. */
const topics = Object.fromEntries(
  Object.keys(template.findResources('AWS::SNS::Topic')).map((id) => [
    /Topics(Page|Ticket)/.exec(id)?.[1],
    { Ref: id },
  ]),
)

describe('the topics', () => {
  const actionsOf = (stage: typeof template) =>
    telling(stage).map(({ Properties }) => [Properties.AlarmActions, Properties.OKActions])

  test('are told when an alarm fires and when it ends: that of pages or that of tickets, as the runbook says', () => {
    const told = telling(template).map(({ Properties }) => {
      const [topic] = Properties.AlarmActions
      expect(Properties.OKActions).toEqual([topic])
      return [Properties.AlarmDescription.replace(/^.*#/, ''), topic]
    })
    const rows = runbook.matchAll(/^\| \[[^\]]+\]\(#([a-z-]+)\)[^|]* \| (page|ticket): [^|]+ \|$/gm)
    const documented = [...rows].map(([, section, word]) => [section, word === 'page' ? topics.Page : topics.Ticket])
    const silent = allAlarms(template).filter(({ Properties }) => !Properties.AlarmActions)
    expect(silent.map(({ Properties }) => Properties.AlarmDescription)).toEqual(
      silent.map(() => expect.stringMatching(/^Tells nobody: a part of ErrorBudget(Fast|Slow)\. /)),
    )
    // A section may have alarms of both kinds.
    expect(new Set(told.map((row) => JSON.stringify(row)))).toEqual(
      new Set(documented.map((row) => JSON.stringify(row))),
    )
  })

  test('allow only alarms and budgets of their own account to publish, and only over TLS', () => {
    const policies = Object.values(template.findResources('AWS::SNS::TopicPolicy')).map(({ Properties }) => Properties)
    expect(policies.map(({ PolicyDocument: policy, Topics }) => [Topics, policy.Statement])).toEqual(
      [topics.Page, topics.Ticket].map((topic) => {
        const publishing = { Action: 'sns:Publish', Resource: topic }
        return [
          [topic],
          [
            {
              ...publishing,
              Sid: 'AllowPublishThroughSSLOnly',
              Effect: 'Deny',
              Principal: '*',
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            },
            {
              ...publishing,
              Sid: 'AlarmsAndBudgetsOfThisAccount',
              Effect: 'Allow',
              Principal: { Service: ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com'] },
              Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            },
          ],
        ]
      }),
    )
  })

  test('are one topic where the settings give none for tickets, with an address or existing as the settings say', async () => {
    const withAddress = await templateOf({ alarmEmail: 'ops@example.org' })
    const { properties: subscription } = onlyResource(withAddress, 'AWS::SNS::Subscription')
    const topic = { Ref: onlyResource(withAddress, 'AWS::SNS::Topic').id }
    expect(subscription).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.org', TopicArn: topic })
    expect(
      new Set(
        actionsOf(withAddress)
          .flat(2)
          .map(({ Ref: id }) => id),
      ),
    ).toEqual(new Set([topic.Ref]))
    const alarmTopicArn = 'arn:aws:sns:us-east-1:123456789012:ops'
    const ticketTopicArn = 'arn:aws:sns:us-east-1:123456789012:team'
    const existing = await templateOf({ alarmTopicArn, ticketTopicArn })
    expect(existing.findResources('AWS::SNS::Topic')).toEqual({})
    expect(new Set(actionsOf(existing).flat(2))).toEqual(new Set([alarmTopicArn, ticketTopicArn]))
  })
})

test('a monthly limit makes a budget of the resources with the tag of the stack, which writes to the tickets', async () => {
  const withLimit = await templateOf({ monthlyBudgetDollars: 50, ticketEmail: 'team@example.org' })
  const { properties, dependsOn } = onlyResource(withLimit, 'AWS::Budgets::Budget')
  const notification = (NotificationType: string, Threshold: number) => ({
    Notification: { NotificationType, Threshold, ThresholdType: 'PERCENTAGE', ComparisonOperator: 'GREATER_THAN' },
    Subscribers: [{ SubscriptionType: 'SNS', Address: topics.Ticket }],
  })
  expect(properties).toEqual({
    Budget: {
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 50, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['user:deployment$chain-explorer-dev/us-east-1'] },
    },
    NotificationsWithSubscribers: [notification('ACTUAL', 100), notification('FORECASTED', 120)],
  })
  expect(dependsOn).toContainEqual(expect.stringMatching(/TopicsTicketPolicy/))
  expect(template.findResources('AWS::Budgets::Budget')).toEqual({})
})
