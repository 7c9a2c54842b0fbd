// The table of cost in docs/operations.md counts the resources of the stage mainnet.
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import mainnet from '../../config/mainnet.ts'
import { readStageSettings } from '../../infra/settings/read.ts'
import { templateOf } from './stack-template.ts'

const { settings } = readStageSettings('mainnet', mainnet, {}, {})
const template = await templateOf(settings)

interface Alarm {
  readonly Metrics?: readonly { readonly MetricStat?: object }[]
}

const resources = <Properties>(type: string): readonly Properties[] =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties)

test('the table of cost counts the metrics, alarms and firewall rules of mainnet', () => {
  const alarms = resources<Alarm>('AWS::CloudWatch::Alarm')
  // An alarm on an expression is paid for by the metrics in it.
  const metrics = alarms.map(({ Metrics }) => Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1)
  const sum = metrics.reduce((left, right) => left + right, 0)
  const rules = resources<{ readonly Rules: readonly object[] }>('AWS::WAFv2::WebACL').flatMap(({ Rules }) => Rules)
  const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const rows = operations
    .split('\n')
    .filter((line) => /^\| (alarms|firewall) \| [^|]* \| (one list|\d+ metrics)/.test(line))
  expect(rows.map((row) => row.split(' | ').slice(0, 3).join(' | '))).toEqual([
    `| firewall | ${(5 + rules.length).toFixed(2)} | one list, ${rules.length} rules`,
    `| alarms | ${(0.1 * sum).toFixed(2)} | ${sum} metrics in ${alarms.length} alarms`,
  ])
})
