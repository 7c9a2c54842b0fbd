// One share of the cases, worked off one after another.
import type { Case } from './cases.ts'
import { laboratory } from './run.ts'
import { caseName, count, emptyTally, type Tally } from './tally.ts'
import { isWrongVariant, wrongVariants } from './wrong-variants.ts'

export interface Share {
  readonly seed: string
  /** Each fault of the catalogue once, and one field fault in a hundred. */
  readonly isQuick: boolean
  /** Name of a wrong service; the service itself where absent. */
  readonly variant?: string
  /** Part of a case's name. */
  readonly only?: string
  /** Which share this is, from 0, and of how many. */
  readonly part: number
  readonly parts: number
}

const quickFields = 100

/** Each fault of the catalogue on the first question that it can hit, and a few of the fields. */
export function quickCases(cases: readonly Case[]): readonly Case[] {
  const named = cases.filter(({ fault }) => fault.kind !== 'field')
  const first = new Map(named.toReversed().map((one) => [one.fault.name, one]))
  const fields = cases.filter(({ fault }) => fault.kind === 'field')
  return [...first.values(), ...fields.filter((_, index) => index % quickFields === 0)]
}

/** Every `parts`-th case from `part` on, of those that are wanted. */
function chosen(cases: readonly Case[], { isQuick, only, part, parts }: Share): readonly Case[] {
  const named = only === undefined ? cases : cases.filter((one) => caseName(one).includes(only))
  const wanted = isQuick ? quickCases(named) : named
  return wanted.filter((_, index) => index % parts === part)
}

/** @param progress called after every case with how many are done, of how many */
export async function workOff(share: Share, progress: (done: number, all: number) => void): Promise<Tally> {
  const { variant = '' } = share
  const lab = await laboratory()
  try {
    const tally = emptyTally()
    const cases = chosen(await lab.cases(share.seed), share)
    for (const [index, one] of cases.entries()) {
      count(tally, await lab.try(one, isWrongVariant(variant) ? wrongVariants[variant] : {}))
      progress(index + 1, cases.length)
    }
    return tally
  } finally {
    await lab.close()
  }
}
