import { accountTokensResponse } from '../account-tokens.ts'
import { found, getFailures, notAPublicKey, strangeOption } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'

const responses = {
  200: found(accountTokensResponse, 'The balances of the key'),
  404: notAPublicKey,
  ...getFailures,
}

export const getAccountTokensContract = {
  name: 'getAccountTokens',
  description:
    'Balances of a public key in all tokens, MINA among them, at the best tip. A key has one account for each token; one without any account gets an empty list. One without an account that holds MINA is listed here, and a 404 at `GET /accounts/{public_key}`.',
  addition: 'The contract shows the balance in MINA alone.',
  responses,
  samples: {
    200: { shows: 'balances' },
    400: strangeOption,
    404: { shows: 'noPublicKey', isMalformed: true },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
