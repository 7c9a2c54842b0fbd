// What `npm run bench -- all` runs: each figure of the README once, in the order of its table.

export interface Run {
  readonly bench: string
  /** Of the whole measurement. */
  readonly options: readonly string[]
  /** Of a short one, minutes instead of hours. */
  readonly quick: readonly string[]
}

export const runs: readonly Run[] = [
  { bench: 'polling', options: [], quick: [] },
  { bench: 'broadcast-histories', options: ['--histories', '10000'], quick: ['--histories', '300'] },
  {
    bench: 'broadcast-histories',
    options: ['--histories', '10000', '--nodes', '3'],
    quick: ['--histories', '300', '--nodes', '3'],
  },
  { bench: 'upstream-faults', options: [], quick: ['--quick'] },
  { bench: 'nodes', options: [], quick: ['--quick'] },
  { bench: 'node-outages', options: [], quick: ['--quick'] },
  { bench: 'edge', options: [], quick: [] },
  { bench: 'indexer-restarts', options: [], quick: [] },
  { bench: 'indexer-latency', options: [], quick: ['--quick'] },
  { bench: 'cold', options: [], quick: ['--quick'] },
  { bench: 'memory', options: [], quick: [] },
]

/** As it is typed. */
export const commandOf = ({ bench }: Run, options: readonly string[]): string =>
  ['npm run bench --', bench, ...options].join(' ')
