// The table of all settings in docs/operations.md.
import { type Setting, settings, shown } from './settings.ts'

const heading = '| Key | Default | Meaning |\n|---|---|---|\n'

/** The meaning of a value, without what the page says once of variables and what the synthesis says of a wrong value. */
const meaningIn = (wants: string): string =>
  wants
    .replace(/,? (?:each once, )?(?:in a variable separated by commas|as JSON in a variable)/, '')
    .replace(/: a whole number from \d+ to \d+/, '')
    .replace(/: (?:true or false$|one of (?:[^,]+, ){6,}|arn:|at most \d+, names ).*$/, '')

/** Two keys of upstreams are described alike. */
function meaningOf(setting: Setting): string {
  const first = [...settings.values()].find(({ wants }) => wants === setting.wants) ?? setting
  return first === setting ? meaningIn(setting.wants) : `as \`${first.key}\``
}

function row(setting: Setting): string {
  const { key, fallback } = setting
  const defaultValue = fallback === undefined ? 'required' : shown(setting, undefined)
  return `| \`${key}\` | ${defaultValue} | ${meaningOf(setting)} |\n`
}

/** Every setting with its default and meaning, as a table in Markdown. */
export const settingsTable = (): string => heading + [...settings.values()].map(row).join('')
