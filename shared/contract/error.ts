// The two bodies of failures.
import type { Static } from 'typebox'
import { text } from './scalars.ts'

/** Every failure of a GET, and every answer of the gateway itself. */
export const message = {
  type: 'object',
  title: 'Message',
  description: 'any answer but the asked-for one',
  properties: { message: { ...text, description: 'the reason, for people; fixed texts' } },
  required: ['message'],
} as const

export type Message = Static<typeof message>

/** Every failure of a broadcast. */
export const broadcastError = {
  type: 'object',
  title: 'BroadcastError',
  description: 'a broadcast that was not answered with success',
  properties: {
    message: {
      ...text,
      description: 'fixed text for each of the two broadcasts',
      examples: ['Error in sending transaction', 'Error in sending delegation'],
    },
    error: {
      ...text,
      description: 'the reason, and the mutation that was attempted; the short code is the header `x-broadcast-code`',
    },
  },
  required: ['message', 'error'],
} as const

export type BroadcastError = Static<typeof broadcastError>
