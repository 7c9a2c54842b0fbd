import { failed, found, getFailures } from '../answers.ts'
import type { EndpointContract, SamplesOf } from '../endpoint-contract.ts'
import { max32Bits, publicKeyForm } from '../forms.ts'
import { pathParameters, patternOf } from '../parameters.ts'
import { transactionNotFound, transactionResponse } from '../transaction.ts'

const responses = {
  200: found(transactionResponse, 'The state of the command'),
  400: failed(
    'An option is malformed, or stands without the others',
    'from is missing: from, nonce, valid_until are given together or not at all; valid_until is missing: from, nonce, valid_until are given together or not at all',
  ),
  404: found(transactionNotFound, 'No command with this hash was found where it was searched'),
  ...getFailures,
}

const term = 'With the two others, a term that the command was signed with'

const number32 = { type: 'integer', format: 'int64', minimum: 0, maximum: max32Bits } as const

export const getTransactionContract = {
  name: 'getTransaction',
  description:
    'Whether a signed command is in a block, waits in a pool, was replaced or expired, and where it is none of these, whether it could still be sent. Nothing is claimed that was not seen: `searched` says where. Named with its terms (`from`, `nonce`, `valid_until`), a command that is nowhere is a 200 that says what stands in its way; without them it is a 404. Stop at `included`, `replaced` or `expired` with as many confirmations as the payment is worth (15 for most): a reorganisation can take each of them back.',
  addition: 'The contract has no question for the fate of a command.',
  request: {
    path: { hash: pathParameters.hash },
    query: {
      from: {
        type: 'string',
        description: `${term}: public key of its sender`,
        documented: { type: 'string', pattern: patternOf(publicKeyForm) },
      },
      nonce: { type: 'string', description: `${term}: its nonce`, documented: number32 },
      valid_until: {
        type: 'string',
        description: `${term}: the last slot in which it may be included; 4294967295 where it has no end`,
        documented: number32,
      },
    },
  },
  responses,
  samples: {
    200: { shows: 'includedPayment' },
    400: { shows: 'oneTermAlone', query: { nonce: 0 } },
    404: { shows: 'noSuchTransaction' },
  } satisfies SamplesOf<typeof responses>,
} as const satisfies EndpointContract
