// The tables of docs/broadcasting.md: why a broadcast was not answered with success, or a command is nowhere, and what to do.
import { broadcastAdvice } from '../../shared/contract/broadcast-advice.ts'
import { broadcastCodes } from '../../shared/contract/broadcast-codes.ts'
import type { sendings } from '../../shared/contract/transaction.ts'

export const broadcastCodesTable = (): string =>
  [
    '| Code | Class | Meaning | Do |\n|---|---|---|---|\n',
    ...Object.entries(broadcastAdvice).map(
      ([code, advice]) =>
        `| \`${code}\` | ${new Map(Object.entries(broadcastCodes)).get(code)} | ${advice.meaning} | ${advice.do} |\n`,
    ),
  ].join('')

export interface Advice {
  readonly meaning: string
  readonly do: string
}

/** Of a command that was found nowhere. */
export const sendingAdvice: Readonly<Record<(typeof sendings)[number], Advice>> = {
  possible: { meaning: 'nothing stands against it. Balance, fee and pool still may', do: 'send the same bytes again' },
  'rival-pending': { meaning: 'another command with its nonce waits: `by`', do: 'wait for one of the two' },
  'waits-for-nonce': { meaning: 'no command uses `missingNonces`', do: 'send those first' },
  'no-account': { meaning: 'the sender has no account yet', do: 'fund it' },
  'nonce-used': {
    meaning: 'the nonce is used, and nothing proves by what: it may be the command itself (`by`, `command`)',
    do: 'sign nothing; see [the nonce is used](#the-nonce-is-used)',
  },
  unknown: {
    meaning: 'the nodes lag or disagree, or a command with its nonce waits that may be the same one (`by`, `command`)',
    do: 'ask again',
  },
}

export const sendingsTable = (): string =>
  [
    '| `sending` | It is true that | Do |\n|---|---|---|\n',
    ...Object.entries(sendingAdvice).map(([code, advice]) => `| \`${code}\` | ${advice.meaning} | ${advice.do} |\n`),
  ].join('')
