// npm run deploy -- -c stage=STAGE: deploys a stage with the CDK. It reads from the running stack which release it replaces
// and which alarms roll a bad one back, refuses a release whose reserved executions do not fit beside those that run, and makes
// way for a second attempt after a first deployment that failed. The CDK's own options follow, --app for a folder that was
// synthesised before.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { stackIn } from './deploy/assembly.ts'
import {
  armed,
  givenIn,
  isEmpty,
  isFailedCreation,
  optionsFor,
  tagOptions,
  unrepeatable,
  usage,
} from './deploy/plan.ts'
import { misfitOf, peakOf, type Reservations, sumOf } from './deploy/reservations.ts'
import {
  liftProtection,
  type Place,
  type RunningStack,
  runningReservations,
  runningStack,
  unreservedExecutions,
} from './deploy/running-stack.ts'

const root = join(import.meta.dirname, '..')
const cdk = join(root, 'node_modules/aws-cdk/bin/cdk')

function run(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [cdk, ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Asks AWS only where the release reserves more than what runs. */
function refuseMisfit(place: Place, running: RunningStack | undefined, next: Reservations): void {
  // The CDK deletes what such a creation left before it makes the stack anew, and what that reserves is not known.
  if (running?.status === 'ROLLBACK_FAILED' || sumOf(next) === 0) return
  const before = running === undefined || isEmpty(running.status) ? {} : runningReservations(place)
  if (peakOf(before, next) <= sumOf(before)) return
  const misfit = misfitOf(before, next, unreservedExecutions(place), running?.outputs?.Commit)
  if (misfit !== undefined) throw new Error(`${place.name} in ${place.region} is not deployed: ${misfit}.`)
}

function deploy(args: readonly string[]): void {
  const { context, app, profile, ignoresAlarms, others } = givenIn(args)
  if (app === undefined) run('synth', '-q', '--strict', ...context.flatMap((each) => ['-c', each]))
  const folder = app ?? 'cdk.out'
  const { name, region, commit, tags, reservations } = stackIn(resolve(root, folder))
  const place = { name, region, profile }
  const running = runningStack(place)
  refuseMisfit(place, running, reservations)
  const before = running?.outputs?.Commit
  console.error(
    before === undefined
      ? `${name} in ${region}: the first deployment, without alarms that roll it back.`
      : `${name} in ${region}: ${before} runs, ${commit} follows.`,
  )
  if (running?.isProtected && isFailedCreation(running.status)) {
    console.error(
      `The first deployment of ${name} failed (${running.status}), so there is nothing to protect: its termination protection is lifted until it is made anew.`,
    )
    liftProtection(place)
  }
  const warning = unrepeatable(commit)
  if (warning !== undefined) console.error(warning)
  const options = optionsFor(running?.outputs, commit, ignoresAlarms)
  const account = profile === undefined ? [] : ['--profile', profile]
  run('deploy', '--strict', '--app', folder, ...account, ...armed, ...others, ...tagOptions(tags), ...options)
}

try {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) console.log(usage)
  else deploy(args)
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.error(error.message)
  process.exitCode = 1
}
