import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { ApiStack } from '../../../infra/api-stack.ts'
import { bareApp, release, settings } from '../stack-template.ts'

/** What `cdk deploy --strict` refuses. */
function warningsOf(nodeGraphqlUrl: string): readonly unknown[] {
  const app = bareApp()
  const { artifactId } = new ApiStack(app, { ...settings, nodeGraphqlUrl }, release)
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

  test('warns of the placeholder in a ready stage file', () => {
    expect(warningsOf('https://node.example/graphql')).toEqual([
      'nodeGraphqlUrl is still the placeholder https://node.example/graphql: set it before you deploy. [ack: chain-explorer:placeholder]',
    ])
  })

  test('warns of nothing else', () => {
    expect(warningsOf('https://node.example.org/graphql')).toEqual([])
  })
})
