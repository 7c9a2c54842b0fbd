import type { Construct } from 'constructs'
import type { DeclaredEndpoint } from '../../shared/endpoints/all.ts'
import { fileNameOf, routeOf } from '../../shared/http/routes.ts'
import type { StageSettings } from '../settings/schema.ts'
import { bundledCode } from './bundled-code.ts'
import { buildConstants } from './bundling.ts'
import { environmentOf } from './environment.ts'
import type { PrivateNetwork } from './private-network.ts'
import { ServiceFunction } from './service-function.ts'
import { credentialsToRead } from './upstream-credential.ts'

/** Shared by all functions of a stage. */
interface SharedResources {
  /** Separated by commas; each request must carry one. */
  readonly originSecrets: string
  /** Version and commit. */
  readonly release: string
  /** Absent on a stage with public upstreams. */
  readonly network?: PrivateNetwork
}

/** The function of one endpoint. */
export class EndpointFunction extends ServiceFunction {
  constructor(
    scope: Construct,
    endpoint: DeclaredEndpoint,
    settings: StageSettings,
    { originSecrets, release, network }: SharedResources,
  ) {
    super(scope, endpoint.name, settings, {
      description: `${routeOf(endpoint)}: ${endpoint.summary}`,
      code: bundledCode(fileNameOf(endpoint.name), buildConstants(settings.lockedSupplyTable)),
      environment: environmentOf(endpoint, settings, originSecrets, release),
      credentials: credentialsToRead(endpoint, settings),
      reservedConcurrency: settings.reservedConcurrency[endpoint.method === 'POST' ? 'broadcasts' : 'reads'],
      network,
    })
  }
}
