// Runs trials, and measures what they show.
import type { StartService } from '../service/service.ts'
import { type ReadRecord, runSession, type Scenario, type Session, type Wrong, wrongs } from './session.ts'

/** The reads of a trial, over several sessions. */
export interface Figures {
  readonly sessions: readonly Session[]
  readonly reads: readonly ReadRecord[]
  /** From the quickest to the slowest read. */
  readonly tookMs: readonly number[]
}

export const percentile = ({ tookMs }: Figures, share: number): number =>
  tookMs[Math.max(0, Math.ceil(share * tookMs.length) - 1)] ?? Number.NaN
export const countOf = ({ reads }: Figures, wrong: Wrong): number =>
  reads.filter((read) => read.wrong.includes(wrong)).length
export const callsARead = ({ sessions, reads }: Figures): number =>
  sessions.reduce((sum, { calls }) => sum + calls, 0) / reads.length
/** Checks of the network and labels among them. */
export const allCallsOf = ({ sessions }: Figures): readonly number[] =>
  sessions.flatMap(({ calledAt }) => calledAt.flat())

const shareOf = (reads: readonly ReadRecord[], isCounted: (read: ReadRecord) => boolean): number =>
  reads.filter(isCounted).length / reads.length
const hasFailed = ({ wrong }: ReadRecord): boolean => wrong.includes('failed')

/** By session: the seconds from the end of an outage to the first 200, as its reader has it. */
export const firstSuccesses = ({ sessions }: Pick<Figures, 'sessions'>, wellAt: number): readonly number[] =>
  sessions.map(({ reads }) => {
    const first = reads.find(({ atMs, status }) => atMs >= wellAt && status === 200)
    return first === undefined ? Number.POSITIVE_INFINITY : (first.atMs + first.tookMs - wellAt) / 1000
  })

/** By session: the seconds from the end of an outage until its last reader has a 5xx; 0 where none has one. */
export const lastFailures = ({ sessions }: Pick<Figures, 'sessions'>, wellAt: number): readonly number[] =>
  sessions.map(({ reads }) => {
    const failed = reads.filter(({ atMs, status }) => atMs >= wellAt && status >= 500)
    return failed.reduce((last, { atMs, tookMs }) => Math.max(last, (atMs + tookMs - wellAt) / 1000), 0)
  })

export const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.ceil(values.length / 2) - 1] ?? Number.NaN

type Measure = (figures: Figures, single: Figures, wellAt: number) => number

/** Each with a limit in a trial: `single` is what the first node alone gave, `wellAt` when an outage is over. */
const measures = {
  'p99 over a single node’s': (figures, single) => percentile(figures, 0.99) / percentile(single, 0.99),
  'p99 in ms': (figures) => percentile(figures, 0.99),
  'slowest in ms': (figures) => percentile(figures, 1),
  'calls a read': callsARead,
  'failed share': ({ reads }) => shareOf(reads, hasFailed),
  'share of 404': ({ reads }) => shareOf(reads, ({ status }) => status === 404),
  'calls a read after 30 s': (figures, _single, wellAt) => {
    const isWithin = (atMs: number) => atMs >= 30_000 && atMs < wellAt
    return allCallsOf(figures).filter(isWithin).length / figures.reads.filter(({ atMs }) => isWithin(atMs)).length
  },
  'failed share from 5 s after its return': ({ reads }, _single, wellAt) =>
    shareOf(
      reads.filter(({ atMs }) => atMs >= wellAt + 5000),
      hasFailed,
    ),
  'median seconds until the first 200': (figures, _single, wellAt) => median(firstSuccesses(figures, wellAt)),
  'seconds until the first 200': (figures, _single, wellAt) => Math.max(...firstSuccesses(figures, wellAt)),
  'seconds until the last 5xx': (figures, _single, wellAt) => Math.max(...lastFailures(figures, wellAt)),
  'seconds until it is used again': ({ sessions }, _single, wellAt) => {
    const usedAt = sessions.map(({ calledAt: [first = []] }) => first.find((atMs) => atMs >= wellAt))
    return (Math.max(...usedAt.map((atMs) => atMs ?? Number.POSITIVE_INFINITY)) - wellAt) / 1000
  },
} satisfies Record<string, Measure>

export interface Trial {
  readonly name: string
  readonly scenario: Scenario
  readonly targets: Readonly<Partial<Record<keyof typeof measures, number>>>
  /** Wrong answers that the scenario makes inevitable; no other is allowed. */
  readonly allowed: readonly Wrong[]
  /** When an outage is over, since the session began. */
  readonly wellAt: number
}

/** @param count sessions, each with its own history, which all services share */
export async function runTrial(start: StartService, { scenario }: Trial, count: number): Promise<Figures> {
  const sessions: Session[] = []
  for (let seed = 1; seed <= count; seed++) sessions.push(await runSession(start, scenario, seed))
  const reads = sessions.flatMap((session) => session.reads)
  const tookMs = reads.map((read) => read.tookMs).toSorted((left, right) => left - right)
  return { sessions, reads, tookMs }
}

/** Every target of a trial, with what was measured. */
export function checksOf({ targets, allowed, wellAt }: Trial, figures: Figures, single: Figures) {
  const check = (name: string, measured: number, limit: number) => ({
    name,
    says: `${name}: ${Number(measured.toFixed(4))}, target at most ${Number(limit.toFixed(4))}`,
    isMet: measured <= limit,
  })
  return [
    ...wrongs.filter((wrong) => !allowed.includes(wrong)).map((wrong) => check(wrong, countOf(figures, wrong), 0)),
    ...Object.entries(targets).map(([name, limit]) =>
      check(name, measures[name as keyof typeof measures](figures, single, wellAt), limit),
    ),
  ]
}
