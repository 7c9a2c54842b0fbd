// npm run doctor: checks node, indexer and deployment against what the service needs, and says what to fix.
import { fileURLToPath } from 'node:url'
import { examine, safeLineOf } from './examination.ts'
import { type Finding, isHealthy, problemsIn, summaryOf } from './finding.ts'
import { readPlan, UsageError, usage } from './plan/plan.ts'

const configFolder = fileURLToPath(new URL('../../config', import.meta.url))

async function diagnose(args: readonly string[]): Promise<void> {
  const plan = await readPlan(args, process.env, configFolder)
  const findings: Finding[] = []
  for await (const finding of examine(plan, Date.now)) {
    findings.push(finding)
    console.log(safeLineOf(finding, plan.secrets))
  }
  const again = problemsIn(findings).map((finding) => safeLineOf(finding, plan.secrets))
  if (again.length > 0) console.log(['', 'What is wrong, the cause first:', ...again, ''].join('\n'))
  console.log(summaryOf(findings))
  process.exitCode = isHealthy(findings) ? 0 : 1
}

const args = process.argv.slice(2)
try {
  if (args.includes('--help') || args.includes('-h')) console.log(usage)
  else await diagnose(args)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  console.error(error instanceof UsageError ? `${message}\n\n${usage}` : message)
  process.exitCode = 1
}
