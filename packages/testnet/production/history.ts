// When the blocks were made that the chain starts with.
import { createRandom, integerBetween } from '../random.ts'

/** The slots of the history's blocks; about one slot in ten is skipped. */
export function historySlots(seed: string, blocks: number): readonly number[] {
  const random = createRandom(`${seed} slots`)
  const slots = [0]
  while (slots.length < blocks) slots.push((slots.at(-1) ?? 0) + (integerBetween(random, 1, 10) === 1 ? 2 : 1))
  return slots
}
