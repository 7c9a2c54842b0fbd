import { expect, test } from '@jest/globals'
import { variablesOf } from '../../../shared/broadcast/signed-command.ts'
import { alice, bob } from '../mapping/node-wire.ts'

const texts = { from: alice, to: bob, fee: '1000000', memo: ' \u0000ä ', nonce: '0', validUntil: '17' }

test.each([
  [
    { field: '1', scalar: '2' },
    { field: '1', scalar: '2', rawSignature: null },
  ],
  [{ rawSignature: 'ab' }, { field: null, scalar: null, rawSignature: 'ab' }],
])('every variable that a mutation declares is there, each value as it came: %j', (signature, variables) => {
  expect(variablesOf({ ...texts, signature })).toEqual({ ...texts, ...variables })
  expect(variablesOf({ ...texts, amount: '5', signature })).toEqual({ ...texts, amount: '5', ...variables })
})
