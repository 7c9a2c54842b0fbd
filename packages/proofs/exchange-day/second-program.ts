// Starts a second program on the folder of an exchange's program, at any moment of its round and while it is being killed. No
// order may be paid twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, integerBetween } from '../../testnet/random.ts'
import { comparedOnceIncluded, type DistinctOrder } from './paid-orders.ts'
import type { ExchangeProgram } from './program.ts'
import type { Stage } from './stage.ts'

export interface SecondProgramsTable {
  readonly starts: number
  /** Of them, starts while the first program was being killed. */
  readonly restarts: number
  /** Exits with another code than 3, or without the reason. */
  readonly wrongEnds: readonly string[]
  readonly orders: number
  readonly paidTwice: readonly string[]
  readonly unpaid: readonly string[]
}

const waitMs = 240_000
/** How long a program that exits at its start may take on a busy machine. */
const endMs = 30_000
/** The first program is killed at every tenth start. */
const restartEvery = 10

/**
 * Starts a second program beside one that runs. If it gets the lock before that one, which has just started, that one exits and is
 * started again.
 *
 * @returns its exit code; null where it does not end
 */
export async function endOfSecond(
  first: ExchangeProgram,
  second: ExchangeProgram,
  options: readonly string[] = [],
): Promise<number | null> {
  for (;;) {
    second.start(...options)
    await Promise.race([first.ended(), second.ended(), sleep(endMs, undefined, { ref: false })])
    if (second.hasEnded) return await second.ended()
    await second.kill()
    if (!first.hasEnded) return null
    first.start(...options)
  }
}

/**
 * @param program not yet started, with no order
 * @param starts at each length of poll
 * @param pollsSeconds the pauses between the first one's rounds
 */
export async function secondPrograms(
  stage: Stage,
  program: ExchangeProgram,
  starts: number,
  pollsSeconds: readonly number[],
): Promise<SecondProgramsTable> {
  const random = createRandom('second programs')
  const to = stage.wallets.find(({ name }) => name === 'judy')?.publicKey
  const orders: DistinctOrder[] = []
  const order = () => {
    const [id, amount] = [`s${orders.length}`, String(2_000_000_000 + orders.length)]
    orders.push({ id, amount })
    program.order([{ id, to, amount, memo: id }])
  }
  const until = async (isSo: () => boolean) => {
    const deadline = Date.now() + waitMs
    while (!isSo() && Date.now() < deadline) await sleep(stage.blockMs)
  }
  let [first, second] = [program, program.another()]
  let restarts = 0
  const wrongEnds: string[] = []
  const isTaken = () => (program.books().withdrawals[orders.at(-1)?.id ?? '']?.bids ?? 0) > 0
  try {
    for (const poll of pollsSeconds) {
      const options = ['--poll', String(poll)]
      first.start(...options)
      order()
      await until(isTaken)
      for (let start = 1; start <= starts; start++) {
        order()
        await sleep(integerBetween(random, 0, poll * 1000))
        if (start % restartEvery === 0) {
          restarts++
          const killed = first.kill()
          second.start(...options)
          await killed
          ;[first, second] = [second, first]
          await until(() => first.hasEnded || isTaken())
          // It started before the lock was free.
          if (first.hasEnded) first.start(...options)
          await until(isTaken)
          continue
        }
        second.forgetSaid()
        const [code, said] = [await endOfSecond(first, second, options), second.said.join('\n')]
        if (code !== 3 || !said.startsWith('another program runs on ')) wrongEnds.push(`${code}: ${said}`)
      }
      await until(isTaken)
      await first.kill()
    }
    first.start()
    const compared = await comparedOnceIncluded(stage, orders, waitMs)
    return {
      ...{ starts: starts * pollsSeconds.length, restarts, wrongEnds, orders: orders.length },
      ...compared,
    }
  } finally {
    await Promise.all([first.kill(), second.kill()])
  }
}
