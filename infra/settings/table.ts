// The table of all settings in docs/operations.md.
import { quoted } from './kinds.ts'
import { type Setting, settings, shown } from './settings.ts'

const start = '<!-- settings: written by npm run generate -->\n'
const end = '<!-- /settings -->\n'
const heading = '\n| Key | Default | Meaning | Example |\n|---|---|---|---|\n'

function row(setting: Setting): string {
  const { key, fallback, optionalGroup, wants, example } = setting
  const required = optionalGroup === undefined ? 'required' : `required in \`${optionalGroup}\``
  const defaultValue = fallback === undefined ? required : shown(setting, undefined)
  return `| \`${key}\` | ${defaultValue} | ${wants.replaceAll('<', '&lt;')} | ${example === fallback ? '' : `\`${quoted(example)}\``} |\n`
}

/**
 * The document with its table of settings renewed.
 *
 * @throws Error where the lines around the table are missing
 */
export function withSettingsTable(document: string): string {
  const [before, rest = ''] = document.split(start)
  const after = rest.split(end)[1]
  if (after === undefined) throw new Error(`There is no ${start}or no ${end}`)
  return [before, start, heading, ...[...settings.values()].map(row), '\n', end, after].join('')
}
