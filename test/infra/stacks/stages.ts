import { Template } from 'aws-cdk-lib/assertions'
import { ApiStack, type Release } from '../../../infra/api-stack.ts'
import type { StageSettings } from '../../../infra/settings/schema.ts'
import { release, settings } from '../stage-settings.ts'
import { bareApp } from './bare-app.ts'

/** The stack of a stage, without its bundles. */
interface SynthesisedStage {
  readonly name: string
  readonly template: ReturnType<Template['toJSON']>
  readonly tags: Readonly<Record<string, string>>
  /** For these `cdk deploy --strict` refuses a stack. */
  readonly warnings: readonly unknown[]
}

function synthesised(changes: readonly Partial<StageSettings>[], released: Release): readonly SynthesisedStage[] {
  const app = bareApp()
  const stacks = changes.map((changed) => new ApiStack(app, { ...settings, ...changed }, released))
  const assembly = app.synth()
  return stacks.map((stack) => {
    const { stackName: name, tags, messages } = assembly.getStackArtifact(stack.artifactId)
    const warnings = messages.filter(({ level }) => level !== 'info').map(({ entry: { data } }) => data)
    return { name, template: Template.fromStack(stack).toJSON(), tags, warnings }
  })
}

/**
 * Synthesises stages in one app.
 *
 * @param changes what differs from the settings of the tests, for each stage
 * @throws Error for a template that cannot be deployed, since resources depend on each other in a circle
 */
export const stages = (...changes: Partial<StageSettings>[]): readonly SynthesisedStage[] =>
  synthesised(changes, release)

/** The stage of the tests as of a commit. */
export function committedStage(commit: string): SynthesisedStage {
  const [stage] = synthesised([{}], { ...release, commit })
  if (stage === undefined) throw new Error('The app has no stack.')
  return stage
}
