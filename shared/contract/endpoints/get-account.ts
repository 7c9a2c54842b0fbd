import { accountResponse } from '../account.ts'
import { enriched, failed, getFailures, strangeOption } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'

const responses = {
  200: enriched(accountResponse, 'The account'),
  404: failed('No account has this key', 'No account found for that public key.'),
  ...getFailures,
}

export const getAccountContract = {
  name: 'getAccount',
  description:
    'Balance, nonce, delegate and pending commands of an account at the best tip, and with an indexer its stake, its delegators and its counters. A field that no upstream knows is absent. Account, pending commands and `status` are of one tip. Pending are the commands that the account has sent; those on their way to it are in `GET /pool?account=`. It is the account that holds MINA: a key with accounts of other tokens alone is a 404 here, and `GET /accounts/{public_key}/tokens` lists these.',
  responses,
  samples: {
    200: { shows: 'withPendingCommand' },
    400: strangeOption,
    404: { shows: 'noSuchAccount' },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
