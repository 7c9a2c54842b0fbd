// Reads settings of a stage, and the message when they are refused.
import { readStageSettings, SettingsError, type StageSettings } from '../../infra/settings.ts'

export const read = (context: Record<string, unknown>, env: Record<string, string> = {}): StageSettings =>
  readStageSettings((key) => context[key], env)

/** The whole message of refused settings. */
export function messageOf(context: Record<string, unknown>, env: Record<string, string> = {}): string {
  try {
    read(context, env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  throw new Error('The settings were accepted.')
}

/** The message that consists of these mistakes. */
export const whole = (...mistakes: string[]): string =>
  ['The settings of the stage are wrong. Nothing was synthesised.', ...mistakes, 'npm run deploy takes the same.'].join(
    '\n\n',
  )
