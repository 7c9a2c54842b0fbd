// Wrong chains that put two answers together as if they were one. The judges of pages and of fates must see each.
import { blockAtHeightQuery } from '../../../../shared/chain/actions/find-block.ts'
import type { RequestOptions } from '../../../../shared/chain/port.ts'
import { nodeTipQuery } from '../../../../shared/upstream/node-query.ts'
import type { Operation } from '../../../../shared/upstream/operation.ts'
import type { Variables } from '../../../../shared/upstream/wire.ts'
import { changedAnswers, changedPorts, changedView, type Variant } from './variant.ts'

/** The operations that show a node's blocks on a page, with the tip by which they are judged. */
const ofPages = ['blocksByHeight', 'historyBlocks']

/** The operations that show an indexer's rows below a cursor. */
const belowCursor = ['blocksBelow', 'accountCommands', 'commandsOfHeights']

export const wrongBetween = {
  'judges a page by the tip of another answer': changedPorts(() => async (send, [asked, , limits], port) => {
    const reply = await send()
    const isTold = Array.isArray(Object(reply.data).bestChain)
    if (!port.sharedAddress || !isTold || !ofPages.includes(asked.name)) return reply
    const { data } = await port.query(nodeTipQuery, {}, limits)
    return { ...reply, data: { ...Object(reply.data), ...Object(data) } }
  }),

  'takes an indexer’s word for a cursor, without the node’s proof': changedView((view) => {
    /** The node's block by its height. */
    const named = new Map<number, string>()
    return {
      async request<Data>(asked: Operation<Data>, variables: Variables, options?: RequestOptions) {
        const answer = await view.request(asked, variables, options)
        if (asked.name === blockAtHeightQuery.name && answer.data !== undefined) {
          const { block } = Object(answer.data)
          named.set(Number(variables.height) - 1, block.protocolState.previousStateHash)
        }
        return answer
      },
      indexers: changedAnswers(view, (data, { name }, { proofHeight }) => {
        if (!belowCursor.includes(name) || typeof proofHeight !== 'number') return data
        const proof = {
          ...{ blockHeight: proofHeight, canonical: true },
          // The node is asked at the same time, and its answer is read later.
          get stateHash() {
            return named.get(proofHeight)
          },
        }
        return { ...data, proof: [proof] }
      }),
    }
  }),
} satisfies Record<string, Variant>
