// Puts every case to the service: one answer under the fault, and the next one without it, by the same instance.
import { createRandom } from '../../local/chain/random.ts'
import { type Case, catalogueCases, fieldCases } from './cases.ts'
import { catalogue } from './catalogue.ts'
import { scenariosOf } from './endpoints.ts'
import { judge } from './judge/judge.ts'
import { type Exchange, type FaultServer, faultServer, type Session } from './setting/fault-server.ts'
import type { Scenario } from './setting/scenarios.ts'
import { type Instance, instanceOf, type Received, type Variant } from './setting/service.ts'
import { type TwinChains, twinChains } from './setting/twin-chains.ts'

/** One answer that was judged. */
export interface Judged {
  readonly case: Case
  /** `next`: after the fault is gone. */
  readonly turn: 'fault' | 'next'
  readonly received: Received
  /** Nothing for a right answer. */
  readonly wrongs: readonly string[]
}

export interface Laboratory {
  readonly scenarios: readonly Scenario[]
  /** The faults of the catalogue, on each question that they can hit. */
  namedCases(): Promise<readonly Case[]>
  /** The same, and every field of every answer; of lists one item, which the seed chooses. */
  cases(seed: string): Promise<readonly Case[]>
  /** The two answers of a case. */
  try(one: Case, variant?: Variant): Promise<readonly Judged[]>
  close(): Promise<void>
}

/** An answer that never comes is a wrong one. */
const maxWaitMs = 30_000
/** Long enough for a busy machine: only answers that never come shall time out. */
const usualTimeoutMs = 20_000
const hangingTimeoutMs = 250

const never: Received = { status: 0, headers: {}, text: 'no answer' }

async function answered(instance: Instance, scenario: Scenario): Promise<Received> {
  const waiting = Promise.withResolvers<Received>()
  const timer = setTimeout(() => waiting.resolve(never), maxWaitMs)
  const failed = (error: unknown): Received => ({ ...never, text: `the handler threw ${error}` })
  const received = await Promise.race([instance(scenario).catch(failed), waiting.promise])
  clearTimeout(timer)
  return received
}

const hangs = ({ fault: { name } }: Case): boolean => name.includes(' hangs')

/** Runs a task and notes the errors that would have ended a process of the service. */
async function survived<T>(task: () => Promise<T>): Promise<readonly [result: T, deaths: readonly string[]]> {
  const deaths: string[] = []
  const note = (error: unknown) => void deaths.push(`the process would have died: ${error}`)
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, note)
  try {
    return [await task(), deaths]
  } finally {
    for (const event of ['uncaughtException', 'unhandledRejection']) process.off(event, note)
  }
}

async function cleanExchanges(server: FaultServer, scenario: Scenario) {
  const session = server.open(scenario)
  await instanceOf(session, {}, usualTimeoutMs)(scenario)
  session.end()
  return session.exchanges
}

/** @param seed of the chain behind the upstreams */
export async function laboratory(seed = 'upstream faults'): Promise<Laboratory> {
  const chains: TwinChains = await twinChains(seed)
  const server = await faultServer(chains)
  const scenarios = scenariosOf(chains)

  async function turn(one: Case, session: Session, instance: Instance, kind: Judged['turn']): Promise<Judged> {
    const earlier = session.exchanges
    session.exchanges = []
    session.wasSlow = false
    const [received, deaths] = await survived(() => answered(instance, one.scenario))
    const { exchanges, isHeld, wasSlow } = session
    const mayCountAsNone = kind === 'fault' && one.fault.mayCountAsNone ? one.operation : undefined
    const evidence = { scenario: one.scenario, received, exchanges, earlier, isHeld, wasSlow, mayCountAsNone }
    return { case: one, turn: kind, received, wrongs: [...deaths, ...judge(evidence)] }
  }

  async function casesOf(make: (scenario: Scenario, exchanges: readonly Exchange[]) => readonly Case[]) {
    const all: Case[] = []
    for (const scenario of scenarios) all.push(...make(scenario, await cleanExchanges(server, scenario)))
    return all
  }

  return {
    scenarios,
    namedCases: () => casesOf((scenario, exchanges) => catalogueCases(catalogue, scenario, exchanges)),
    cases(caseSeed) {
      const random = createRandom(`upstream faults ${caseSeed}`)
      const seen = new Set<string>()
      return casesOf((scenario, exchanges) => [
        ...catalogueCases(catalogue, scenario, exchanges),
        ...fieldCases(scenario, exchanges, random, seen),
      ])
    },
    async try(one, variant = {}) {
      const session = server.open(one.scenario)
      const instance = instanceOf(session, variant, hangs(one) ? hangingTimeoutMs : usualTimeoutMs)
      session.fault = one
      const spoilt = await turn(one, session, instance, 'fault')
      session.fault = undefined
      const next = await turn(one, session, instance, 'next')
      session.end()
      return [spoilt, next]
    },
    async close() {
      await server.close()
      await chains.close()
    },
  }
}
