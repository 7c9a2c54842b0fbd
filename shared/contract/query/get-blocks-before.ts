import { maxBlocks, maxHeaders } from '../limits.ts'
import { described } from './described.ts'
import type { QueryDeclaration } from './kinds.ts'

export const blocksBeforeQuery = {
  view: { kind: 'choice', values: ['block', 'header'], default: 'block' },
  limit: {
    ...{ kind: 'count', max: maxBlocks, default: maxBlocks },
    wider: { beside: 'view', text: 'header', max: maxHeaders },
  },
} as const satisfies QueryDeclaration

export const describedBlocksBefore = () =>
  described(blocksBeforeQuery, {
    view: '`header` answers `headers` in place of `blocks`: a line for each block, for charts and lists. Any other word is a 400.',
    limit: `How many blocks: 1 to ${maxBlocks}, and ${maxBlocks} by default. With \`view=header\` 1 to ${maxHeaders}, and without a limit full pages, which end at the same heights for every caller. A larger number is taken for the largest; anything but a whole number, 1 or more, is a 400.`,
  })
