// Stacks that cdk-nag and the CDK's own rules check at synthesis.
import { type App, Stack, Validations } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { ApiStack } from '../../../infra/api-stack.ts'
import type { StageSettings } from '../../../infra/settings/schema.ts'
import { release, settings } from '../stage-settings.ts'
import { bareApp } from './bare-app.ts'

/** @param withOwnRules true for a check by the CDK's own rules too, which take seconds to load */
function checked(withOwnRules: boolean): App {
  const app = bareApp(withOwnRules)
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  return app
}

/** The names of the stacks of an app. */
const namesOf = (app: App): readonly string[] => app.synth().stacks.map(({ stackName }) => stackName)

/**
 * Checks a stage.
 *
 * @returns the names of the stacks without findings
 * @throws Error with the findings that are not acknowledged
 */
export function checkedStage(changed: Partial<StageSettings>, withOwnRules: boolean): readonly string[] {
  const app = checked(withOwnRules)
  new ApiStack(app, { ...settings, ...changed }, release)
  return namesOf(app)
}

/** Checks a stack with a secret that never changes. See `checkedStage`. */
export function carelessStack(): readonly string[] {
  const app = checked(false)
  new Secret(new Stack(app, 'careless'), 'Unrotated')
  return namesOf(app)
}
