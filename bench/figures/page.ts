// docs/figures.md: the charts, and every figure with the command that measures it.
import { charts } from './charts/all.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { runs } from './runs.ts'

const code = (text: string): string => `\`${text}\``

const shown = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en-GB') : String(Number(value.toPrecision(3)))

const sections = (outcomes: readonly Outcome[]): readonly string[] =>
  charts.flatMap((chart) => {
    const commands = chart.of.map((name) => code(outcomeOf(outcomes, name).command))
    return [
      `## ${chart.title}`,
      chart.text,
      `![${chart.alt(outcomes)}](figures/${chart.name}.svg)`,
      `Measured by ${commands.join(' and ')}.`,
    ]
  })

const table = ({ command, isGood, figures = {} }: Outcome): readonly string[] => [
  `### ${code(command)}`,
  isGood ? 'Ended well: no wrong answer, no target missed.' : '**Missed a target, or did not end.**',
  ...(Object.keys(figures).length === 0
    ? []
    : [
        [
          '| What | Figure |',
          '|---|---|',
          ...Object.entries(figures).map(([what, value]) => `| ${what} | ${shown(value)} |`),
        ].join('\n'),
      ]),
]

/** Runs whose figures are not committed. */
function absent(outcomes: readonly Outcome[]): readonly string[] {
  const names = runs.map(({ name }) => name).filter((name) => outcomes.every((outcome) => outcome.name !== name))
  return names.length === 0 ? [] : [`Not measured here: ${names.map(code).join(', ')}.`]
}

/** The whole page, as Markdown. */
export const page = (outcomes: readonly Outcome[]): string =>
  `${[
    '# Figures',
    'What [measurements.md](measurements.md) claims, as pictures, and the figures of one short measurement. All of them are ratios and counts: absolute times would say more about the machine than about the service. [The same figures as JSON](figures/figures.json) have the rows behind the charts.',
    '`npm run bench -- all --quick --charts` measures everything again and writes this page with its charts; `--only cold --only edge` measures some runs and keeps the other figures. `npm run bench -- charts` draws without measuring. Without `--quick` the runs are as long as those of measurements.md. `node-outages`, `indexer-restarts` and `indexer-latency` need a machine that does nothing else; the other figures do not depend on its load.',
    ...sections(outcomes),
    '## Every figure',
    ...outcomes.flatMap(table),
    ...absent(outcomes),
  ].join('\n\n')}\n`
