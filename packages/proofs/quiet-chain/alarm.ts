// The alarms on how far the chain and its upstreams have come, as the stack of mainnet has them.
import { synthesise } from '../../../tools/synthesise.ts'

interface AlarmProperties {
  readonly Threshold: number
  /** Seconds. */
  readonly Period: number
  readonly EvaluationPeriods: number
  readonly DatapointsToAlarm?: number
  readonly MetricName: string
  readonly Statistic: string
}

/** mainnet's, with several nodes and an indexer. */
const settings = {
  EXPLORER_NODES: JSON.stringify(['a', 'b'].map((name) => ({ graphqlUrl: `https://${name}.example.org/graphql` }))),
  EXPLORER_INDEXER_GRAPHQL_URL: 'https://indexer.example.org/graphql',
}

/** @throws Error where an alarm is missing, or of another kind */
export async function quietAlarms() {
  const { Resources } = await synthesise('mainnet', settings)
  const alarmNamed = (name: string, metric: string, statistic: string) => {
    const found = Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
      Type === 'AWS::CloudWatch::Alarm' && new RegExp(`Alarms${name}[0-9A-F]{8}$`).test(id)
        ? [Properties as AlarmProperties]
        : [],
    )
    const [alarm] = found.filter(({ MetricName, Statistic }) => MetricName === metric && Statistic === statistic)
    if (alarm === undefined) throw new Error(`mainnet has no alarm ${name} on the ${statistic} of ${metric}`)
    const { EvaluationPeriods: periods, DatapointsToAlarm = periods } = alarm
    if (DatapointsToAlarm !== periods) throw new Error(`the alarm ${name} does not look at successive periods`)
    return alarm
  }
  return {
    page: tipAlarm(alarmNamed('TipAge', 'TipAgeSlots', 'Maximum')),
    ticket: tipAlarm(alarmNamed('TipOld', 'TipAgeSlots', 'Maximum')),
    nodeLag: alarmNamed('NodeLag', 'NodeLag', 'Minimum'),
    indexerLag: alarmNamed('IndexerLag', 'IndexerLag', 'Minimum'),
  }
}

function tipAlarm({ Threshold: maxSlots, Period, EvaluationPeriods: periods }: AlarmProperties) {
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
