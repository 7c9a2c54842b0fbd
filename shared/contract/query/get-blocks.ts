import { maxBlocks } from '../limits.ts'
import type { QueryDeclaration } from './kinds.ts'

export const blocksQuery = {
  // Contract gap: the name of the option is not shown.
  limit: { kind: 'count', max: maxBlocks, default: 1 },
} as const satisfies QueryDeclaration
