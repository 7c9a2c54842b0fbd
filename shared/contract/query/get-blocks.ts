import { maxBlocks } from '../limits.ts'
import { described } from './described.ts'
import type { QueryDeclaration } from './kinds.ts'

export const blocksQuery = {
  // Contract gap: the name of the option is not shown.
  limit: { kind: 'count', max: maxBlocks, default: 1 },
} as const satisfies QueryDeclaration

export const describedBlocks = () =>
  described(blocksQuery, {
    limit: `How many blocks. A larger number is taken for ${maxBlocks}; anything but a whole number, 1 or more, is a 400.`,
  })
