import { described } from './described.ts'
import type { QueryDeclaration } from './kinds.ts'

export const poolQuery = { account: { kind: 'key' } } as const satisfies QueryDeclaration

export const describedPool = () =>
  described(poolQuery, { account: 'Public key: only commands to or from it, and all of them' })
