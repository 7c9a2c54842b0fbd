// The table of docs/broadcasting.md: why a broadcast was not answered with success, and what to do.
import { broadcastAdvice } from '../../shared/contract/broadcast-advice.ts'
import { broadcastCodes } from '../../shared/contract/broadcast-codes.ts'

export const broadcastCodesTable = (): string =>
  [
    '| Code | Class | Meaning | Do |\n|---|---|---|---|\n',
    ...Object.entries(broadcastAdvice).map(
      ([code, advice]) =>
        `| \`${code}\` | ${new Map(Object.entries(broadcastCodes)).get(code)} | ${advice.meaning} | ${advice.do} |\n`,
    ),
  ].join('')
