// curl commands to paste: one for each endpoint.
import { filledPath, heldValues, type NamedInBlock, queryText } from '../../shared/contract/parameters.ts'
import { contracts, endpoints } from '../../shared/endpoints/all.ts'
import type { Chain } from '../chain/chain.ts'
import { signedDelegation, signedPayment } from '../examples/signed-forms.ts'

/** A line for each GET; without a block that names what to look up, for those that need none. */
export const readingLines = (url: string, block: Partial<NamedInBlock> = {}): string[] =>
  endpoints.flatMap(({ name, method, path }) => {
    const filled = filledPath(path, heldValues(block))
    if (method !== 'GET' || filled === undefined) return []
    return [`curl -sS '${url}${filled}${queryText(contracts[name].samples[200]?.query)}'`]
  })

const posting = (url: string, path: string, body: object): string =>
  `curl -sS -H 'content-type: application/json' -d '${JSON.stringify(body)}' '${url}${path}'`

/**
 * Lines for the two POSTs: a payment and a delegation by two test wallets, with real signatures and the current nonces.
 * A line works until its wallet sends another command.
 */
export const broadcastingLines = (url: string, chain: Chain): string[] => [
  posting(url, '/broadcast/transaction', signedPayment(chain, { memo: 'hello' }).contract),
  posting(url, '/broadcast/delegation', signedDelegation(chain, { memo: 'my stake' }).contract),
]
