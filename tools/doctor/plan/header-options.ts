// The headers for an upstream from command line, environment and stage, and the keys that are missing.
import { readFileSync } from 'node:fs'
import { type Finding, warn } from '../finding.ts'

/** A header whose value is in a secret or parameter of AWS, which the doctor does not read. */
export interface UnreadKey {
  readonly upstream: 'node' | 'indexer'
  readonly header: string
  readonly keptIn: string
  /** One of several nodes, each of which has its headers. */
  readonly isListed?: boolean
}

const optionOf = { node: 'header', indexer: 'indexer-header' } as const

/** A value, or the text of the file that it names: a key on a command line would stay in the shell's history. */
function textOf(given: string, option: string): string {
  const path = /^file:\/\/(.+)$/.exec(given)?.[1]
  if (path === undefined) return given
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch {
    throw new Error(`--${option}: there is no file to read at ${path}`)
  }
  if (text === '') throw new Error(`--${option}: the file ${path} is empty`)
  return text
}

function parsedOptions(option: string, given: readonly string[]): Readonly<Record<string, string>> {
  const entries = given.map((header) => {
    const [, name, value] = /^([^:\s]+):\s*(.+)$/.exec(header) ?? []
    // The message does not quote the option, which may hold a key.
    if (name === undefined || value === undefined) {
      throw new Error(`--${option}: wanted 'name: value', or 'name: file://path' for the text of a file`)
    }
    return [name, textOf(value, option)]
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

/** Makes a header override another of the same name in any case. */
const byLowerCaseName = (headers: object): object =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/**
 * All headers as the JSON text that the service reads. Malformed text is returned unchanged, so that reading the
 * settings refuses it.
 *
 * @param given headers of the command line; they take precedence over the environment, which does over the stage
 * @throws Error for an option without a name and a value, or with a file that cannot be read
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

/** Explains failures to come: without the key, most operations will fail. */
export const unreadKeyFinding = ({ upstream, header, keptIn, isListed = false }: UnreadKey): Finding =>
  warn(
    `${upstream} key`,
    `the stage sends ${header} from ${keptIn}, which the doctor does not read`,
    `put it into a file and ${isListed ? 'examine this node alone: --node URL' : 'pass that:'} --${optionOf[upstream]} "${header}: file://$HOME/key"${isListed ? ', or all nodes together: EXPLORER_NODES, as --help says' : ''}`,
  )
