// npm run lint:openapi: what makes generators of clients and viewers stumble over openapi.json. Reads that file only.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'

const path = join(import.meta.dirname, '../openapi.json')
/** Beyond the recommended rules, all of which hold. */
const rules = [
  'no-enum-type-mismatch',
  'no-invalid-media-type-examples',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
  'no-required-schema-properties-undefined',
  'no-schema-type-mismatch',
  'no-unused-components',
  'operation-description',
  'operation-operationId-url-safe',
  'parameter-description',
  'spec-strict-refs',
]
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: Object.fromEntries(rules.map((rule) => [rule, 'error'])),
})
const problems = await lintFromString({ source: readFileSync(path, 'utf8'), absoluteRef: path, config })
for (const { ruleId, message, location } of problems) {
  console.log(`${ruleId} at ${location.map(({ pointer }) => pointer).join(', ')}: ${message}`)
}
console.log(`${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
