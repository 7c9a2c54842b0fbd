// What `npm run bench -- all` runs: each figure of the README once, in the order of its table.

export interface Run {
  /** Of one run only. */
  readonly name: string
  readonly bench: string
  /** Of the whole measurement. */
  readonly options: readonly string[]
  /** Of a short one, minutes instead of hours. */
  readonly quick: readonly string[]
}

/** A bench of which there is one run. */
const only = (bench: string, quick: readonly string[] = []): Run => ({ name: bench, bench, options: [], quick })

function histories(name: string, ...places: readonly string[]): Run {
  const ofLength = (length: number) => ['--histories', String(length), ...places]
  return { name, bench: 'broadcast-histories', options: ofLength(10_000), quick: ofLength(300) }
}

export const runs: readonly Run[] = [
  only('polling'),
  histories('broadcasts at one address', '--layout', 'one address'),
  histories('broadcasts at three nodes', '--layout', 'three addresses'),
  histories('broadcasts at one to five nodes'),
  only('upstream-faults', ['--quick']),
  only('nodes', ['--quick']),
  only('node-outages', ['--quick']),
  only('edge'),
  only('indexer-restarts'),
  only('indexer-latency', ['--quick']),
  only('cold', ['--quick']),
  only('memory'),
]

/** As it is typed. */
export const commandOf = ({ bench }: Run, options: readonly string[]): string =>
  ['npm run bench --', bench, ...options].join(' ')
