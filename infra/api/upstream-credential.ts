// Credentials of upstreams: functions are told where one is kept, and may read it and nothing else.
import { ArnFormat, Duration, type Stack } from 'aws-cdk-lib'
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { ParamsAndSecretsLayerVersion, ParamsAndSecretsVersions } from 'aws-cdk-lib/aws-lambda'
import type { Endpoint } from '../../shared/endpoint.ts'
import type { Credential, StageSettings } from '../settings/schema.ts'

/** For one look at a secret; beyond it the function answers that the upstream is unavailable. */
const patience = Duration.seconds(2)

/** An extension beside the function that reads secrets and parameters for it: no AWS SDK in the bundle. */
export const credentialReader = (): ParamsAndSecretsLayerVersion =>
  ParamsAndSecretsLayerVersion.fromVersion(ParamsAndSecretsVersions.V1_0_103, {
    // The functions keep keys themselves, and read them anew when they are refused.
    cacheEnabled: false,
    secretsManagerTimeout: patience,
    parameterStoreTimeout: patience,
  })

export const asksIndexer = ({ operations }: Endpoint): boolean =>
  operations.some(({ upstream }) => upstream === 'indexer')

/** The credentials that the function of an endpoint needs, by the variable that tells it of them. */
export function credentialsOf(endpoint: Endpoint, settings: StageSettings): Readonly<Record<string, Credential>> {
  const { nodeCredential, indexerCredential, indexerGraphqlUrl } = settings
  const hasIndexer = asksIndexer(endpoint) && indexerGraphqlUrl !== null
  return {
    ...(nodeCredential !== null && { NODE_CREDENTIAL: nodeCredential }),
    ...(hasIndexer && indexerCredential !== null && { INDEXER_CREDENTIAL: indexerCredential }),
  }
}

/** `{"header":"x-api-key","secret":"name or ARN"}`, or with `parameter` instead. */
export const credentialText = ({ header, secret, parameter }: Credential): string =>
  JSON.stringify(secret === null ? { header, parameter } : { header, secret })

function readingOf({ secret, parameter }: Credential, stack: Stack): PolicyStatement {
  if (secret === null) {
    // Its name begins with the slash that the ARN has after `parameter`.
    const resourceName = String(parameter).slice(1)
    return new PolicyStatement({
      actions: ['ssm:GetParameter'],
      resources: [stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName })],
    })
  }
  const byName = {
    service: 'secretsmanager',
    resource: 'secret',
    // Secrets Manager puts a hyphen and six characters after the name.
    resourceName: `${secret}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  }
  return new PolicyStatement({
    actions: ['secretsmanager:GetSecretValue'],
    resources: [secret.startsWith('arn:') ? secret : stack.formatArn(byName)],
  })
}

/** Lets a function read a credential that is encrypted with a key of AWS's own. */
export const allowReading = ({ grantPrincipal }: IGrantable, credential: Credential, stack: Stack): void => {
  grantPrincipal.addToPrincipalPolicy(readingOf(credential, stack))
}
