import type { QueryDeclaration } from './kinds.ts'

export const poolQuery = { account: { kind: 'key' } } as const satisfies QueryDeclaration
