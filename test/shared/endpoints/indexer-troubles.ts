// The faults of an indexer, for tests that they cost only the fields that it alone knows.

import { WireError } from '../../../shared/upstream/errors.ts'
import type { Reply } from '../../../shared/upstream/query.ts'
import { misshaped } from './asking.ts'

export const down = new WireError('unreachable', 'refused')
export const late = new WireError('timeout', 'too late')

/** Every way in which an indexer gives nothing that can be used. */
export const troubles: readonly [string, Partial<Reply> | Error][] = [
  ['is down', down],
  ['is too slow', late],
  ['answers HTML', { status: 200 }],
  ['answers errors', { data: null, errors: ['database is locked'] }],
  ['answers data: null', { data: null }],
  [
    'answers nonsense',
    misshaped({
      data: { blocks: 5, block: 'x', accounts: {}, tip: 7, known: null, first: 2, own: 1, delegators: 'y' },
    }),
  ],
]
