// npm run doctor: are node, indexer and deployment as the service needs them, and if not, what to do.
import { fileURLToPath } from 'node:url'
import { examine, safeLineOf } from './doctor/examination.ts'
import { type Finding, isHealthy, summaryOf } from './doctor/finding.ts'
import { readPlan, usage } from './doctor/plan.ts'

const configFolder = fileURLToPath(new URL('../config/', import.meta.url))

try {
  const plan = await readPlan(process.argv.slice(2), process.env, configFolder)
  const findings: Finding[] = []
  for await (const finding of examine(plan, Date.now)) {
    findings.push(finding)
    console.log(safeLineOf(finding, plan.secrets))
  }
  console.log(summaryOf(findings))
  process.exitCode = isHealthy(findings) ? 0 : 1
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  process.exitCode = 1
}
