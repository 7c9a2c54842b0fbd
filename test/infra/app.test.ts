import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { synthesise } from './synthesis.ts'

test('without a node URL the app ends with a message, no stack trace and no assembly', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-app-'))
  try {
    expect(await synthesise(folder, {})).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `The settings of the stage are wrong. Nothing was synthesised.

nodeGraphqlUrl
  got    nothing
  wants  the http or https address of a node's GraphQL, without user name and password
  pass   npm run synth -- -c nodeGraphqlUrl=https://node.example/graphql
  or     EXPLORER_NODE_GRAPHQL_URL=https://node.example/graphql npm run synth

npm run deploy takes the same.
`,
    })
    expect(readdirSync(folder)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
