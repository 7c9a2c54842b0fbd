// Which fault spoils which question of which request.
import type { Random } from '../../testnet/random.ts'
import { catalogue } from './catalogue.ts'
import type { Fault, TrueExchange } from './fault.ts'
import { fieldFaultsOf } from './faults/field-faults.ts'
import type { Scenario } from './setting/scenarios.ts'

export interface Case {
  readonly scenario: Scenario
  readonly fault: Fault
  /** The operation whose answers it spoils. */
  readonly operation: string
}

/** A case as text, unique. */
export const caseName = ({ scenario, fault, operation }: Case): string =>
  `${scenario.name} | ${operation} | ${fault.name}`

/** The first answer to each operation by name; where the service looks for a command, its mutation is spoilt already. */
const spoilable = ({ isMutationSilent }: Scenario, exchanges: readonly TrueExchange[]): readonly TrueExchange[] =>
  [...new Map(exchanges.toReversed().map((exchange) => [exchange.name, exchange])).values()]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .filter(({ document }) => !(isMutationSilent && document.startsWith('mutation')))

/** Each fault of the catalogue on each question that it can hit. */
export const catalogueCases = (scenario: Scenario, exchanges: readonly TrueExchange[]): readonly Case[] =>
  spoilable(scenario, exchanges).flatMap((exchange) =>
    catalogue
      .filter((fault) => fault.upstream === exchange.upstream && fault.hits(exchange))
      .map((fault) => ({ scenario, fault, operation: exchange.name })),
  )

/** The faults in so many of a question that another request puts too are tried once more. */
const repeatedOnceIn = 8

/**
 * Every field of every answer with every wrong value.
 *
 * @param seen operations of earlier scenarios; is added to
 */
export const fieldCases = (
  scenario: Scenario,
  exchanges: readonly TrueExchange[],
  random: Random,
  seen: Set<string>,
): readonly Case[] =>
  spoilable(scenario, exchanges).flatMap((exchange) => {
    const isNew = !seen.has(exchange.name)
    seen.add(exchange.name)
    return fieldFaultsOf(exchange, random)
      .filter(() => isNew || random() < 1 / repeatedOnceIn)
      .map((fault) => ({ scenario, fault, operation: exchange.name }))
  })

/** Each fault of the catalogue on the first question that it can hit, and one field fault in a hundred. */
export function quickCases(cases: readonly Case[]): readonly Case[] {
  const named = cases.filter(({ fault }) => fault.kind !== 'field')
  const fields = cases.filter(({ fault }) => fault.kind === 'field')
  const first = new Map(named.toReversed().map((one) => [one.fault.name, one]))
  return [...first.values(), ...fields.filter((_, index) => index % 100 === 0)]
}
