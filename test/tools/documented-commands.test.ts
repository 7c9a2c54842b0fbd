import { expect, test } from '@jest/globals'
import { documentedCommands } from '../../tools/documents/read.ts'
import { ruleOf, rules } from '../../tools/documents/rules.ts'

test('each command of the documents is run by npm run check:documents, or left out for a reason', () => {
  const unknown = [...documentedCommands()].filter(([command]) => ruleOf(command) === -1)
  expect(unknown).toEqual([])
  for (const rule of rules) expect(rule.how === 'not here' ? rule.reason : 'run').toMatch(/\w{3}/)
})

test('no rule is for a command that is in no document any more', () => {
  const used = new Set([...documentedCommands().keys()].map(ruleOf))
  expect(rules.filter((_, place) => !used.has(place)).map(({ commands }) => commands.source)).toEqual([])
})

test('a command that names what only a reader has is not run as it is', () => {
  const asTyped = [...documentedCommands().keys()].filter((command) => {
    const rule = rules[ruleOf(command)]
    if (rule === undefined || rule.how === 'not here') return false
    const names = command.match(/<[^>]+>|\b(?:FILE|URL|NAME)\b/g) ?? []
    return names.some((name) => !Object.keys(rule.standIns ?? {}).some((known) => known.includes(name)))
  })
  expect(asTyped).toEqual([])
})

test('a command of the CDK gets its stage as the CDK reads it', () => {
  const ofCdk = [...documentedCommands().keys()].filter((command) => /^npm run (?:synth|deploy|cdk) -- /.test(command))
  expect(ofCdk.filter((command) => !/ -c stage=| --app cdk\.out/.test(command))).toEqual([])
})
