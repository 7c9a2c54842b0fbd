import { Duration, Stack, Validations } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  ApplicationLogLevel,
  Architecture,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { functionTimeoutMs } from '../../shared/deployment/settings.ts'
import type { FunctionEnvironment } from '../../shared/deployment/stage-settings.ts'
import type { Credential } from '../settings/credential.ts'
import type { StageSettings } from '../settings/schema.ts'
import { stageLogGroup } from './log-group.ts'
import { networkInterfaces, type PrivateNetwork } from './private-network.ts'
import { allowReading, credentialReader } from './upstream-credential.ts'

/** About 60 MB are in use. More memory brings more processor time: a faster cold start, TLS handshake and JSON parsing. */
const memoryMegabytes = 512

const timeout = Duration.millis(functionTimeoutMs)

interface ServiceFunctionProps {
  readonly description: string
  /** A file `index.mjs` that exports `handler`. */
  readonly code: Code
  readonly environment: FunctionEnvironment
  /** The credentials that it may read. */
  readonly credentials?: readonly Credential[]
  /** Executions reserved for it; null for none. */
  readonly reservedConcurrency?: number | null
  /** Absent where it reaches public upstreams only, or none. */
  readonly network?: PrivateNetwork | undefined
}

/** A function of the service, with its own log group and a role with the least privileges. */
export class ServiceFunction extends Construct {
  readonly handler: LambdaFunction
  readonly logGroupName: string

  constructor(scope: Construct, id: string, settings: StageSettings, props: ServiceFunctionProps) {
    super(scope, id)
    const { description, code, environment, network, credentials = [], reservedConcurrency = null } = props

    const logGroup = stageLogGroup(this, 'Logs', settings)
    this.logGroupName = logGroup.logGroupName
    // AWSLambdaBasicExecutionRole would allow it to write to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)
    for (const credential of credentials) allowReading(role, credential, Stack.of(this))
    if (network !== undefined) role.addToPolicy(networkInterfaces())

    this.handler = new LambdaFunction(this, 'Function', {
      description,
      code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout,
      environment: { ...environment },
      role,
      logGroup,
      // For Lambda's own lines. The service writes its JSON lines straight to stdout, not through the console.
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // Lambda's lines for start and end of each call repeat what the service's own line says, and cost as much.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: settings.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(credentials.length > 0 && { paramsAndSecrets: credentialReader() }),
      ...(reservedConcurrency !== null && { reservedConcurrentExecutions: reservedConcurrency }),
      ...(network !== undefined && {
        vpc: network.vpc,
        securityGroups: network.securityGroups,
      }),
    })
    Validations.of(this).acknowledge(
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'These actions take no resource: they write traces and create network interfaces.',
      },
      {
        id: 'Serverless-LambdaDLQ',
        reason: 'Only the heartbeat invokes functions asynchronously, and a lost heartbeat is not repeated.',
      },
      ...(settings.tracing
        ? []
        : [
            {
              id: 'Serverless-LambdaTracing',
              reason: 'The settings of the stage turn tracing off: the log has the time of each call to an upstream.',
            },
          ]),
    )
  }
}
