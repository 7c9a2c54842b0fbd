import { join } from 'node:path'
import { Duration } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda'
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs'
import { Construct } from 'constructs'
import type { Endpoint } from '../shared/endpoint.ts'
import { buildConstants, bundling, projectRoot } from './bundling.ts'
import { environmentOf } from './environment.ts'
import { stageLogGroup } from './log-group.ts'
import type { StageSettings } from './settings.ts'

/** About 60 MB are in use. Lambda gives processor time with memory, which shortens cold start, TLS and ten blocks of JSON. */
const memoryMegabytes = 512

/** Below the HTTP API's fixed 30 s, so that a slow upstream ends in our answer, and above the longest upstream time-out, 20 s. */
const timeout = Duration.seconds(25)

/** `getBlock` is served by `functions/get-block.ts`. */
function entryOf(name: string): string {
  const fileName = name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
  return join(projectRoot, 'functions', `${fileName}.ts`)
}

/** The function of one endpoint with all that is its own: a log group, and a role that may write there and nowhere else. */
export class EndpointFunction extends Construct {
  readonly handler: NodejsFunction

  /** @param originSecrets the texts, separated by commas, of which a request must carry one */
  constructor(scope: Construct, endpoint: Endpoint, settings: StageSettings, originSecrets: string) {
    super(scope, endpoint.name)

    const logGroup = stageLogGroup(this, 'Logs', settings)
    // Instead of AWSLambdaBasicExecutionRole, which may write to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)

    this.handler = new NodejsFunction(this, 'Function', {
      description: `${endpoint.method} ${endpoint.path}: ${endpoint.summary}`,
      entry: entryOf(endpoint.name),
      handler: 'handler',
      projectRoot,
      depsLockFilePath: join(projectRoot, 'package-lock.json'),
      bundling: bundling(buildConstants(settings.lockedSupplyTable)),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout,
      environment: { ...environmentOf(endpoint, settings), ORIGIN_SECRETS: originSecrets },
      role,
      logGroup,
      // For Lambda's own lines. The service's are JSON already and go past the console, straight to stdout.
      loggingFormat: LoggingFormat.JSON,
    })
  }
}
