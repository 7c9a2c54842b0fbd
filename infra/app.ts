// The CDK app. cdk.json names it as the program that the CDK's command line starts.
import { App } from 'aws-cdk-lib'
import { ApiStack } from './api-stack.ts'
import { releaseOf } from './release.ts'
import { SettingsError } from './settings/mistakes.ts'
import { readStageSettings } from './settings/read.ts'
import { chosenStage } from './settings/stage-file.ts'

const app = new App({ autoSynth: false })
try {
  const context = app.node.getAllContext()
  const { stage, file } = await chosenStage(context, process.env)
  const { settings, printed } = readStageSettings(stage, file, context, process.env)
  // Not to stdout, where the CDK's command line may print a template.
  console.error(printed)
  new ApiStack(app, settings, releaseOf())
  app.synth()
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
