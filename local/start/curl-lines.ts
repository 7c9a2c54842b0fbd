// curl commands to paste, one for each endpoint, of at most 80 columns.
import { filledPath, heldValues, type NamedInBlock, queryText } from '../../shared/contract/parameters.ts'
import { contracts, endpoints } from '../../shared/endpoints/all.ts'
import { signedExamples } from './signed-examples.ts'

/** The variables of the shell that the other lines use: address, key, hash and path have more than 80 columns together. */
export const variableLines = (url: string, { creator, stateHash }: Partial<NamedInBlock> = {}): string[] => [
  `url=${url}`,
  ...(creator === undefined ? [] : [`key=${creator}`]),
  ...(stateHash === undefined ? [] : [`block=${stateHash}`]),
]

/** A line for each GET; without a block that names what to look up, for those that need none. */
export const readingLines = (block: Partial<NamedInBlock> = {}): string[] =>
  endpoints.flatMap(({ name, method, path }) => {
    const { creator, stateHash } = block
    const inShell = { ...block, ...(creator && { creator: '$key' }), ...(stateHash && { stateHash: '$block' }) }
    const filled = filledPath(path, heldValues(inShell))
    if (method !== 'GET' || filled === undefined) return []
    const query = queryText(contracts[name].samples[200]?.query)
    // Some shells look for files where an argument has a question mark.
    return [`curl -sS ${query === '' ? `$url${filled}` : `"$url${filled}${query}"`}`]
  })

/** A line for each broadcast, which fetches a signed command and sends it. */
export const broadcastingLines = (): string[] =>
  signedExamples.map(({ path, broadcastPath }) => `curl -sS $url${path} | curl -sS -d @- $url${broadcastPath}`)
