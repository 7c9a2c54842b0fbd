// Wrong services, each of which the judge must detect.
import type { Case } from './cases.ts'
import { type WrongService, wrongEndpoints } from './wrong/endpoints.ts'
import { wrongHistories } from './wrong/histories.ts'
import { wrongAboutIndexers } from './wrong/indexer.ts'
import { wrongPorts } from './wrong/ports.ts'

/** By the name that `--variant` takes. */
export const wrongServices: Readonly<Record<string, WrongService>> = {
  ...wrongPorts,
  ...wrongEndpoints,
  ...wrongAboutIndexers,
  ...wrongHistories,
}

/** The cases of the catalogue in which the judge should detect a wrong service. */
export const telling = ({ shownBy: [fault, scenario] }: WrongService, cases: readonly Case[]): readonly Case[] =>
  cases.filter((one) => one.fault.kind !== 'field' && fault.test(one.fault.name) && scenario.test(one.scenario.name))
