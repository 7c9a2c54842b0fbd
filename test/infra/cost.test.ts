// The table of cost in docs/operations.md counts what the stage mainnet has.
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import mainnet from '../../config/mainnet.ts'
import { readStageSettings } from '../../infra/settings/read.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { templateOf } from './stack-template.ts'

const { settings } = readStageSettings('mainnet', mainnet, {}, {})
const template = await templateOf(settings)

interface Alarm {
  readonly Metrics?: readonly { readonly MetricStat?: object }[]
}

const resources = <Properties>(type: string) =>
  Object.entries(template.findResources(type)).map(([id, { Properties }]) => ({
    id,
    properties: Properties as Properties,
  }))

const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')

/** Item, cost and basis of a row. */
const rowOf = (item: string): string | undefined =>
  operations
    .split('\n')
    .find((line) => new RegExp(`^\\| ${item} \\| [\\d.]+ \\| (?:one list|\\d+ metrics)`).test(line))
    ?.split(' | ')
    .slice(0, 3)
    .join(' | ')

test('the table of cost counts the rules of the firewall of mainnet', () => {
  const [acl] = resources<{ readonly Rules: readonly object[] }>('AWS::WAFv2::WebACL')
  const rules = acl?.properties.Rules.length ?? 0
  expect(rowOf('firewall')).toBe(`| firewall | ${(5 + rules).toFixed(2)} | one list, ${rules} rules`)
})

test('the table of cost counts the metrics and alarms of mainnet, as they are with six endpoints', () => {
  const alarms = resources<Alarm>('AWS::CloudWatch::Alarm')
  // An alarm on an expression is paid for by the metrics in it.
  const metricsIn = (some: typeof alarms) =>
    some
      .map(({ properties }) => properties.Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1)
      .reduce((left, right) => left + right, 0)
  const ofOne = alarms.filter(({ id }) => id.includes('getSummary'))
  // Beside its own alarms it has a metric in the one on the throttles of all functions.
  const metricsOfOne = metricsIn(ofOne) + 1
  const more = endpoints.length - 6
  const metrics = metricsIn(alarms) - more * metricsOfOne
  expect(rowOf('alarms')).toBe(
    `| alarms | ${(0.1 * metrics).toFixed(2)} | ${metrics} metrics in ${alarms.length - more * ofOne.length} alarms ` +
      `with six endpoints, ${metricsOfOne} in ${ofOne.length} for each more`,
  )
})
