import { max32Bits } from '../forms.ts'
import type { QueryDeclaration } from './kinds.ts'

/** The terms that a command was signed with. */
export const transactionQuery = {
  from: { kind: 'key', level: 1 },
  nonce: { kind: 'number', min: 0, max: max32Bits, level: 1 },
  valid_until: { kind: 'number', min: 0, max: max32Bits, level: 1 },
  to: { kind: 'key', level: 2 },
  fee: { kind: 'nanomina', level: 2 },
  memo: { kind: 'memo', level: 2 },
  amount: { kind: 'nanomina', level: 3 },
} as const satisfies QueryDeclaration
