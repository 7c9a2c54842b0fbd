// The CDK app's template, synthesised in a separate process.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CloudFormation } from './distribution.ts'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

/**
 * @param settings variables that override settings of the stage
 * @throws Error with the app's output when it refuses the stage
 */
export async function synthesise(
  stage: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<CloudFormation> {
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-edge-'))
  const env = {
    ...process.env,
    ...settings,
    CDK_OUTDIR: folder,
    CDK_VALIDATION: 'false',
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, stage, 'aws:cdk:bundling-stacks': [] }),
  }
  try {
    await run(process.execPath, ['infra/app.ts'], { cwd: root, env })
    return JSON.parse(readFileSync(join(folder, `chain-explorer-${stage}.template.json`), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
