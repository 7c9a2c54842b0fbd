// Counts depth from the tip that the same answer names. Behind one address two answers may come from two daemons, and one of
// them may stand still on a branch that the network has left: under the other's tip its block looks deep.
import type { Labelled } from './reads.ts'
import type { Block } from './schema.ts'
import { isAbsence, ServiceError } from './service-error.ts'

/** One answer's view of a height. Its tip stays private, so that no count mixes the tips of two answers. */
export interface Place {
  readonly block?: Block
  /** In its place the 404 of a service that shows no block there. */
  readonly absent?: ServiceError
  /**
   * Blocks on top of that height.
   *
   * @param wanted so many at least
   * @returns undefined where the tip of this answer is too low to say so: then the question has to be put again, perhaps to a node
   *   that knows more
   */
  depth(wanted?: number): number | undefined
}

/**
 * @param reading of the block at this height
 * @throws what the read throws but for a 404; ServiceError that passes for an answer, also a 404, that does not name its tip
 */
export async function placeAt(height: number, reading: Promise<Labelled<Block>>): Promise<Place> {
  const answer = await reading.catch((error: unknown) => {
    if (!isAbsence(error)) throw error
    return error
  })
  const { chain } = answer
  const isBlock = 'value' in answer
  if (!chain) throw new ServiceError('x-chain-height is missing', { status: isBlock ? 200 : 404 })
  const above = chain.height - height
  return {
    ...(isBlock ? { block: answer.value } : { absent: answer }),
    depth: (wanted = 0) => (above >= wanted ? above : undefined),
  }
}
