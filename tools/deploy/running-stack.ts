// What the AWS CLI says of the running stack and of its account.
import { spawnSync } from 'node:child_process'
import type { SynthesisedStack } from './assembly.ts'
import type { Outputs } from './plan.ts'
import { type Reservations, reservationsIn } from './reservations.ts'

/** The place of the running stack. */
export interface Place extends Pick<SynthesisedStack, 'name' | 'region'> {
  readonly profile: string | undefined
}

/** A stack that exists, whatever became of its last deployment. */
export interface RunningStack {
  readonly status: string
  readonly isProtected: boolean
  /** Undefined after a first deployment that failed, too. */
  readonly outputs: Outputs | undefined
}

function aws({ region, profile }: Place, ...words: readonly string[]) {
  const options = ['--region', region, '--output', 'json', ...(profile === undefined ? [] : ['--profile', profile])]
  return spawnSync('aws', [...words, ...options], { encoding: 'utf8', maxBuffer: 2 ** 26 })
}

/** @throws Error with AWS's reason, or that there is no AWS CLI */
function answerOf(place: Place, what: string, words: readonly string[], isFine = (_reason: string) => false): unknown {
  const { status, stdout, stderr, error } = aws(place, ...words)
  if (status === 0) return stdout.trim() === '' ? undefined : JSON.parse(stdout)
  if (isFine(stderr ?? '')) return undefined
  const reason =
    error === undefined
      ? `The AWS CLI says:\n${stderr.trim()}`
      : `Install the AWS CLI, or put aws on the PATH: ${error.message}`
  throw new Error(`${what}, so nothing is deployed. ${reason}`)
}

/**
 * Undefined before the first deployment.
 *
 * @throws Error with AWS's reason
 */
export function runningStack(place: Place): RunningStack | undefined {
  const query = 'Stacks[0].{status:StackStatus,isProtected:EnableTerminationProtection,outputs:Outputs}'
  const words = ['cloudformation', 'describe-stacks', '--stack-name', place.name, '--query', query]
  const what = `The running stack ${place.name} cannot be read`
  const answer = answerOf(place, what, words, (reason) => reason.includes('does not exist'))
  if (answer === undefined) return undefined
  const { status, isProtected, outputs } = answer as {
    readonly status: string
    readonly isProtected: boolean | null
    readonly outputs: readonly { OutputKey: string; OutputValue: string }[] | null
  }
  const named = outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])
  return { status, isProtected: isProtected === true, outputs: named && Object.fromEntries(named) }
}

/**
 * The reserved executions of the running stack.
 *
 * @throws Error with AWS's reason
 */
export function runningReservations(place: Place): Reservations {
  const words = ['cloudformation', 'get-template', '--stack-name', place.name, '--query', 'TemplateBody']
  return reservationsIn(Object(answerOf(place, `The template of ${place.name} cannot be read`, words)))
}

/**
 * The executions of the account that no function has reserved, in the stack's region.
 *
 * @throws Error with AWS's reason
 */
export function unreservedExecutions(place: Place): number {
  const query = 'AccountLimit.UnreservedConcurrentExecutions'
  const words = ['lambda', 'get-account-settings', '--query', query]
  const what = 'The free executions of the account cannot be read'
  const unreserved = answerOf(place, what, words)
  if (typeof unreserved !== 'number') throw new Error(`${what}, so nothing is deployed.`)
  return unreserved
}

/**
 * Allows a stack to be deleted.
 *
 * @throws Error with AWS's reason
 */
export function liftProtection(place: Place): void {
  const words = ['cloudformation', 'update-termination-protection', '--no-enable-termination-protection']
  answerOf(place, `The termination protection of ${place.name} cannot be lifted`, [
    ...words,
    '--stack-name',
    place.name,
  ])
}
