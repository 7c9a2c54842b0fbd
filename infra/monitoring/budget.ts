import { Stack } from 'aws-cdk-lib'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'

/**
 * The tag by which a budget tells the resources of one stack from all others: another stage, or the same stage in another
 * region, has another value. AWS counts by a tag only after somebody has activated it in the account.
 */
export const deploymentTag = (stackName: string, region: string): Readonly<Record<'deployment', string>> => ({
  deployment: `${stackName}/${region}`,
})

/** Per cent of the limit: spent, or forecast to be spent at the end of the month. */
const thresholds = [
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 120 },
] as const

/** Writes to a topic when the stack costs more in a month than its limit. It stops nothing. */
export class Budget extends Construct {
  constructor(scope: Construct, id: string, dollars: number, topic: ITopic) {
    super(scope, id)
    const { stackName, region } = Stack.of(this)
    const { deployment } = deploymentTag(stackName, region)
    const budget = new CfnBudget(this, 'Monthly', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
        costFilters: { TagKeyValue: [`user:deployment$${deployment}`] },
      },
      notificationsWithSubscribers: thresholds.map((threshold) => ({
        notification: { ...threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
        subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
      })),
    })
    // The topic must allow AWS Budgets to publish before it is told of.
    budget.node.addDependency(topic)
  }
}
