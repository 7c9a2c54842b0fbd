// Reads settings of a stage called dev, and the message when they are refused.
import { SettingsError } from '../../../infra/settings/mistakes.ts'
import { readStageSettings } from '../../../infra/settings/read.ts'
import type { StageSettings } from '../../../infra/settings/schema.ts'

type Settings = Readonly<Record<string, unknown>>
type Env = Readonly<Record<string, string>>

/** A stage file with only the required settings. */
export const minimalFile = { network: 'devnet', nodeGraphqlUrl: 'https://node.example/graphql' } as const

export const read = (file: Settings, env: Env = {}, context: Settings = {}): StageSettings =>
  readStageSettings('dev', file, context, env).settings

/** The whole message of refused settings. */
export function messageOf(file: Settings, env: Env = {}, context: Settings = {}): string {
  try {
    read(file, env, context)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  throw new Error('The settings were accepted.')
}

/** Each mistake of refused settings in one line: where it is | what was given | what is wanted | an example. */
export const mistakesIn = (...given: Parameters<typeof messageOf>): readonly string[] =>
  messageOf(...given)
    .split('\n\n')
    .slice(1)
    .map((paragraph) => {
      const [place, ...lines] = paragraph.replace('config/dev.ts: ', '').split('\n')
      return [place, ...lines.slice(0, 3).map((line) => line.slice(11))].join(' | ')
    })
