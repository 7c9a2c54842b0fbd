import { expect, test } from '@jest/globals'
import { ApiStack } from '../../infra/api-stack.ts'
import { bareApp, release, settings } from './stack-template.ts'

test('all that the stack holds is tagged with its release', () => {
  const app = bareApp()
  const { artifactId } = new ApiStack(app, settings, release)
  expect(app.synth().getStackArtifact(artifactId).tags).toEqual({
    service: 'chain-explorer',
    stage: 'dev',
    version: '1.2.3',
    commit: '0123456789ab',
  })
})
