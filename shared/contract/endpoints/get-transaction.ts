import { enriched, found, getFailures, refusedQuery } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { describedTransaction } from '../query/get-transaction.ts'
import { transactionNotFound, transactionResponse } from '../transaction.ts'

const query = describedTransaction()
const oneTermAlone = { shows: 'oneTermAlone', query: { nonce: 0 } }

const responses = {
  ...getFailures,
  200: enriched(transactionResponse, 'The state of the command'),
  400: refusedQuery(query, oneTermAlone),
  404: found(transactionNotFound, 'No command with this hash was found where it was searched'),
}

export const getTransactionContract = {
  name: 'getTransaction',
  description:
    'Whether a signed command is in a block, waits in a pool, was replaced or expired, and where it is none of these, whether it could still be sent. Nothing is claimed that was not seen: `searched` says where. Named with its terms (`from`, `nonce`, `valid_until`), a command that is nowhere is a 200 that says what stands in its way; without them it is a 404. Name `to`, `fee`, `memo` and for a payment `amount` too: some wallets compute another hash than the node (mina-signer before 2.1.1, and later versions without `hashPayment(signed, { berkeley: true })`), and then only these tell the command from another one with its nonce. All equal, it is the command, and `chainHash` is its hash on the chain; one differing, it is `replaced` or has a rival; none given, or only the amount of a payment missing, neither is said: the answer is `absent` and shows the command that was found. In a block that only an indexer holds, `to`, `fee` or `amount` must differ and the block be final: then `replaced` is `final` too. A hash in sight comes before the terms. Stop at `included`, `replaced` or `expired` with as many confirmations as the payment is worth (15 for most): a reorganisation can take each of them back. Before you sign another one, wait for 15 or `final`, also where it failed.',
  addition: 'The contract has no question for the fate of a command.',
  request: { query },
  responses,
  samples: {
    200: { shows: 'includedPayment' },
    400: oneTermAlone,
    404: { shows: 'noSuchTransaction' },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
