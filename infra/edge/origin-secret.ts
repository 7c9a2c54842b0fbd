import { RemovalPolicy, SecretValue, Validations } from 'aws-cdk-lib'
import { CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'

/**
 * A random text that CloudFront sends and the functions require, one for each generation. CloudFormation resolves it on
 * deployment. The distribution's settings hold it as plain text, so reading it at run time would not protect it better.
 * A deployment changes CloudFront and the functions within some minutes, not at once. So the functions also accept the
 * generations before and after the one that is sent: a rotation and its rollback refuse no request.
 *
 * The accepted texts stand in one more secret, since a template has room for 60 references and each function needs one for each
 * text otherwise. Each generation has its own: CloudFormation resolves a reference again only where the text of a resource
 * differs.
 */
export class OriginSecret extends Construct {
  /** The text that CloudFront sends. */
  readonly sent: string
  /** The texts that functions accept, separated by commas. */
  readonly accepted: string

  /** @param generation 1 or more; its neighbours are accepted too */
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
      reason: 'CloudFront and the functions change together when the next generation is deployed, not on a schedule.',
    })
    this.sent = textOf(generation)
    const neighbours = [generation - 1, generation + 1].filter((number) => number > 0)
    const accepted = new CfnSecret(this, `AcceptedWith${generation}`, {
      description: `What the functions accept while CloudFront sends generation ${generation}`,
      secretString: [this.sent, ...neighbours.map(textOf)].join(','),
    })
    this.accepted = SecretValue.secretsManager(accepted.ref).unsafeUnwrap()
  }
}
