import { RemovalPolicy, Validations } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'

/**
 * What CloudFront tells the functions so that they know it: a random text of each generation, resolved by CloudFormation
 * when it deploys. It stands in the distribution's settings anyway, so that reading it at run time would protect it no
 * better. CloudFront and the functions change within some minutes, so the functions also accept the generations before and
 * after the one that is sent: a step forward and a step back, a failed deployment's too, shut nobody out.
 */
export class OriginSecret extends Construct {
  /** The text that CloudFront sends. */
  readonly sent: string
  /** The texts that functions accept, separated by commas. */
  readonly accepted: string

  /** @param generation from 1 on; its neighbours are valid too */
  constructor(scope: Construct, id: string, generation: number) {
    super(scope, id)
    const textOf = (number: number): string =>
      new Secret(this, `Generation${number}`, {
        description: `Tells the functions that a request came through CloudFront (generation ${number})`,
        generateSecretString: { passwordLength: 48, excludePunctuation: true },
        removalPolicy: RemovalPolicy.DESTROY,
      }).secretValue.unsafeUnwrap()
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'CloudFront and the functions change together, with a deployment of the next generation and not on a day.',
    })
    this.sent = textOf(generation)
    const neighbours = [generation - 1, generation + 1].filter((number) => number > 0)
    this.accepted = [this.sent, ...neighbours.map(textOf)].join(',')
  }
}
