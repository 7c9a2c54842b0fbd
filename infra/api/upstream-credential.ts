// Credentials of upstreams. A function gets the name of its secret or parameter, and may read that one only.
import { ArnFormat, Duration, type Stack } from 'aws-cdk-lib'
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { ParamsAndSecretsLayerVersion, ParamsAndSecretsVersions } from 'aws-cdk-lib/aws-lambda'
import type { DeclaredEndpoint } from '../../shared/endpoints/all.ts'
import type { Credential } from '../settings/credential.ts'
import type { StageSettings } from '../settings/schema.ts'
import { settingsOf } from './environment.ts'

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

/** All credentials that the function of an endpoint may read: those of `nodes` as well, which `NODES` names. */
export const credentialsToRead = (endpoint: DeclaredEndpoint, settings: StageSettings): readonly Credential[] => {
  const names = settingsOf(endpoint, settings).map(([name]) => name)
  const own = (['nodeCredential', 'indexerCredential'] as const).filter((name) => names.includes(name))
  return [...own.map((name) => settings[name]), ...(settings.nodes ?? []).map(({ credential }) => credential)].filter(
    (credential) => credential !== null,
  )
}

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
