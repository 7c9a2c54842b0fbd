// Puts every case to the service: one answer under the fault, and the next one without it, by the same instance.
import { createRandom } from '../../testnet/random.ts'
import { baselineFaults } from './baseline/baseline.ts'
import { thingsOf } from './baseline/things.ts'
import { type Case, catalogueCases, fieldCases } from './cases.ts'
import { scenariosOf } from './endpoints.ts'
import type { Usual } from './judge/evidence.ts'
import { judging } from './judge/judge.ts'
import { faultServer } from './setting/fault-server.ts'
import type { Scenario } from './setting/scenarios.ts'
import { type Instance, instanceOf, type Received, type Variant } from './setting/service.ts'
import { twinChains } from './setting/twin-chains.ts'

/** One judged answer. */
export interface Judged {
  /** `next`: after the fault is gone. */
  readonly turn: 'fault' | 'next'
  readonly status: number
  /** Empty for a right answer. */
  readonly wrongs: readonly string[]
}

export type Laboratory = Awaited<ReturnType<typeof laboratory>>

/** An answer that has not come by then is a wrong one. */
const maxWaitMs = 30_000

const never: Received = { status: 0, headers: {}, text: 'no answer' }

async function answered(instance: Instance, scenario: Scenario): Promise<Received> {
  const waiting = Promise.withResolvers<Received>()
  const timer = setTimeout(() => waiting.resolve(never), maxWaitMs)
  const failed = (error: unknown): Received => ({ ...never, text: `the handler threw ${error}` })
  const received = await Promise.race([instance(scenario).catch(failed), waiting.promise])
  clearTimeout(timer)
  return received
}

/** Of each task that runs now. Nothing tells whose error it is, so each notes every one. */
const running = new Set<string[]>()

/** One listener for all tasks: dozens run at once, and Node takes more than ten listeners for a leak. */
function note(error: unknown): void {
  for (const deaths of running) deaths.push(`the process would have died: ${error}`)
}

const deadly = ['uncaughtException', 'unhandledRejection'] as const

/** Runs a task and notes the errors that would have ended a process of the service. */
async function survived<T>(task: () => Promise<T>): Promise<readonly [result: T, deaths: readonly string[]]> {
  const deaths: string[] = []
  if (running.size === 0) for (const event of deadly) process.on(event, note)
  running.add(deaths)
  try {
    return [await task(), deaths]
  } finally {
    running.delete(deaths)
    if (running.size === 0) for (const event of deadly) process.off(event, note)
  }
}

/**
 * @param seed of the chain behind the upstreams
 * @param hangingMs time limit for an answer that a fault withholds; longer if many cases run at once
 */
export async function laboratory(seed = 'upstream faults', hangingMs = 250) {
  const chains = await twinChains(seed)
  const server = await faultServer(chains)

  const things = { held: thingsOf(chains.holding), other: thingsOf(chains.twin) }
  const known = new Map<string, Promise<readonly [Usual, Usual]>>()

  /** The two answers of a new instance of the service itself, without a fault. */
  function usual(scenario: Scenario): Promise<readonly [Usual, Usual]> {
    const answers = known.get(scenario.name) ?? askTwice(scenario)
    known.set(scenario.name, answers)
    return answers
  }

  async function askTwice(scenario: Scenario): Promise<readonly [Usual, Usual]> {
    const session = server.open(scenario)
    const instance = instanceOf(session, hangingMs)
    const ask = async (): Promise<Usual> => {
      session.exchanges = []
      return { received: await answered(instance, scenario), exchanges: session.exchanges }
    }
    const answers = [await ask(), await ask()] as const
    session.end()
    return answers
  }

  const unprovedIn = (scenario: Scenario, answer: Usual): readonly string[] =>
    baselineFaults(scenario, scenario.signed ? things.held : things.other, answer)

  return {
    /**
     * The faults of the catalogue on each question that they can hit. With a seed also every field of every answer; of
     * lists one item, which the seed chooses. Fewer scenarios give the first of these cases.
     */
    async cases(caseSeed?: string, scenarios = scenariosOf(chains)): Promise<readonly Case[]> {
      const random = createRandom(`upstream faults ${caseSeed}`)
      const seen = new Set<string>()
      const all: Case[] = []
      for (const scenario of scenarios) {
        const session = server.open(scenario)
        await instanceOf(session, hangingMs)(scenario)
        session.end()
        const { exchanges } = session
        all.push(...catalogueCases(scenario, exchanges))
        if (caseSeed !== undefined) all.push(...fieldCases(scenario, exchanges, random, seen))
      }
      return all
    },
    scenarios: scenariosOf(chains),
    usual,
    /** The places where an answer without a fault is not what the chain shows. */
    unprovedIn,
    /** The same for both answers of the service itself. */
    unproved: async (scenario: Scenario) => (await usual(scenario)).flatMap((answer) => unprovedIn(scenario, answer)),
    /** The two answers of a case. */
    async try({ scenario, fault, operation }: Case, variant: Variant = {}): Promise<readonly Judged[]> {
      const usually = await usual(scenario)
      const session = server.open(scenario)
      const instance = instanceOf(session, hangingMs, variant)
      const judged: Judged[] = []
      for (const [index, turn] of (['fault', 'next'] as const).entries()) {
        const spoiling = turn === 'fault' ? { fault, operation } : undefined
        Object.assign(session, { exchanges: [], fault: spoiling })
        const [received, deaths] = await survived(() => answered(instance, scenario))
        const { exchanges, isHeld } = session
        const evidence = { scenario, usual: usually[index as 0 | 1], exchanges, isHeld, fault, spoiling, turn }
        judged.push({ turn, status: received.status, wrongs: [...deaths, ...judging(evidence)(received)] })
      }
      session.end()
      return judged
    },
    async close() {
      await server.close()
      await chains.close()
    },
  }
}
