// Counts depth from the tip that the same answer names. Behind one address two answers may come from two daemons, and one of
// them may stand still on a branch that the network has left: under the other's tip its block looks deep.
import type { Labelled } from './reads.ts'
import type { Block } from './schema.ts'
import { isOutlived, ServiceError } from './service-error.ts'
import type { Transaction } from './transaction.ts'

/** A block at a height, or the 404 of a service that shows none there. */
export type Place =
  | { readonly blockHeight: number; readonly block: Block }
  | { readonly blockHeight: number; readonly block?: undefined; readonly absent: ServiceError }

/** A block, a place, or the state of a command, whose confirmations the service has counted from the same tip. */
type Countable = { readonly blockHeight: number } | Transaction

/** @throws ServiceError that passes: without its tip an answer says nothing about depth */
function tipOf({ chain }: Pick<Labelled<unknown>, 'chain'>, status = 200): number {
  if (chain) return chain.height
  throw new ServiceError('x-chain-height is missing', { status })
}

/** Only a read makes one, and its tip cannot be taken out of it, so that nothing is counted from the tip of another answer. */
export class AnswerWithTip<Value> {
  readonly value: Value
  private readonly tip: number

  private constructor(value: Value, tip: number) {
    this.value = value
    this.tip = tip
  }

  /** @throws what the read throws; ServiceError for an answer that does not name its tip */
  static async of<Value>(reading: Promise<Labelled<Value>>): Promise<AnswerWithTip<Value>> {
    const answer = await reading
    return new AnswerWithTip(answer.value, tipOf(answer))
  }

  /**
   * @param reading of the block at this height
   * @throws what the read throws but for a 404; ServiceError for an answer, also a 404, that does not name its tip
   */
  static async at(blockHeight: number, reading: Promise<Labelled<Block>>): Promise<AnswerWithTip<Place>> {
    try {
      const answer = await reading
      return new AnswerWithTip<Place>({ blockHeight, block: answer.value }, tipOf(answer))
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404 || isOutlived(error)) throw error
      return new AnswerWithTip<Place>({ blockHeight, absent: error }, tipOf(error, 404))
    }
  }

  /**
   * Blocks on top of what the answer shows.
   *
   * @param wanted so many at least
   * @returns Infinity where no reorganisation can reach it any more; undefined where the tip of this answer is too low to say
   *   so: then the question has to be put again, perhaps to a node that knows more
   */
  depth(this: AnswerWithTip<Countable>, wanted = 0): number | undefined {
    const { value } = this
    if ('final' in value && value.final) return Infinity
    const counted = 'confirmations' in value ? value.confirmations : undefined
    const depth = 'blockHeight' in value ? this.tip - value.blockHeight : counted
    return depth !== undefined && depth >= wanted ? depth : undefined
  }
}
