// Credentials of upstreams. A function gets the name of its secret or parameter, and may read that one only.
import { ArnFormat, Duration, type Stack } from 'aws-cdk-lib'
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { ParamsAndSecretsLayerVersion, ParamsAndSecretsVersions } from 'aws-cdk-lib/aws-lambda'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import type { Credential } from '../settings/credential.ts'
import type { StageSettings } from '../settings/schema.ts'

/** For one read of a secret. After it the function answers that the upstream is unavailable. */
const readTimeout = Duration.seconds(2)

/** A Lambda extension that reads secrets and parameters, so that the bundle needs no AWS SDK. */
export const credentialReader = (): ParamsAndSecretsLayerVersion =>
  ParamsAndSecretsLayerVersion.fromVersion(ParamsAndSecretsVersions.V1_0_103, {
    // The functions cache keys themselves, and read them again when an upstream refuses one.
    cacheEnabled: false,
    secretsManagerTimeout: readTimeout,
    parameterStoreTimeout: readTimeout,
  })

export const asksIndexer = ({ operations }: Endpoint): boolean =>
  operations.some(({ upstream }) => upstream === 'indexer')

/** The credentials that the function of an endpoint needs, by the variables that name them. */
export function credentialsOf(endpoint: Endpoint, settings: StageSettings): Readonly<Record<string, Credential>> {
  const { nodeCredential, indexerCredential, indexerGraphqlUrl } = settings
  const hasIndexer = asksIndexer(endpoint) && indexerGraphqlUrl !== null
  return {
    ...(nodeCredential !== null && { NODE_CREDENTIAL: nodeCredential }),
    ...(hasIndexer && indexerCredential !== null && { INDEXER_CREDENTIAL: indexerCredential }),
  }
}

/** All credentials that the function of an endpoint may read: those of `nodes` as well, which `NODES` names. */
export const credentialsToRead = (endpoint: Endpoint, settings: StageSettings): readonly Credential[] => [
  ...Object.values(credentialsOf(endpoint, settings)),
  ...(settings.nodes ?? []).flatMap(({ credential }) => credential ?? []),
]

/** `{"header":"x-api-key","secret":"name or ARN"}`, or with `parameter` instead. */
export const credentialText = (credential: Credential): string => JSON.stringify(namedCredential(credential))

/** The same as an object, where it is part of a list. */
export const namedCredential = ({ header, secret, parameter }: Credential): object =>
  secret === null ? { header, parameter } : { header, secret }

function readingOf({ secret, parameter }: Credential, stack: Stack): PolicyStatement {
  if (secret === null) {
    // The name begins with the slash that follows `parameter` in the ARN.
    const resourceName = String(parameter).slice(1)
    return new PolicyStatement({
      actions: ['ssm:GetParameter'],
      resources: [stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName })],
    })
  }
  const byName = {
    service: 'secretsmanager',
    resource: 'secret',
    // Secrets Manager appends a hyphen and six characters to the name.
    resourceName: `${secret}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  }
  return new PolicyStatement({
    actions: ['secretsmanager:GetSecretValue'],
    resources: [secret.startsWith('arn:') ? secret : stack.formatArn(byName)],
  })
}

/** Allows a function to read a credential. Only AWS's own encryption keys work: no right to decrypt is granted. */
export const allowReading = ({ grantPrincipal }: IGrantable, credential: Credential, stack: Stack): void => {
  grantPrincipal.addToPrincipalPolicy(readingOf(credential, stack))
}
