// Signed commands that a node would refuse.
import { memoFromText } from '../../shared/mapping/command.ts'

export const payload = {
  to: 'B62receiver',
  from: 'B62sender',
  fee: '10000000',
  amount: '1500000000',
  nonce: '7',
  memo: 'memo',
  validUntil: '4294967295',
}
const { amount: _, ...delegated } = payload
const signature = { field: '1', scalar: '2' }

export const payment = { publicKey: payload.from, signature, payload }
export const delegation = { publicKey: payload.from, signature, payload: delegated }

/** The payment as a node shows it: amounts as text in the answer to a broadcast, as numbers elsewhere. */
export const shownPayment = {
  ...{ ...payload, nonce: 7, memo: memoFromText(payload.memo) },
  ...{ id: 'base64', hash: '5Ju', isDelegation: false },
}

/** The body of an accepted payment, with other texts in its command. */
export const accepted = (changes: object = {}) => ({
  message: 'Transaction broadcast sucessfully',
  result: { payment: { ...shownPayment, ...changes } },
})
