import { describe, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import { nodeOf } from '../upstream.ts'

const { chain, signPayment, complete } = startSession({ historyBlocks: 40 })
const node = nodeOf(chain)

describe('a submission to the node', () => {
  const mutation = `mutation ($input: SendPaymentInput!, $signature: SignatureInput) {
    sendPayment(input: $input, signature: $signature) {
      payment { hash id kind nonce amount fee memo isDelegation token feeToken from to receiver { publicKey token } }
    }
  }`
  const draft = { from: 'carol', to: 'bob', amount: 5n, memo: 'über' }
  const { amount, fee, nonce, validUntil, ...command } = complete(draft)
  const input = {
    ...command,
    ...{ amount: String(amount), fee: String(fee), nonce: String(nonce), validUntil: String(validUntil) },
  }

  test('is answered with the node’s record of the command, pending first and included later', async () => {
    const answer = await node.ask(mutation, { input, signature: signPayment(draft).signature })
    const [queued] = chain.pool(command.from)
    const token = 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf'
    const { from, to } = command
    expect(answer).toEqual({
      data: {
        sendPayment: {
          payment: {
            ...{ hash: queued?.hash, id: queued?.id, kind: 'PAYMENT', nonce: 0, amount: '5', fee: '10000000' },
            memo: expect.stringMatching(/^E4Y/),
            ...{ isDelegation: false, token, feeToken: token, from, to, receiver: { publicKey: to, token } },
          },
        },
      },
    })
    const status = () => node.ask('query ($id: ID) { transactionStatus(payment: $id) }', { id: queued?.id })
    expect(await status()).toEqual({ data: { transactionStatus: 'PENDING' } })
    chain.produceBlock()
    expect(await status()).toEqual({ data: { transactionStatus: 'INCLUDED' } })
  })

  test('that is refused nulls the data and has the daemon’s message', async () => {
    const message = 'Invalid user command. Fee 0.000000001 is less than the minimum fee, 0.001.'
    expect(await node.ask(mutation, { input: { ...input, fee: '1' }, signature: { field: '1', scalar: '1' } })).toEqual(
      {
        errors: [{ message, path: ['sendPayment'] }],
        data: null,
      },
    )
  })

  test.each([
    ['amount', '01'],
    ['fee', '18446744073709551616'],
    ['nonce', '-1'],
    ['to', 'B62qnot-a-key'],
  ])('with a malformed %s is an argument error that echoes the input', async (field, value) => {
    const found = /^Argument `input` of type `SendPaymentInput!` expected on field `sendPayment`, found (\{.*\})\.$/
    const answer = await node.ask(mutation, { input: { ...input, [field]: value }, signature: null })
    expect(answer).toEqual({ errors: [{ message: expect.stringMatching(found) }], data: null })
    expect(JSON.stringify(answer)).toContain(`${field}: \\"${value}\\"`)
  })
})
