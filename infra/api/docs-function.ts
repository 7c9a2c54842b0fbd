import { join } from 'node:path'
import type { Construct } from 'constructs'
import { docsFiles } from '../../functions/docs/page/files.ts'
import { storeFiles } from '../../functions/docs/served-files.ts'
import type { StageSettings } from '../settings/schema.ts'
import { bundledCode } from './bundled-code.ts'
import { buildConstants } from './bundling.ts'
import { ServiceFunction } from './service-function.ts'

/** The function of the docs page. It asks no node, so it is in no private network and has no key. */
export class DocsFunction extends ServiceFunction {
  /**
   * @param originSecrets separated by commas; each request must carry one
   * @param release version and commit, for the log
   */
  constructor(scope: Construct, settings: StageSettings, originSecrets: string, release: string) {
    const { customDomain } = settings
    // CloudFront's own name for the service is not known before it is deployed.
    const address = customDomain?.attached ? `https://${customDomain.domainName}` : undefined
    super(scope, 'docs', settings, {
      description: 'GET /docs and /openapi.json: the docs page with try-it',
      code: bundledCode(
        'docs',
        buildConstants(''),
        (folder) => storeFiles(join(folder, 'docs-files'), docsFiles({ address, compression: 'small' })),
        address,
      ),
      environment: { RELEASE: release, ORIGIN_SECRETS: originSecrets },
      reservedConcurrency: settings.reservedConcurrency.reads,
    })
  }
}
