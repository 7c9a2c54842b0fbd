// Programs that were away, and read the blocks up to a tip that stands still.

import { type Cursor, nextStep } from '../../../docs/recipes/follow-the-chain.ts'
import { createClient } from '../../client/src/client.ts'
import { confirmations } from './follow.ts'
import { network, type Stage } from './stage.ts'

interface CaughtUp {
  /** Steps, those that take back too. */
  readonly blocks: number
  /** Credited while the chain has no such block, or taken back while it has. */
  readonly wrong: number
  /** The pauses of the program, in its own time. */
  readonly waitedMs: number
}

type CatchUp = (url: string, stage: Stage, blocks: number) => Promise<CaughtUp>

/** One that makes no progress ends. */
const maxWaitMs = 100 * 60_000

function startBelow({ chain }: Stage, blocks: number) {
  const from = chain.bestChain().at(-blocks)
  if (from === undefined) throw new RangeError('the chain is too short')
  const last = chain.tip().height - confirmations
  return {
    start: { height: from.height, stateHash: from.stateHash, below: [] } satisfies Cursor,
    isAtEnd: ({ height, stateHash }: Pick<Cursor, 'height' | 'stateHash'>) =>
      height === last && chain.isCanonical(stateHash),
  }
}

export const catchUps: Readonly<Record<string, CatchUp>> = {
  async 'deposits() catching up'(url, stage, behind) {
    const { start, isAtEnd } = startBelow(stage, behind)
    let [blocks, wrong, waitedMs] = [0, 0, 0]
    const over = new AbortController()
    const clock = {
      now: stage.now,
      random: () => 0.5,
      async wait(milliseconds: number) {
        waitedMs += milliseconds
        if (waitedMs > maxWaitMs) over.abort()
      },
    }
    const client = createClient({ baseUrl: url, network, clock })
    const { signal } = over
    for await (const step of client.deposits({ keys: new Set(), from: start, confirmations, signal })) {
      blocks++
      if ((step.state === 'credited') !== stage.chain.isCanonical(step.stateHash)) wrong++
      if (isAtEnd(step.cursor)) break
    }
    return { blocks, wrong, waitedMs }
  },
  async 'the TypeScript recipe'(url, stage, behind) {
    const { start, isAtEnd } = startBelow(stage, behind)
    let [blocks, wrong, waitedMs] = [0, 0, 0]
    let cursor: Cursor = start
    while (!isAtEnd(cursor) && waitedMs < maxWaitMs) {
      const step = await nextStep(url, cursor, confirmations).catch(() => undefined)
      if (step === undefined) waitedMs += 10_000
      else {
        blocks++
        const stateHash = step.added?.stateHash ?? step.orphaned?.stateHash ?? ''
        if ((step.added !== undefined) !== stage.chain.isCanonical(stateHash)) wrong++
        cursor = step.cursor
      }
    }
    return { blocks, wrong, waitedMs }
  },
}
