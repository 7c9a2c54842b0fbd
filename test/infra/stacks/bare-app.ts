import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'

// Otherwise each app would leave a folder behind.
const outdir = mkdtempSync(join(tmpdir(), 'chain-explorer-assembly-'))
process.on('exit', () => rmSync(outdir, { recursive: true }))

/**
 * An app with the project's feature flags that builds no bundles.
 *
 * @param builtinCloudFormationValidation true for a check by the CDK's own rules, which take seconds to load
 */
export function bareApp(builtinCloudFormationValidation = false): App {
  const { context } = JSON.parse(readFileSync(new URL('../../../cdk.json', import.meta.url), 'utf8'))
  return new App({
    builtinCloudFormationValidation,
    context: {
      ...context,
      'aws:cdk:bundling-stacks': [],
      // Else findings are printed, and the error names none of them.
      '@aws-cdk/core:appMode': 'inmemory',
    },
    outdir,
  })
}
