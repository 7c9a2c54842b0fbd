// curl commands to paste, one for each endpoint, of at most 80 columns.
import { filledPath, heldValues, type NamedInBlock, queryText } from '../../shared/contract/parameters.ts'
import { contracts, endpoints } from '../../shared/endpoints/all.ts'
import { signedExamples } from './signed-examples.ts'

/** The syntax of one shell. */
export interface Shell {
  readonly curl: string
  set(name: string, value: string): string
  variable(name: string): string
}

const sh: Shell = { curl: 'curl -sS', set: (name, value) => `${name}=${value}`, variable: (name) => `$${name}` }

/** Windows' own. */
const cmd: Shell = {
  curl: 'curl.exe -sS',
  set: (name, value) => `set ${name}=${value}`,
  variable: (name) => `%${name}%`,
}

/** @param platform as Node names it */
export const shellOf = (platform: string): Shell => (platform === 'win32' ? cmd : sh)

/** The variables of the shell that the other lines use: address, key, hash and path have more than 80 columns together. */
export const variableLines = (
  { set }: Shell,
  url: string,
  { creator, stateHash }: Partial<NamedInBlock> = {},
): string[] => [
  set('url', url),
  ...(creator === undefined ? [] : [set('key', creator)]),
  ...(stateHash === undefined ? [] : [set('block', stateHash)]),
]

/** A line for each GET; without a block that names what to look up, for those that need none. */
export const readingLines = ({ curl, variable }: Shell, block: Partial<NamedInBlock> = {}): string[] =>
  endpoints.flatMap(({ name, method, path }) => {
    const { creator, stateHash } = block
    const inShell = {
      ...block,
      ...(creator && { creator: variable('key') }),
      ...(stateHash && { stateHash: variable('block') }),
    }
    const filled = filledPath(path, heldValues(inShell))
    if (method !== 'GET' || filled === undefined) return []
    const query = queryText(contracts[name].samples[200]?.query)
    const address = `${variable('url')}${filled}`
    // Some shells look for files where an argument has a question mark.
    return [`${curl} ${query === '' ? address : `"${address}${query}"`}`]
  })

/** A line for each broadcast, which fetches a signed command and sends it. */
export const broadcastingLines = ({ curl, variable }: Shell): string[] => {
  const url = variable('url')
  return signedExamples.map(({ path, broadcastPath }) => `${curl} ${url}${path} | ${curl} -d @- ${url}${broadcastPath}`)
}
