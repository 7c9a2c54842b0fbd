// The CDK app's template, synthesised in a separate process.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A CloudFormation template. */
export interface CloudFormation {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: unknown }>>
}

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** Without the caller's variables for stages and accounts, which are not part of a stage. */
const ownEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:AWS|CDK|EXPLORER)_/.test(name)))

/**
 * The template of a stage in `config/`, without its bundles.
 *
 * @param settings variables that override settings of the stage
 * @throws Error with the app's output when it refuses the stage
 */
export async function synthesise(
  stage: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<CloudFormation> {
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'chain-explorer-template-'))
  const env = {
    ...ownEnvironment(),
    ...settings,
    CDK_OUTDIR: folder,
    CDK_VALIDATION: 'false',
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, stage, 'aws:cdk:bundling-stacks': [] }),
  }
  try {
    await run(process.execPath, ['infra/app.ts'], { cwd: root, env }).catch(({ stderr, message }) => {
      throw new Error(stderr?.trim() || message)
    })
    return JSON.parse(readFileSync(join(folder, `chain-explorer-${stage}.template.json`), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
