// A payment in the contract's shape, well-formed and signed by nobody, and the event that posts a body.
import { memoFromText } from '../../../shared/mapping/command.ts'
import { alice, bob, paymentWire } from '../../shared/mapping/node-wire.ts'
import { httpEvent } from '../event.ts'

export const field = '1'.repeat(77)
export const signed = {
  publicKey: alice,
  signature: { field, scalar: '2'.repeat(76) },
  payload: { to: bob, from: alice, fee: '1000000', amount: '1', nonce: '7', memo: 'ä', validUntil: '4294967295' },
}
/** The same as a node has it. */
export const held = { ...paymentWire, amount: '1', memo: memoFromText('ä') }

export const post = (body: string | undefined, more: object = {}) =>
  httpEvent({ method: 'POST', path: '/broadcast/transaction', ...(body !== undefined && { body }), ...more })
