// Which fault spoils which question of which request.
import type { Random } from '../../local/chain/random.ts'
import type { Fault, TrueExchange } from './fault.ts'
import { fieldFaultsOf } from './faults/field-faults.ts'
import type { Exchange } from './setting/fault-server.ts'
import type { Scenario } from './setting/scenarios.ts'

export interface Case {
  readonly scenario: Scenario
  readonly fault: Fault
  /** The operation whose answers it spoils. */
  readonly operation: string
}

/** The first answer to each operation, in an order that does not depend on which came first. */
const byOperation = (exchanges: readonly Exchange[]): readonly TrueExchange[] =>
  [...new Map(exchanges.toReversed().map((exchange) => [exchange.name, exchange])).values()].sort((left, right) =>
    left.name < right.name ? -1 : 1,
  )

/** Answers that the request of a scenario hangs on: what its mutation says is spoilt already where it looks. */
const spoilable = ({ isMutationSilent }: Scenario, exchanges: readonly Exchange[]): readonly TrueExchange[] =>
  byOperation(exchanges).filter(({ document }) => !(isMutationSilent && document.startsWith('mutation')))

/** Each fault of the catalogue on each question that it can hit. */
export const catalogueCases = (
  catalogue: readonly Fault[],
  scenario: Scenario,
  exchanges: readonly Exchange[],
): readonly Case[] =>
  spoilable(scenario, exchanges).flatMap((exchange) =>
    catalogue
      .filter((fault) => fault.upstream === exchange.upstream && fault.hits(exchange))
      .map((fault) => ({ scenario, fault, operation: exchange.name })),
  )

/** Of the answers to a question that another request puts too, one fault in so many is tried again. */
const repeatedOnceIn = 8

/**
 * Every field of every answer, times wrong values.
 *
 * @param seen operations that other scenarios have had; is added to
 */
export const fieldCases = (
  scenario: Scenario,
  exchanges: readonly Exchange[],
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
