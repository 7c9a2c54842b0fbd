import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { ApiStack } from '../../infra/api-stack.ts'
import type { StageSettings } from '../../infra/settings/schema.ts'
import { bareApp, release, settings } from './stack-template.ts'

/** What `cdk deploy --strict` refuses. */
function warningsOf(changed: Partial<StageSettings>): readonly unknown[] {
  const app = bareApp()
  const { artifactId } = new ApiStack(app, { ...settings, ...changed }, release)
  const { messages } = app.synth().getStackArtifact(artifactId)
  return messages.filter(({ level }) => level !== 'info').map(({ entry: { data } }) => data)
}

describe('a stack', () => {
  // Where the CDK tells of warnings as well.
  beforeEach(() => {
    jest.spyOn(console, 'error').mockReturnValue(undefined)
  })
  afterEach(() => {
    jest.restoreAllMocks()
  })

  test('warns of each placeholder in a ready stage file', () => {
    const ofNode = 'https://node.example/graphql'
    const ofIndexer = 'https://indexer.example/graphql'
    expect(warningsOf({ nodeGraphqlUrl: ofNode, indexerGraphqlUrl: ofIndexer })).toEqual([
      expect.stringContaining(`nodeGraphqlUrl is still the placeholder ${ofNode}: set it before you deploy.`),
      expect.stringContaining(`indexerGraphqlUrl is still the placeholder ${ofIndexer}: set it before you deploy.`),
    ])
  })

  test('warns of nothing else', () => {
    expect(warningsOf({ indexerGraphqlUrl: 'https://indexer.example.org/graphql' })).toEqual([])
  })
})
