import { join } from 'node:path'
import { Duration, Stack, Validations } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  ApplicationLogLevel,
  Architecture,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs'
import { Construct } from 'constructs'
import { functionTimeoutMs } from '../../shared/agreements/limits.ts'
import { fileNameOf, routeOf } from '../../shared/agreements/names.ts'
import type { Endpoint } from '../../shared/endpoints/endpoint.ts'
import { projectRoot } from '../project-root.ts'
import type { StageSettings } from '../settings/schema.ts'
import { buildConstants, bundling } from './bundling.ts'
import { environmentOf } from './environment.ts'
import { stageLogGroup } from './log-group.ts'
import { networkInterfaces, type PrivateNetwork } from './private-network.ts'
import { allowReading, credentialReader, credentialsToRead } from './upstream-credential.ts'

/** About 60 MB are in use. More memory brings more processor time: a faster cold start, TLS handshake and JSON parsing. */
const memoryMegabytes = 512

const timeout = Duration.millis(functionTimeoutMs)

/** What all functions of a stage share. */
interface SharedResources {
  /** Separated by commas; each request must carry one. */
  readonly originSecrets: string
  /** Version and commit. */
  readonly release: string
  /** Absent on a stage with public upstreams. */
  readonly network?: PrivateNetwork
}

/** The function of one endpoint, with its own log group and a role with the least privileges. */
export class EndpointFunction extends Construct {
  readonly handler: NodejsFunction
  readonly logGroupName: string

  constructor(
    scope: Construct,
    endpoint: Endpoint,
    settings: StageSettings,
    { originSecrets, release, network }: SharedResources,
  ) {
    super(scope, endpoint.name)
    const credentials = credentialsToRead(endpoint, settings)
    const reserved = endpoint.method === 'POST' ? settings.broadcastReservedConcurrency : null

    const logGroup = stageLogGroup(this, 'Logs', settings)
    this.logGroupName = logGroup.logGroupName
    // AWSLambdaBasicExecutionRole would allow it to write to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)
    for (const credential of credentials) allowReading(role, credential, Stack.of(this))
    if (network !== undefined) role.addToPolicy(networkInterfaces())

    this.handler = new NodejsFunction(this, 'Function', {
      description: `${routeOf(endpoint)}: ${endpoint.summary}`,
      entry: join(projectRoot, 'functions', `${fileNameOf(endpoint.name)}.ts`),
      handler: 'handler',
      projectRoot,
      depsLockFilePath: join(projectRoot, 'package-lock.json'),
      bundling: bundling(buildConstants(settings.lockedSupplyTable)),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout,
      environment: environmentOf(endpoint, settings, originSecrets, release),
      role,
      logGroup,
      // For Lambda's own lines. The service writes its JSON lines straight to stdout, not through the console.
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // Lambda's lines for start and end of each call repeat what the service's own line says, and cost as much.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: settings.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(credentials.length > 0 && { paramsAndSecrets: credentialReader() }),
      ...(reserved !== null && { reservedConcurrentExecutions: reserved }),
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
