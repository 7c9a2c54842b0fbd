// npm run deploy -- -c stage=STAGE: deploys a stage with the CDK. It reads from the running stack which release it replaces
// and which alarms roll a bad one back. The CDK's own options follow, --app for a folder that was synthesised before.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { stackIn } from './deploy/assembly.ts'
import { givenIn, type Outputs, optionsFor, tagOptions } from './deploy/plan.ts'

const root = join(import.meta.dirname, '..')
const cdk = join(root, 'node_modules/aws-cdk/bin/cdk')

function run(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [cdk, ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Undefined before the first deployment, and after one that failed. */
function outputsOf(stack: string, region: string, profile: string | undefined): Outputs | undefined {
  const options = ['--region', region, '--output', 'json', ...(profile === undefined ? [] : ['--profile', profile])]
  const query = ['cloudformation', 'describe-stacks', '--stack-name', stack, '--query', 'Stacks[0].Outputs']
  const { status, stdout, stderr, error } = spawnSync('aws', [...query, ...options], { encoding: 'utf8' })
  if (status === 0) {
    const outputs: readonly { OutputKey: string; OutputValue: string }[] | null = JSON.parse(stdout)
    return outputs === null
      ? undefined
      : Object.fromEntries(outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]))
  }
  if (stderr?.includes('does not exist')) return undefined
  const reason =
    error === undefined
      ? `The AWS CLI says:\n${stderr.trim()}`
      : `Install the AWS CLI, or put aws on the PATH: ${error.message}`
  console.error(`The running stack ${stack} cannot be read, so nothing is deployed. ${reason}`)
  process.exit(1)
}

function given() {
  try {
    return givenIn(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

const { context, app, profile, ignoresAlarms, others } = given()
if (app === undefined) run('synth', '-q', '--strict', ...context.flatMap((each) => ['-c', each]))
const folder = app ?? 'cdk.out'
const { name, region, commit, tags } = stackIn(resolve(root, folder))
const running = outputsOf(name, region, profile)
console.error(
  running === undefined
    ? `${name} in ${region}: the first deployment, without alarms that roll it back.`
    : `${name} in ${region}: ${running.Commit} runs, ${commit} follows.`,
)
const options = optionsFor(running, commit, ignoresAlarms)
const account = profile === undefined ? [] : ['--profile', profile]
run('deploy', '--strict', '--app', folder, ...account, ...others, ...tagOptions(tags), ...options)
