// The table of packages/client/README.md: every word of the client for why something is not done, and what to do about it, or where
// docs/broadcasting.md says so.
import { broadcastAdvice } from '../../shared/contract/broadcast-advice.ts'
import { type Advice, sendingAdvice } from './broadcasting-page.ts'

const ofErrors = '`code` of a `ServiceError`'
const ofOutcomes = '`code` of an outcome'
const ofWaits = '`because`'

/** The words of the client alone, where they stand, and one that stands in more places than the service's table says. */
const ofClient: readonly (readonly [code: string, place: string, advice: Advice])[] = [
  [
    'network',
    ofErrors,
    { meaning: 'no connection, or one that broke', do: 'ask again; if it lasts, look at connection and address' },
  ],
  [
    'timeout',
    `${ofErrors}, ${ofOutcomes}`,
    { meaning: 'no answer in time', do: 'ask again; after a broadcast ask for its state' },
  ],
  [
    'unavailable',
    ofErrors,
    {
      meaning:
        'something else than an answer of the service, as of a proxy or a portal, or the service cannot answer now',
      do: 'ask again after `retryAfterSeconds`, if there are any',
    },
  ],
  [
    'not-found',
    `${ofErrors}, ${ofWaits}`,
    {
      meaning:
        'the service’s own 404: the block, account or command does not exist, or not yet. For a command: no node that was asked has it yet',
      do: 'check the hash or key; ask again if it may be new',
    },
  ],
  [
    'bad-request',
    ofErrors,
    {
      meaning: 'the service refuses the question: 400, or 409 where the block of a cursor is not canonical any more',
      do: 'mend the question; after a 409 begin again at a newer block',
    },
  ],
  [
    'network-mismatch',
    '`code` of a `NetworkMismatchError`',
    {
      meaning: 'the service is on `actual`, another network than yours, or takes signatures for it',
      do: 'sign and send nothing there',
    },
  ],
  [
    'store-in-use',
    '`code` of a `StoreInUseError`',
    {
      meaning: 'another queue has the lease of the store, or its program was killed less than two minutes ago',
      do: 'leave the store to that one, or begin again later',
    },
  ],
  [
    'no-answer',
    `${ofOutcomes}, ${ofWaits}`,
    {
      meaning: 'the service’s answer did not come, or something else in its place',
      do: 'wait for its inclusion, or send the same bytes again; never sign anew',
    },
  ],
  [
    'redirected',
    ofOutcomes,
    {
      meaning: 'the address sends on to another one, to which no broadcast comes; nothing was sent',
      do: 'make the address in `message` the `baseUrl`',
    },
  ],
  ['pending', ofWaits, { meaning: 'a pool has it', do: 'wait' }],
  [
    'refused',
    ofWaits,
    {
      meaning: 'a node refuses it now for the reason in `code`, and may have taken it before',
      do: 'wait; sign nothing',
    },
  ],
]

/** Every word for why something is not done, once. */
export function clientCodesTable(): string {
  const known = new Set(ofClient.map(([code]) => code))
  const named = (advice: object) =>
    Object.keys(advice)
      .filter((code) => !known.has(code))
      .map((code) => `\`${code}\``)
      .join(', ')
  return [
    '| Code | Where | It is true that | Do |\n|---|---|---|---|\n',
    ...ofClient.map(([code, place, advice]) => `| \`${code}\` | ${place} | ${advice.meaning} | ${advice.do} |\n`),
    `| ${named(sendingAdvice)} | ${ofWaits} | [what the service says](../../docs/broadcasting.md#what-became-of-it) | see there |\n`,
    `| ${named(broadcastAdvice)} | ${ofOutcomes}, \`network-paused\` also ${ofWaits} | [a broadcast’s code](../../docs/broadcasting.md#codes-and-what-to-do) | see there |\n`,
  ].join('')
}
