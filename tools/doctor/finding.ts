// The result of a check, its line, and the line that sums all of them up.
import { plainLine } from '../../local/troubles/plain-line.ts'

/** `warn`: the service works, but less well than it could, or a check was not possible. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  /** The thing that was checked: `node clock`. */
  readonly subject: string
  readonly says: string
  /** The remedy; absent for `ok`. */
  readonly remedy?: string
}

export const ok = (subject: string, says: string): Finding => ({ level: 'ok', subject, says })

export const warn = (subject: string, says: string, remedy: string): Finding => ({
  level: 'warn',
  subject,
  says,
  remedy,
})

export const fail = (subject: string, says: string, remedy: string): Finding => ({
  level: 'fail',
  subject,
  says,
  remedy,
})

/** An upstream's message can be a whole command or a page of HTML. */
const maxLineLength = 1000

/** `fail node clock: … -> what to do`, in one line even where an upstream's message has several. */
export const lineOf = ({ level, subject, says, remedy }: Finding): string =>
  `${level.padEnd(4)} ${subject}: ${plainLine(says, maxLineLength)}${remedy === undefined ? '' : ` -> ${remedy}`}`

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** The last line. */
export function summaryOf(findings: readonly Finding[]): string {
  const countOf = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  const [warnings, failures] = [counted(countOf('warn'), 'warning'), counted(countOf('fail'), 'failure')]
  return `${counted(findings.length, 'check')}: ${countOf('ok')} ok, ${warnings}, ${failures}`
}

/** What is wrong, once more for the end of a long list: failures first, each cause before what follows from it. */
export const problemsIn = (findings: readonly Finding[]): readonly Finding[] =>
  (['fail', 'warn'] as const).flatMap((level) => findings.filter((finding) => finding.level === level))

/** True if the doctor's exit code is 0. */
export const isHealthy = (findings: readonly Finding[]): boolean => findings.every(({ level }) => level !== 'fail')
