// The questions for one block, by its hash and by its height.
import { nodeBlock } from '../../mapping/block.ts'
import { nodeQuery, nodeQueryWithoutTip } from '../../upstream/node-query.ts'
import type { Operation } from '../../upstream/operation.ts'
import { called, count, hash, shape, type WireType } from '../../upstream/wire.ts'

/** The fields that are needed of every block. */
export interface ReadBlock {
  readonly protocolState: { readonly consensusState: { readonly blockHeight: number } }
}

export interface NamedBlock extends ReadBlock {
  readonly stateHash: string
}

/** The two ways to ask for a block with the same fields. */
export interface BlockQuestions<Block> {
  /** Asks for `block(height: $height)`, and selects the tip. */
  readonly byHeight: Operation<{ readonly block: Block }>
  /** Asks for `block(stateHash: $stateHash)`. */
  readonly byStateHash: Operation<{ readonly block: Block }>
}

/** The questions for a block with these fields. */
export const questionsFor = <Block extends NamedBlock>(
  byStateHash: string,
  byHeight: string,
  fields: WireType<Block>,
): BlockQuestions<Block> => ({
  byStateHash: nodeQueryWithoutTip(byStateHash, '$stateHash: String!', {
    block: called('block(stateHash: $stateHash)', fields, (block, asked) => block.stateHash === asked.stateHash),
  }),
  byHeight: nodeQuery(byHeight, '$height: Int!', {
    block: called(
      'block(height: $height)',
      fields,
      ({ protocolState }, { height }) => protocolState.consensusState.blockHeight === height,
    ),
  }),
})

/** The fields of a block that show whether it is canonical. */
export const canonicalityQuestions = /* @__PURE__ */ questionsFor(
  'heightOfBlock',
  'hashAtHeight',
  /* @__PURE__ */ shape({
    protocolState: /* @__PURE__ */ shape({ consensusState: /* @__PURE__ */ shape({ blockHeight: count }) }),
    stateHash: hash,
  }),
)

export const wholeBlockQuestions = /* @__PURE__ */ questionsFor('blockByStateHash', 'blockByHeight', nodeBlock)
