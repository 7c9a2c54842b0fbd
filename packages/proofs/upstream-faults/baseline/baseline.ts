// Proves the answer without a fault, by which every other one is judged: its status and headers as the scenario says, its
// shape by the contract, and its content by the chain.
import { judgedEndpoints } from '../endpoints.ts'
import type { JsonObject } from '../exact-json.ts'
import { bodyOf, formFaults } from '../judge/answer-form.ts'
import type { Usual } from '../judge/evidence.ts'
import { historyFaults } from '../judge/truth/histories.ts'
import type { Scenario } from '../setting/scenarios.ts'
import { propertiesOf, shapeFaults } from './contract.ts'
import { proved } from './proof.ts'
import type { Things } from './things.ts'

function outcomeOf({ signed, status, isMutationSilent }: Scenario): string | undefined {
  if (signed === undefined) return undefined
  return status === 400 ? 'refused' : isMutationSilent ? 'already-known' : 'accepted'
}

/** @returns what is wrong with the answer, empty for a true one */
export function baselineFaults(scenario: Scenario, things: Things, usual: Usual): readonly string[] {
  const { received } = usual
  const { status, headers } = received
  const endpoint = judgedEndpoints[scenario.endpoint]
  const wanted = scenario.status ?? (scenario.signed ? 201 : 200)
  const kept = scenario.keptSeconds ?? endpoint.maxAgeSeconds
  const isKept = status !== 200 || headers['cache-control']?.startsWith(`public, max-age=${kept},`) === true
  const lacks = headers['x-missing-fields']
  const outcome = headers['x-broadcast-outcome']
  const place = {
    things,
    scenario,
    around: [],
    told: [things.node],
    path: '',
    properties: propertiesOf(scenario.endpoint, status),
  }
  const page = { scenario, usual, exchanges: [], turn: 'fault', isHeld: false } as const
  return [
    ...(status === wanted ? [] : [`wanted ${wanted}, got ${status}`]),
    ...(isKept ? [] : [`wanted to be kept ${kept} s: ${headers['cache-control']}`]),
    ...(lacks === scenario.lacks ? [] : [`wanted x-missing-fields ${scenario.lacks}, got ${lacks}`]),
    ...(outcome === outcomeOf(scenario) ? [] : [`wanted the outcome ${outcomeOf(scenario)}, got ${outcome}`]),
    ...formFaults(endpoint, received),
    ...shapeFaults(scenario.endpoint, received),
    ...proved(bodyOf(received) as JsonObject, place),
    ...(scenario.history ? (historyFaults(page, received) ?? []) : []),
  ]
}
