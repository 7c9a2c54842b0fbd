// The table of all settings in docs/operations.md.
import { quoted } from './kinds.ts'
import { type Setting, settings, shown } from './settings.ts'

const heading = '| Key | Default | Meaning | Example |\n|---|---|---|---|\n'

function row(setting: Setting): string {
  const { key, fallback, optionalGroup, wants, example } = setting
  const required = optionalGroup === undefined ? 'required' : `required in \`${optionalGroup}\``
  const defaultValue = fallback === undefined ? required : shown(setting, undefined)
  return `| \`${key}\` | ${defaultValue} | ${wants.replaceAll('<', '&lt;')} | ${example === fallback ? '' : `\`${quoted(example)}\``} |\n`
}

/** Every setting with its default, meaning and an example, as a table in Markdown. */
export const settingsTable = (): string => heading + [...settings.values()].map(row).join('')
