import { expect, test } from '@jest/globals'
import { failed, isDemoted, type NodeState, unknownNode } from '../../../shared/chain/node-state.ts'
import type { WireFault } from '../../../shared/upstream/errors.ts'

const at = { nowMs: 1000, wallMs: Date.UTC(2026, 0, 1) }

const after = (faults: readonly WireFault[], isOnlyAtTip = false): NodeState =>
  faults.reduce((node, fault) => failed(node, fault, 10, at, isOnlyAtTip), unknownNode)

test('one time-out or broken connection demotes a node, two useless answers do, and six of a node that is alone at the tip', () => {
  const useless = (count: number) => Array<WireFault>(count).fill('unreadable')
  const demoted = {
    timeout: isDemoted(after(['timeout']), at),
    unreachable: isDemoted(after(['unreachable']), at),
    useless: [1, 2].map((count) => isDemoted(after(useless(count)), at)),
    alone: [5, 6].map((count) => isDemoted(after(useless(count), true), at)),
  }
  expect(demoted).toEqual({ timeout: true, unreachable: true, useless: [false, true], alone: [false, true] })
})
