// npm run check:clients: the rule that it holds over the changelog. Its clients are built by the command alone.
import { expect, test } from '@jest/globals'
import { lastRelease, unnamedIn } from '../../packages/proofs/programs/check-clients/release-diff.ts'

const optional = (field: string) => ({
  id: 'response-property-became-optional',
  text: `the response property \`block/protocolState/${field}\` became optional for the status \`200\``,
  level: 3,
  operation: 'GET',
  path: '/blocks/{state_hash}',
})

const changelog = `# Changelog

## [Unreleased]

- \`protocolState.named\` is no longer \`required\`; \`whole\` too is no longer \`required\`.
- \`otherwise\` is left out.

## [1.2.0]

- \`before\` is no longer \`required\`.

## [1.1.0]
`

test('a field that an answer no longer promises is named by an unreleased line that says so', () => {
  const harmless = { ...optional('harmless'), id: 'response-optional-property-added' }
  const fields = ['named', 'whole', 'name', 'otherwise', 'before'].map(optional)
  expect(unnamedIn(changelog, [...fields, harmless])).toEqual(['name', 'otherwise', 'before'].map(optional))
})

test('the last release is the first version below what is unreleased', () => {
  expect([lastRelease(changelog), lastRelease('## [Unreleased]')]).toEqual(['1.2.0', undefined])
})
