// The balances of a key in all tokens: an addition to the contract.
import { text } from './scalars.ts'

const token = {
  type: 'object',
  title: 'TokenBalance',
  description: 'one account of the key: a key has one account for each token',
  properties: {
    tokenId: {
      ...text,
      description: 'id of the token in base58check; wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf is MINA',
    },
    balance: { ...text, description: "whole number of the token's smallest units, decimal digits; of MINA nanomina" },
    symbol: {
      ...text,
      description: 'as the account has it, absent without one. Anybody can choose any symbol: tell tokens by their ids',
    },
  },
  required: ['tokenId', 'balance'],
} as const

/** The answer of GET /accounts/{public_key}/tokens. */
export const accountTokensResponse = {
  type: 'object',
  title: 'AccountTokensResponse',
  properties: {
    tokens: {
      type: 'array',
      description: 'one for each token of the key, MINA first; empty for a key without an account',
      items: token,
    },
  },
  required: ['tokens'],
} as const
