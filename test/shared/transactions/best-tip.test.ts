// Which commands wait, by what the answers of one request say of their chain.
import { describe, expect, test } from '@jest/globals'
import { bestTipOf, type TipAnswer } from '../../../shared/transactions/best-tip.ts'

const answer = (height: number, nonces: Readonly<Record<string, number>>, blocks: TipAnswer['blocks'] = []) => ({
  node: 0,
  tip: { height, stateHash: `block ${height}`, atMs: 0, syncStatus: 'SYNCED', genesisStateHash: 'genesis' },
  nonces: new Map(Object.entries(nonces)),
  blocks,
})
/** The same at another block of that height. */
const atSibling = (each: TipAnswer): TipAnswer => ({ ...each, tip: { ...each.tip, stateHash: 'sibling' } })
const block = (height: number, ...nonces: readonly number[]) => ({
  stateHash: `block ${height}`,
  commands: nonces.map((nonce) => ({ from: 'alice', nonce })),
})

/** The standing of Alice's command with the nonce 7. */
const standing = (...given: Parameters<typeof bestTipOf>) => {
  const best = bestTipOf(...given)
  const command = { from: 'alice', nonce: 7 }
  return { height: best.answers[0]?.tip.height, isOver: best.isOver(command), isChecked: best.isChecked(command) }
}

describe('at the best tip of a request', () => {
  test('the ledger of a lower tip says nothing, though the blocks above it are known: they show no nonce that another command raised', () => {
    const best = answer(6, {}, [block(5), block(6)])
    expect(standing([answer(5, { alice: 7 }), best])).toEqual({ height: 6, isOver: false, isChecked: false })
    expect(standing([answer(5, { alice: 8 }), best])).toEqual({ height: 6, isOver: false, isChecked: false })
  })

  test('a command is over by the ledger, by a block with its nonce, and by either of two tips of one height', () => {
    const over = { height: 6, isOver: true }
    expect(standing([answer(6, { alice: 8 })])).toEqual({ ...over, isChecked: true })
    expect(standing([answer(6, {}, [block(6, 7)])])).toEqual({ ...over, isChecked: false })
    expect(standing([answer(6, { alice: 7 }), answer(6, { alice: 8 })])).toEqual({ ...over, isChecked: true })
  })

  test('of two tips of one height a command is checked only by both ledgers', () => {
    const [known, unknown] = [answer(6, { alice: 7 }), answer(6, {})]
    const [waits, isOver] = [
      { height: 6, isOver: false },
      { height: 6, isOver: true },
    ]
    expect(standing([known, unknown])).toEqual({ ...waits, isChecked: true })
    expect(standing([known, atSibling(unknown)])).toEqual({ ...waits, isChecked: false })
    expect(standing([known, atSibling(unknown)], [atSibling(answer(6, { alice: 7 }))])).toEqual({
      ...{ ...waits, isChecked: true },
    })
    expect(standing([known, atSibling(unknown)], [atSibling(answer(6, { alice: 8 }))])).toEqual({
      ...{ ...isOver, isChecked: true },
    })
  })

  test('what the best answers said holds on under a later tip whose blocks reach down to theirs, but for what these have', () => {
    const shown = answer(6, { alice: 7 })
    const later = (...blocks: TipAnswer['blocks']) => [answer(8, {}, blocks)]
    expect(standing([shown], later(block(6), block(7), block(8)))).toEqual({
      height: 8,
      isOver: false,
      isChecked: true,
    })
    expect(standing([shown], later(block(6), block(7, 7), block(8)))).toEqual({
      ...{ height: 8, isOver: true, isChecked: true },
    })
    expect(standing([shown], later(block(7), block(8)))).toEqual({ height: 8, isOver: false, isChecked: false })
  })
})
