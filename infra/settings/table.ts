// The table of all settings in docs/operations.md.
import { type Setting, settings, shown } from './settings.ts'

const heading = '| Key | Default | Meaning |\n|---|---|---|\n'

/** The form of a value without what the page says once, of variables, or what a default shows. */
const inTable = (wants: string): string =>
  wants
    .replace(/: true or false$/, '')
    .replace(/,? (?:each once, )?(?:in a variable separated by commas|as JSON in a variable)/, '')
    .replace(': a whole number from ', ': ')
    // The synthesis lists them.
    .replace(/: one of (?:[^,]+, ){6,}.*$/, '')
    .replaceAll('<', '&lt;')

function row(setting: Setting): string {
  const { key, fallback, optionalGroup, wants } = setting
  const required = optionalGroup === undefined ? 'required' : `required in \`${optionalGroup}\``
  const defaultValue = fallback === undefined ? required : shown(setting, undefined)
  return `| \`${key}\` | ${defaultValue} | ${inTable(wants)} |\n`
}

/** Every setting with its default and meaning, as a table in Markdown. The synthesis prints an example of a wrong one. */
export const settingsTable = (): string => heading + [...settings.values()].map(row).join('')
