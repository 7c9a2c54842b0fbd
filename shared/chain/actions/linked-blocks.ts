// The blocks at the end of a best chain, each of which names its parent.

export interface LinkedBlock {
  readonly stateHash: string
  readonly protocolState: {
    readonly previousStateHash: string
    readonly consensusState: { readonly blockHeight: number }
  }
}

/** True if each block is the child of the one before it: heights without a gap, each naming its parent's state hash. */
export const isLinked = (blocks: readonly LinkedBlock[]): boolean =>
  blocks.every(({ protocolState: { consensusState, previousStateHash } }, index) => {
    const parent = blocks[index - 1]
    if (parent === undefined) return true
    const parentHeight = parent.protocolState.consensusState.blockHeight
    return previousStateHash === parent.stateHash && consensusState.blockHeight === parentHeight + 1
  })
