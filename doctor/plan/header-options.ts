// Headers for an upstream from the command line, the environment and the stage, and the keys that stay unknown.
import { type Finding, warn } from '../finding.ts'

/** A header whose text a stage keeps in a secret or parameter of AWS, which the doctor does not read. */
export interface UnreadKey {
  readonly upstream: 'node' | 'indexer'
  readonly header: string
  readonly keptIn: string
}

const optionOf = { node: 'header', indexer: 'indexer-header' } as const

function parsedOptions(option: string, given: readonly string[]): Readonly<Record<string, string>> {
  const entries = given.map((header) => {
    const [, name, value] = /^([^:\s]+):\s*(.+)$/.exec(header) ?? []
    // What was given is not shown: it may be a key.
    if (name === undefined || value === undefined) throw new Error(`--${option}: wanted 'name: value'`)
    return [name, value]
  })
  return Object.fromEntries(entries)
}

function parsedText(text: string | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse(text || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** So that a header overrides its namesake whatever the case of the two. */
const byLowerCaseName = (headers: object): object =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/**
 * All headers as the JSON text that the service reads; a text that is none is handed on, to be refused there.
 *
 * @param given of the command line, which goes before the environment, which goes before the stage
 * @throws Error for an option that is no header
 */
export function headersText(
  upstream: UnreadKey['upstream'],
  given: readonly string[],
  fromEnvironment: string | undefined,
  ofStage: string | undefined,
): string | undefined {
  const [environment, stage] = [parsedText(fromEnvironment), parsedText(ofStage)]
  if (environment === undefined) return fromEnvironment
  if (stage === undefined) return ofStage
  const options = parsedOptions(optionOf[upstream], given)
  return JSON.stringify(Object.assign({}, ...[stage, environment, options].map(byLowerCaseName)))
}

/** Without the key most questions will fail: this says why. */
export const unreadKeyFinding = ({ upstream, header, keptIn }: UnreadKey): Finding =>
  warn(
    `${upstream} key`,
    `the stage sends ${header} from ${keptIn}, which is not read here`,
    `pass it: --${optionOf[upstream]} '${header}: …', or ${upstream === 'node' ? 'UPSTREAM' : 'INDEXER'}_HEADERS='{"${header}":"…"}'`,
  )
