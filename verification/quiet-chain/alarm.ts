// The alarm for the tip's age, as the stack of mainnet has it.
import { synthesise } from '../../tools/synthesise.ts'

interface AlarmProperties {
  readonly Threshold: number
  /** Seconds. */
  readonly Period: number
  readonly EvaluationPeriods: number
  readonly DatapointsToAlarm?: number
  readonly MetricName: string
  readonly Statistic: string
}

/** @throws Error where mainnet's stack has no such alarm, or one of another kind */
export async function tipAgeAlarm() {
  const { Resources } = await synthesise('mainnet')
  const properties = Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
    Type === 'AWS::CloudWatch::Alarm' && id.includes('TipAge') ? [Properties as AlarmProperties] : [],
  )
  const [alarm] = properties.filter(
    ({ MetricName, Statistic }) => MetricName === 'TipAgeSlots' && Statistic === 'Maximum',
  )
  if (alarm === undefined) throw new Error('mainnet has no alarm for the greatest age of the tip')
  const { Threshold: maxSlots, Period, EvaluationPeriods: periods, DatapointsToAlarm = periods } = alarm
  if (DatapointsToAlarm !== periods) throw new Error('the alarm for the tip does not look at successive periods')
  const periodMs = Period * 1000
  /** The tip's age, in whole slots, is above the threshold from this time after its slot began. */
  const beyondMs = (slotMs: number) => (maxSlots + 1) * slotMs

  return {
    periodMs,
    /**
     * True if it rings in a pause whose first period ends at a phase. The age is read all the time, so that a period's
     * maximum is the age at its end, or at the end of the pause.
     *
     * @param pauseMs the empty slots; the slot of the tip comes before them, and the next block in the slot after them
     */
    rangIn(pauseMs: number, slotMs: number, phaseMs: number): boolean {
      const nextBlockMs = pauseMs + slotMs
      const breaching: boolean[] = []
      for (let from = phaseMs - periodMs; from < nextBlockMs; from += periodMs) {
        breaching.push(Math.min(from + periodMs, nextBlockMs) > beyondMs(slotMs))
      }
      return breaching.filter((each) => each).length >= periods
    },
    /** The latest time after the slot of the last block at which it rings. */
    latestPageMs: (slotMs: number): number => beyondMs(slotMs) + (periods + 1) * periodMs,
  }
}
