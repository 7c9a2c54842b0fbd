// The table of all settings in docs/operations.md.
import { quoted } from './kinds.ts'
import { type Setting, settings, shown } from './settings.ts'

const heading = '| Key | Default | Meaning | Example |\n|---|---|---|---|\n'

/** The form of a value without what the page says once, of variables, or what a default shows. */
const inTable = (wants: string): string =>
  wants
    .replace(/: true or false$/, '')
    .replace(/,? (?:each once, )?(?:in a variable separated by commas|as JSON in a variable)/, '')
    .replace(': a whole number from ', ': ')
    .replaceAll('<', '&lt;')

function row(setting: Setting): string {
  const { key, fallback, optionalGroup, wants, example } = setting
  const required = optionalGroup === undefined ? 'required' : `required in \`${optionalGroup}\``
  const defaultValue = fallback === undefined ? required : shown(setting, undefined)
  return `| \`${key}\` | ${defaultValue} | ${inTable(wants)} | ${example === fallback ? '' : `\`${quoted(example)}\``} |\n`
}

/** Every setting with its default, meaning and an example, as a table in Markdown. */
export const settingsTable = (): string => heading + [...settings.values()].map(row).join('')
