// The CDK app, started by the CDK's command line as cdk.json says.
import { App } from 'aws-cdk-lib'
import { ApiStack } from './api-stack.ts'
import { readStageSettings, SettingsError } from './settings.ts'

const app = new App({ autoSynth: false })
try {
  const settings = readStageSettings((key) => app.node.tryGetContext(key), process.env)
  new ApiStack(app, settings)
  app.synth()
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
