import { defaultHistory, maxHistory } from '../limits.ts'
import type { QueryDeclaration } from './kinds.ts'

export const accountTransactionsQuery = {
  limit: { kind: 'number', min: 1, max: maxHistory, default: defaultHistory },
  before: { kind: 'cursor' },
} as const satisfies QueryDeclaration
