import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { ApiStack } from '../../../infra/api-stack.ts'
import type { StageSettings } from '../../../infra/settings/schema.ts'
import { release, settings } from '../stage-settings.ts'

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
    // No test reads them.
    ...{ stackTraces: false, treeMetadata: false },
  })
}

/** The stack of a stage, without its bundles. */
interface SynthesisedStage {
  readonly name: string
  readonly template: ReturnType<Template['toJSON']>
  readonly tags: Readonly<Record<string, string>>
  readonly terminationProtection: boolean
  /** For these `cdk deploy --strict` refuses a stack. */
  readonly warnings: readonly unknown[]
}

/**
 * Synthesises stages in one app.
 *
 * @param changes what differs from the settings of the tests, for each stage, and its commit
 * @throws Error for a template that cannot be deployed, since resources depend on each other in a circle
 */
export function stages(
  ...changes: (Partial<StageSettings> & { readonly commit?: string })[]
): readonly SynthesisedStage[] {
  const app = bareApp()
  const stacks = changes.map(
    ({ commit = release.commit, ...changed }) => new ApiStack(app, { ...settings, ...changed }, { ...release, commit }),
  )
  const assembly = app.synth()
  return stacks.map((stack) => {
    const {
      stackName: name,
      tags,
      messages,
      terminationProtection = false,
    } = assembly.getStackArtifact(stack.artifactId)
    const warnings = messages.filter(({ level }) => level !== 'info').map(({ entry: { data } }) => data)
    return { name, template: Template.fromStack(stack).toJSON(), tags, terminationProtection, warnings }
  })
}
