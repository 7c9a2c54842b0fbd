// The two bodies of an answer that is not the asked-for one.
import type { Static } from 'typebox'
import { text } from './scalars.ts'

/** Every failure of a GET, and every answer of the gateway itself. */
export const message = {
  type: 'object',
  properties: { message: text },
  required: ['message'],
} as const

export type Message = Static<typeof message>

/** Every failure of a broadcast. */
export const broadcastError = {
  type: 'object',
  properties: {
    message: { ...text, examples: ['Error in sending transaction', 'Error in sending delegation'] },
    error: { ...text, description: 'what failed, and the mutation that was attempted' },
  },
  required: ['message', 'error'],
} as const

export type BroadcastError = Static<typeof broadcastError>
