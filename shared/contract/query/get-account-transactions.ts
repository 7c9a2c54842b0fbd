import { defaultHistory, maxHistory } from '../limits.ts'
import { described } from './described.ts'
import type { QueryDeclaration } from './kinds.ts'

export const accountTransactionsQuery = {
  limit: { kind: 'number', min: 1, max: maxHistory, default: defaultHistory },
  before: { kind: 'cursor' },
} as const satisfies QueryDeclaration

export const describedAccountTransactions = () =>
  described(accountTransactionsQuery, {
    limit: `How many commands: 1 to ${maxHistory}. Commands of one block are never divided.`,
    before: 'The `next` of the page before: commands of blocks below this one. Any account may use it.',
  })
