// Whether the reserved executions of two releases fit into the account side by side: while CloudFormation updates a stack,
// functions of both exist.
import { minReserved, minUnreserved } from '../../shared/deployment/settings.ts'

/** The functions of a template with reserved executions, by their logical ids. */
export type Reservations = Readonly<Record<string, { readonly isRead: boolean; readonly executions: number }>>

interface Template {
  readonly Resources?: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>
}

/** @param template of a stack of this service, of this release or of an earlier one */
export function reservationsIn({ Resources = {} }: Template): Reservations {
  const functions = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
  return Object.fromEntries(
    functions.flatMap(([id, { Properties = {} }]) => {
      const { ReservedConcurrentExecutions: executions, Description: description } = Properties as Record<
        string,
        unknown
      >
      if (typeof executions !== 'number') return []
      return [[id, { isRead: String(description).startsWith('GET '), executions }]]
    }),
  )
}

/**
 * The most executions that are reserved at any moment of an update, in whatever order CloudFormation adds, raises and lowers;
 * it deletes last. A rollback passes no other state.
 */
export function peakOf(before: Reservations, after: Reservations): number {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...ids].reduce((sum, id) => sum + Math.max(before[id]?.executions ?? 0, after[id]?.executions ?? 0), 0)
}

export const sumOf = (reservations: Reservations): number => peakOf(reservations, {})

/** The same functions with at most `reads` executions for each that serves GET. */
const lowered = (reservations: Reservations, reads: number): Reservations =>
  Object.fromEntries(
    Object.entries(reservations).map(([id, { isRead, executions }]) => [
      id,
      { isRead, executions: isRead ? Math.min(executions, reads) : executions },
    ]),
  )

/** A deployment between two releases that do not fit beside each other: one of them, with fewer executions for each read. */
export interface StepBetween {
  readonly release: 'next' | 'running'
  readonly reads: number
}

/** Undefined where none helps, since the next release does not fit even alone. */
export function stepBetween(running: Reservations, next: Reservations, max: number): StepBetween | undefined {
  const most = Math.max(
    0,
    ...[running, next].flatMap((each) => Object.values(each).map(({ executions }) => executions)),
  )
  for (const release of ['next', 'running'] as const) {
    for (let reads = most; reads >= minReserved; reads -= 1) {
      const step = lowered({ running, next }[release], reads)
      if (peakOf(running, step) <= max && peakOf(step, next) <= max) return { release, reads }
    }
  }
  return undefined
}

/**
 * Why a release cannot replace the running one in this account, and the way out, in a sentence; undefined if it can.
 *
 * @param unreserved what the account has left beside all reservations, those of the running stack included
 * @param commit of the running release
 */
export function misfitOf(
  running: Reservations,
  next: Reservations,
  unreserved: number,
  commit: string | undefined,
): string | undefined {
  const max = sumOf(running) + unreserved - minUnreserved
  const peak = peakOf(running, next)
  if (peak <= max) return undefined
  const alone = sumOf(next)
  if (alone > max) {
    return `it reserves ${alone} executions, and the account has room for ${Math.max(max, 0)} beside the ${minUnreserved} that AWS keeps unreserved: lower reservedConcurrency, or ask for a higher quota`
  }
  const step = stepBetween(running, next, max)
  const which = step?.release === 'running' ? `the running release, ${commit},` : 'this release'
  const wayOut =
    step === undefined
      ? 'lower reservedConcurrency'
      : `first deploy ${which} with -c reservedConcurrency.reads=${step.reads}`
  return `CloudFormation adds and raises before it deletes, so ${peak} executions would be reserved on the way, there or back, and the account has room for ${max}: ${wayOut}`
}
