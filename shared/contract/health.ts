// The health of the service's upstreams: an addition to the contract.
import type { Static } from 'typebox'
import { flag, height, isoTime, number } from './scalars.ts'
import { blocksLeftBehind, maxEmptySlots, unremarkableEmptySlots } from './tip-age.ts'

const healthStates = ['ok', 'degraded', 'down'] as const

/** The answer of GET /health: with 200 `ok` or `degraded`, with 503 `down`. */
export const health = {
  type: 'object',
  title: 'Health',
  description: 'whether reads and broadcasts can be answered now, by what nodes and indexer say of themselves',
  properties: {
    status: {
      type: 'string',
      enum: healthStates,
      description: `\`ok\`: each listed node is synced, at the best height or one below it, and not on another branch for ${blocksLeftBehind} blocks or more, one of them with a tip of at most ${unremarkableEmptySlots} slots, none refuses a question as unknown, and an indexer, where one is configured, is at most ten blocks behind. \`down\`: no synced node has a tip from one slot ahead of the clock to ${maxEmptySlots} slots old; or all their tips are more than ${unremarkableEmptySlots} slots old, and the indexer or a node that is not synced shows the chain ${blocksLeftBehind} blocks further. \`degraded\`: everything between; reads are answered. There will be no other value.`,
    },
    tipAgeSlots: {
      ...number,
      description:
        'age of the tip in whole slots; below 0 for a tip ahead of the clock; absent without a tip, and where no node tells how long a slot is: a tip is then called old by slots of 90 s, and too old by slots of 180 s',
    },
    tip: {
      type: 'object',
      title: 'HealthTip',
      description:
        'the best tip of a synced node that is not too old, else the highest tip that a node shows; absent without any',
      properties: {
        height,
        dateTime: { ...isoTime, description: 'start of its slot: ISO-8601, UTC, with milliseconds' },
        timeMs: { ...number, description: 'the same in milliseconds since 1970' },
        ageSeconds: { ...number, description: 'whole seconds since then; below 0 for a tip ahead of the clock' },
      },
      required: ['height', 'dateTime', 'timeMs', 'ageSeconds'],
    },
    nodes: {
      type: 'object',
      title: 'HealthNodes',
      description: 'numbers of node addresses',
      properties: {
        listed: { ...number, description: 'in the settings' },
        answering: { ...number, description: 'answered within two seconds, and are not on another network' },
        synced: { ...number, description: 'say that they are synced' },
        blocksApart: {
          ...number,
          description: `blocks since two of them parted, ${blocksLeftBehind + 1} for all numbers above: they follow two branches, of which the chain keeps one; absent below ${blocksLeftBehind}`,
        },
      },
      required: ['listed', 'answering', 'synced'],
    },
    indexer: {
      type: 'object',
      title: 'HealthIndexer',
      description:
        "the indexer on the nodes' network; absent where none is configured, and where one answers while no node tells the network",
      properties: {
        answering: {
          ...flag,
          description: 'false where it does not answer within two seconds, has no block, or is on another network',
        },
        lag: { ...number, description: 'with `answering`: blocks by which it is behind the tip' },
      },
      required: ['answering'],
    },
    refusedQuestions: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description:
        'queries behind `/summary` and `/blocks` that a node rejects because its schema lacks a field; checked every ten minutes; absent if no query is rejected',
    },
  },
  required: ['status', 'nodes'],
} as const

export type Health = Static<typeof health>
