// Stacks that cdk-nag and the CDK's own rules check at synthesis.
import { Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { ApiStack } from '../../../infra/api-stack.ts'
import type { StageSettings } from '../../../infra/settings/schema.ts'
import { release, settings } from '../stage-settings.ts'
import { bareApp } from './stages.ts'

/**
 * Checks a stage.
 *
 * @param withOwnRules true for a check by the CDK's own rules too, which take seconds to load
 * @returns the names of the stacks without findings
 * @throws Error with the findings that are not acknowledged
 */
export function checkedStage(changed: Partial<StageSettings>, withOwnRules: boolean): readonly string[] {
  const app = bareApp(withOwnRules)
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  new ApiStack(app, { ...settings, ...changed }, release)
  return app.synth().stacks.map(({ stackName }) => stackName)
}
