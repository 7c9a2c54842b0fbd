// Runs a trial with a policy, and sums it up.
import type { Policy } from './policies.ts'
import type { Figures, Trial } from './scenarios.ts'
import { runSession, type Session } from './session.ts'

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN

/** @param sessions how many, each with a history of its own that all policies share */
export async function runTrial(policy: Policy, { scenario }: Trial, sessions: number): Promise<Figures> {
  const ran: Session[] = []
  for (let seed = 1; seed <= sessions; seed++) ran.push(await runSession(policy, scenario, seed))
  const answers = ran.flatMap((session) => session.answers)
  const took = answers.map(({ tookMs }) => tookMs).toSorted((left, right) => left - right)
  const countOf = (key: 'isError' | 'wentBack' | 'isFalse404') => answers.filter((answer) => answer[key]).length
  return {
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
    calls: ran.reduce((sum, { calls }) => sum + calls, 0),
    sideCalls: ran.reduce((sum, { sideCalls }) => sum + sideCalls, 0),
    questions: answers.length,
    errors: countOf('isError'),
    wentBack: countOf('wentBack'),
    false404: countOf('isFalse404'),
    timersLeft: ran.reduce((sum, { timersLeft }) => sum + timersLeft, 0),
    sessions: ran,
  }
}
