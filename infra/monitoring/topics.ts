// The SNS topics that are told of alarms.
import { Stack, Validations } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import type { StageSettings } from '../settings/schema.ts'
import type { Urgency } from './planned-alarm.ts'

export type TopicSettings = Pick<StageSettings, 'alarmEmail' | 'alarmTopicArn' | 'ticketEmail' | 'ticketTopicArn'>

/** The topic of each urgency: one for both, unless the stage has an address or a topic for tickets. */
export class Topics extends Construct implements Readonly<Record<Urgency, ITopic>> {
  readonly page: ITopic
  readonly ticket: ITopic

  constructor(scope: Construct, id: string, settings: TopicSettings) {
    super(scope, id)
    const { alarmEmail, alarmTopicArn, ticketEmail, ticketTopicArn } = settings
    this.page = this.#topic('Page', alarmEmail, alarmTopicArn)
    const isShared = ticketEmail === null && ticketTopicArn === null
    this.ticket = isShared ? this.page : this.#topic('Ticket', ticketEmail, ticketTopicArn)
  }

  #topic(id: string, email: string | null, arn: string | null): ITopic {
    const topic = arn === null ? this.#ownTopic(id) : Topic.fromTopicArn(this, id, arn)
    if (email === null) return topic
    topic.addSubscription(new EmailSubscription(email))
    Validations.of(topic).acknowledge({
      id: 'Serverless::Serverless-SNSRedrivePolicy',
      reason: 'A queue for undelivered e-mails would have no reader. The dashboard shows the alarm.',
    })
    return topic
  }

  /**
   * Not encrypted: alarms could publish to it only with a customer-managed key, which costs more than the topic itself, and
   * alarms hold no secret.
   */
  #ownTopic(id: string): Topic {
    const topic = new Topic(this, id, { enforceSSL: true })
    // Any policy replaces the default one, which allows the account's own alarms to publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsAndBudgetsOfThisAccount',
        principals: ['cloudwatch', 'budgets'].map((service) => new ServicePrincipal(`${service}.amazonaws.com`)),
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    )
    return topic
  }
}
