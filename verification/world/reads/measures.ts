// What a trial measures, and how it is run.
import type { StartService } from '../service/service.ts'
import { type Read, runSession, type Scenario, type Session, type Wrong, wrongs } from './session.ts'

/** What a scenario has shown, over several sessions. */
export interface Figures {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly slowestMs: number
  readonly questions: number
  readonly calls: number
  /** Checks of the network and labels among them. */
  readonly allCalls: number
  readonly wrong: Readonly<Record<Wrong, number>>
  readonly sessions: readonly Session[]
}

/** A target, with what was measured. */
export interface Check {
  readonly says: string
  readonly isMet: boolean
}

const readsOf = ({ sessions }: Figures): readonly Read[] => sessions.flatMap(({ reads }) => reads)
const callsOf = ({ sessions }: Figures): readonly number[] => sessions.flatMap(({ calledAt }) => calledAt.flat())
const within = (from: number, to: number) => (atMs: number) => atMs >= from && atMs < to
const failedShareOf = (reads: readonly Read[]): number =>
  reads.filter(({ wrong }) => wrong.includes('failed')).length / reads.length

/** Each with a limit in a trial: `single` is what the first node alone gave, `wellAt` when an outage is over. */
const measures = {
  'p99 over a single node’s': (figures: Figures, single: Figures) => figures.p99Ms / single.p99Ms,
  'p99 in ms': ({ p99Ms }: Figures) => p99Ms,
  'slowest in ms': ({ slowestMs }: Figures) => slowestMs,
  'calls a read': ({ calls, questions }: Figures) => calls / questions,
  'failed share': (figures: Figures) => failedShareOf(readsOf(figures)),
  'share of 404': (figures: Figures) =>
    readsOf(figures).filter(({ status }) => status === 404).length / figures.questions,
  'calls a read after 30 s': (figures: Figures, _single: Figures, wellAt: number) =>
    callsOf(figures).filter(within(30_000, wellAt)).length /
    readsOf(figures).filter(({ atMs }) => within(30_000, wellAt)(atMs)).length,
  'failed share from 5 s after its return': (figures: Figures, _single: Figures, wellAt: number) =>
    failedShareOf(readsOf(figures).filter(({ atMs }) => atMs >= wellAt + 5000)),
  'seconds until it is used again': ({ sessions }: Figures, _single: Figures, wellAt: number) =>
    Math.max(
      ...sessions.map(
        ({ calledAt }) => (calledAt[0]?.find((atMs) => atMs >= wellAt) ?? Number.POSITIVE_INFINITY) - wellAt,
      ),
    ) / 1000,
} satisfies Record<string, (figures: Figures, single: Figures, wellAt: number) => number>

export type Targets = Readonly<Partial<Record<keyof typeof measures, number>>>

export interface Trial {
  readonly name: string
  readonly scenario: Scenario
  readonly targets: Targets
  /** When an outage is over, since the session began. */
  readonly wellAt: number
  /** Wrong answers that the scenario makes inevitable; no other is allowed. */
  readonly allowed: readonly Wrong[]
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN

/** @param count sessions, each with a history of its own that all services share */
export async function runTrial(start: StartService, { scenario }: Trial, count: number): Promise<Figures> {
  const sessions: Session[] = []
  for (let seed = 1; seed <= count; seed++) sessions.push(await runSession(start, scenario, seed))
  const reads = sessions.flatMap((session) => session.reads)
  const took = reads.map(({ tookMs }) => tookMs).toSorted((left, right) => left - right)
  const countOf = (wrong: Wrong) => reads.filter((read) => read.wrong.includes(wrong)).length
  return {
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
    slowestMs: percentile(took, 1),
    questions: reads.length,
    calls: sessions.reduce((sum, { calls }) => sum + calls, 0),
    allCalls: sessions.flatMap(({ calledAt }) => calledAt.flat()).length,
    wrong: Object.fromEntries(wrongs.map((wrong) => [wrong, countOf(wrong)])) as Record<Wrong, number>,
    sessions,
  }
}

/** Every target of a trial. */
export function checksOf({ targets, allowed, wellAt }: Trial, figures: Figures, single: Figures): readonly Check[] {
  const check = (name: string, measured: number, limit: number): Check => ({
    says: `${name}: ${Number(measured.toFixed(4))}, target at most ${Number(limit.toFixed(4))}`,
    isMet: measured <= limit,
  })
  return [
    ...wrongs.filter((wrong) => !allowed.includes(wrong)).map((wrong) => check(wrong, figures.wrong[wrong], 0)),
    ...Object.entries(targets).map(([name, limit]) =>
      check(name, measures[name as keyof Targets](figures, single, wellAt), limit),
    ),
  ]
}
