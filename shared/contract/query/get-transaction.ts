import { max32Bits, memoForm } from '../forms.ts'
import { described } from './described.ts'
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

const term = 'With the two others, a term that the command was signed with'

const further =
  'With to, fee, memo, and amount of a payment, what the command does; only beside from, nonce, valid_until'

export const describedTransaction = () =>
  described(transactionQuery, {
    from: `${term}: public key of its sender`,
    nonce: `${term}: its nonce`,
    valid_until: `${term}: the last slot in which it may be included; 4294967295 where it has no end`,
    to: `${further}: public key of its receiver, or of the new delegate`,
    fee: `${further}: its fee in nanomina`,
    memo: `${further}: its memo as the chain has it, in base58check: ${memoForm.length} characters, ${memoForm.prefix}…`,
    amount: `${further}: its amount in nanomina; without it an equal delegation is the command, and a payment proves nothing`,
  })
