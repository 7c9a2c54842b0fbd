// Which block holds a command, and when that block was made.
import { height, isoTime, stateHash } from './scalars.ts'

export const enclosingBlock = {
  properties: {
    stateHash,
    blockHeight: height,
    dateTime: { ...isoTime, description: 'start of its slot: ISO-8601, UTC, with milliseconds' },
  },
  required: ['stateHash', 'blockHeight', 'dateTime'],
} as const
