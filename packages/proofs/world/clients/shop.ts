// A shop that credits deposits: by the client's `deposits`, or by the recipe that follows the chain. Each step is judged by the
// chains that the daemons have had.

import { nextStep } from '../../../../docs/recipes/follow-the-chain.ts'
import type { Client, Clock } from '../../../client/src/client.ts'
import { receivers } from '../broadcasts/signed-command.ts'
import type { Block } from '../chain/block.ts'
import type { Network } from '../chain/network.ts'
import type { VirtualTime } from '../time.ts'
import { baseUrl } from './edge.ts'
import { isIndexerWell, type Setting } from './setting.ts'

export const wrongCredits = [
  'credited what the chain does not hold',
  'taken back what the chain holds',
  'not taken back',
  'credits late',
] as const
export type WrongCredit = (typeof wrongCredits)[number]

type Named = Pick<Block, 'height' | 'stateHash'>

interface Step {
  readonly isTakenBack: boolean
  readonly block: Named
}

/** A program asks so many blocks later at the latest. */
const maxLateBlocks = 60

/** The steps that a program is told, until it throws. */
async function* stepsOf(
  { shop, confirmations, pollMs }: Setting,
  client: Client,
  wait: Clock['wait'],
): AsyncGenerator<Step> {
  if (shop === 'deposits') {
    for await (const { state, stateHash, cursor } of client.deposits({
      keys: new Set(receivers),
      confirmations,
      pollMs,
    })) {
      const isTakenBack = state === 'taken-back'
      const block = isTakenBack ? { height: cursor.height + 1, stateHash } : { height: cursor.height, stateHash }
      yield { isTakenBack, block }
    }
    return
  }
  for (let cursor: Parameters<typeof nextStep>[1]; ; ) {
    const step = await nextStep(baseUrl, cursor, confirmations).catch(() => undefined)
    if (step === undefined) {
      await wait(pollMs)
      continue
    }
    cursor = step.cursor
    if (step.orphaned) yield { isTakenBack: true, block: step.orphaned }
    else yield { isTakenBack: false, block: step.cursor }
  }
}

export function createShop(
  setting: Setting,
  home: Network,
  time: VirtualTime,
  clientOver: (clock: Pick<Clock, 'now' | 'wait'>) => Client,
  blame: (wrong: WrongCredit, why: () => string) => void,
  trace: (line: () => string) => void,
) {
  const { confirmations, pollMs } = setting
  const isHeld = ({ height, stateHash }: Named) => home.bestChain()[height - 1]?.stateHash === stateHash
  /** By state hash: the blocks whose deposits are credited now. */
  let standing = new Map<string, Named>()
  let lastHeight = 0
  let steps = 0
  let isOpen = true
  /** Nothing that it waits for comes once it is closed. */
  const wait = async (ms: number): Promise<void> => {
    await time.wait(ms)
    if (!isOpen) await new Promise<never>(() => undefined)
  }
  const client = clientOver({ now: time.now, wait })
  const say = ({ height, stateHash }: Named) => `block ${height}, ${stateHash.slice(0, 8)}, under ${confirmations}`

  function take({ isTakenBack, block }: Step): void {
    steps++
    const isFalse = isTakenBack
      ? isHeld(block) && !home.wasOff(block, confirmations)
      : !home.wasUnder(block, confirmations)
    trace(() => `the shop ${isTakenBack ? 'takes back' : 'credits'} ${say(block)}`)
    if (isTakenBack) standing.delete(block.stateHash)
    else standing.set(block.stateHash, block)
    lastHeight = isTakenBack ? block.height - 1 : block.height
    if (isFalse)
      blame(isTakenBack ? 'taken back what the chain holds' : 'credited what the chain does not hold', () => say(block))
  }

  return {
    /** A program that has thrown begins anew with the newest block. */
    async run(): Promise<void> {
      while (isOpen) {
        try {
          for await (const step of stepsOf(setting, client, wait)) {
            if (!isOpen) return
            take(step)
          }
        } catch (error) {
          trace(() => `the shop begins anew: ${error}`)
          standing = new Map()
        }
        await wait(pollMs)
      }
    },
    /** Ends the program, and judges what it has told by then. */
    close(): void {
      isOpen = false
      const tip = home.bestChain().length
      const isLong = ({ height }: Named) => tip - height > confirmations + maxLateBlocks
      const lost = [...standing.values()].find((block) => !isHeld(block) && isLong(block))
      // Below a short frontier nothing but an indexer shows what took a block's place.
      const holdsLong = setting.frontierBlocks > 2 * maxLateBlocks
      if (lost !== undefined && (holdsLong || isIndexerWell(setting))) blame('not taken back', () => say(lost))
      const lateBy = tip - confirmations - lastHeight
      const isLate = holdsLong && steps > 0 && lateBy > maxLateBlocks
      if (setting.shop === 'deposits' && isLate) blame('credits late', () => `${lateBy} blocks behind`)
    },
    steps: () => steps,
  }
}
