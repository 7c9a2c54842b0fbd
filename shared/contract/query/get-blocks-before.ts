import { maxBlocks } from '../limits.ts'
import { described } from './described.ts'
import type { QueryDeclaration } from './kinds.ts'

export const blocksBeforeQuery = {
  limit: { kind: 'count', max: maxBlocks, default: maxBlocks },
} as const satisfies QueryDeclaration

export const describedBlocksBefore = () =>
  described(blocksBeforeQuery, {
    limit: `How many blocks. A larger number is taken for ${maxBlocks}; anything but a whole number, 1 or more, is a 400.`,
  })
