// The table of cost in docs/operations.md counts what the stage mainnet has.
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import mainnet from '../../config/mainnet.ts'
import { readStageSettings } from '../../infra/settings/read.ts'
import { endpoints } from '../../shared/endpoints/all.ts'
import { onlyResource, templateOf } from './stack-template.ts'

const { settings } = readStageSettings('mainnet', mainnet, {}, {})
const template = await templateOf(settings)

interface Alarm {
  readonly Metrics?: readonly { readonly MetricStat?: object }[]
}

const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => {
  const { Metrics }: Alarm = Properties
  // An alarm on an expression is paid for by the metrics in it.
  return { id, metrics: Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1 }
})

const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')

test('the table of cost counts the rules of the firewall of mainnet', () => {
  const rules = onlyResource(template, 'AWS::WAFv2::WebACL').properties.Rules.length
  expect(operations).toContain(`| firewall | ${(5 + rules).toFixed(2)} | one list, ${rules} rules`)
})

test('the table of cost counts the metrics and alarms of mainnet, as they are with six endpoints', () => {
  const metricsIn = (some: typeof alarms) => some.reduce((sum, { metrics }) => sum + metrics, 0)
  const ofOne = alarms.filter(({ id }) => id.includes('getSummary'))
  // Beside its own alarms it has a metric in those on the throttles and on the crashes of all functions.
  const metricsOfOne = metricsIn(ofOne) + 2
  const more = endpoints.length - 6
  // These two are split where there are more than ten functions.
  const split = 2 * (Math.ceil((endpoints.length + 1) / 10) - 1)
  const metrics = metricsIn(alarms) - more * metricsOfOne
  expect(operations).toContain(
    `| alarms | ${(0.1 * metrics).toFixed(2)} | ${metrics} metrics in ${alarms.length - split - more * ofOne.length} alarms ` +
      `with six endpoints, ${metricsOfOne} in ${ofOne.length} for each more, and two alarms more for each ten`,
  )
})
