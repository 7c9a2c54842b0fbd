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
import { fileNameOf } from '../../shared/deployment-names.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { projectRoot } from '../project-root.ts'
import type { StageSettings } from '../settings/schema.ts'
import { buildConstants, bundling } from './bundling.ts'
import { environmentOf } from './environment.ts'
import { stageLogGroup } from './log-group.ts'
import { networkInterfaces, type PrivateNetwork } from './private-network.ts'
import { allowReading, credentialReader, credentialsOf } from './upstream-credential.ts'

/** About 60 MB are in use. Lambda gives processor time with memory, which shortens cold start, TLS and ten blocks of JSON. */
const memoryMegabytes = 512

/** Below the HTTP API's fixed 30 s, so that a slow upstream ends in our answer, and above the longest upstream time-out, 20 s. */
const timeout = Duration.seconds(25)

/** What all functions of a stage share. */
interface Surroundings {
  /** The texts, separated by commas, of which a request must carry one. */
  readonly originSecrets: string
  /** Absent on a stage whose upstreams are public. */
  readonly network?: PrivateNetwork
}

/** The function of one endpoint with all that is its own: a log group, and a role that may do what it needs and no more. */
export class EndpointFunction extends Construct {
  readonly handler: NodejsFunction
  readonly logGroupName: string

  constructor(scope: Construct, endpoint: Endpoint, settings: StageSettings, { originSecrets, network }: Surroundings) {
    super(scope, endpoint.name)
    const credentials = Object.values(credentialsOf(endpoint, settings))
    const reserved = endpoint.method === 'POST' ? settings.broadcastReservedConcurrency : null

    const logGroup = stageLogGroup(this, 'Logs', settings)
    this.logGroupName = logGroup.logGroupName
    // Instead of AWSLambdaBasicExecutionRole, which may write to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)
    for (const credential of credentials) allowReading(role, credential, Stack.of(this))
    if (network !== undefined) role.addToPolicy(networkInterfaces())

    this.handler = new NodejsFunction(this, 'Function', {
      description: `${endpoint.method} ${endpoint.path}: ${endpoint.summary}`,
      entry: join(projectRoot, 'functions', `${fileNameOf(endpoint.name)}.ts`),
      handler: 'handler',
      projectRoot,
      depsLockFilePath: join(projectRoot, 'package-lock.json'),
      bundling: bundling(buildConstants(settings.lockedSupplyTable)),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout,
      environment: environmentOf(endpoint, settings, originSecrets),
      role,
      logGroup,
      // For Lambda's own lines. The service's are JSON already and go past the console, straight to stdout.
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // Start and end of each call say nothing that the service's own line does not, and cost as much.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: Tracing.ACTIVE,
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
        reason:
          'Traces, and network interfaces that do not exist yet: the services know no resource for these actions.',
      },
      {
        id: 'Serverless-LambdaDLQ',
        reason:
          'The API gateway waits for each answer. Only the heartbeat does not, and what one misses the next one tells.',
      },
    )
  }
}
