import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startSession } from '../session.ts'
import type { NodeClient } from './client.ts'
import { startNode } from './client.ts'

const { chain, signPayment, complete } = startSession({ historyBlocks: 40 })
let node: NodeClient

beforeAll(async () => {
  node = await startNode(chain)
})
afterAll(() => node.close())

describe('a submission', () => {
  const mutation = `mutation ($input: SendPaymentInput!, $signature: SignatureInput) {
    sendPayment(input: $input, signature: $signature) {
      payment { hash id kind nonce amount fee memo isDelegation token feeToken from to receiver { publicKey token } }
    }
  }`
  const draft = { from: 'carol', to: 'bob', amount: 5n, memo: 'über' }
  const command = complete(draft)
  const input = {
    ...command,
    amount: String(command.amount),
    fee: String(command.fee),
    nonce: String(command.nonce),
    validUntil: String(command.validUntil),
  }

  test('that is accepted is returned as the node’s record, pending first and included later', async () => {
    const { body } = await node.ask(mutation, { input, signature: signPayment(draft).signature })
    const [queued] = chain.pool(command.from)
    expect(body).toEqual({
      data: {
        sendPayment: {
          payment: {
            hash: queued?.hash,
            id: queued?.id,
            kind: 'PAYMENT',
            nonce: 0,
            amount: '5',
            fee: '10000000',
            memo: expect.stringMatching(/^E4Y/),
            isDelegation: false,
            token: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
            feeToken: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf',
            from: command.from,
            to: command.to,
            receiver: { publicKey: command.to, token: 'wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf' },
          },
        },
      },
    })
    const status = () => node.ask('query ($id: ID) { transactionStatus(payment: $id) }', { id: queued?.id })
    expect((await status()).body).toEqual({ data: { transactionStatus: 'PENDING' } })
    chain.produceBlock()
    expect((await status()).body).toEqual({ data: { transactionStatus: 'INCLUDED' } })
  })

  test('that is refused nulls the data and has the daemon’s message', async () => {
    const { status, body } = await node.ask(mutation, {
      input: { ...input, fee: '1' },
      signature: { field: '1', scalar: '1' },
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        errors: [
          {
            message: 'Invalid user command. Fee 0.000000001 is less than the minimum fee, 0.001.',
            path: ['sendPayment'],
          },
        ],
        data: null,
      },
    })
  })

  test.each([
    ['amount', '01'],
    ['fee', '18446744073709551616'],
    ['nonce', '-1'],
    ['to', 'B62qnot-a-key'],
  ])('with a malformed %s is an argument error that echoes the input', async (field, value) => {
    const { body } = await node.ask(mutation, { input: { ...input, [field]: value }, signature: null })
    expect(body).toEqual({
      errors: [
        {
          message: expect.stringMatching(
            /^Argument `input` of type `SendPaymentInput!` expected on field `sendPayment`, found \{.*\}\.$/,
          ),
        },
      ],
      data: null,
    })
    expect(JSON.stringify(body)).toContain(`${field}: \\"${value}\\"`)
  })
})
