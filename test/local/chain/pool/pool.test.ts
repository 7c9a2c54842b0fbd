import { describe, expect, test } from '@jest/globals'
import { createSigner } from '../../../../local/chain/signer.ts'
import { startSession } from '../session.ts'

const toBob = { from: 'alice', to: 'bob' }

describe('the pool queues a command', () => {
  test('and returns it with every signed field', () => {
    const { pay, wallet, chain } = startSession()
    expect(pay({ ...toBob, amount: 5n, memo: 'grüße' })).toEqual({
      command: {
        kind: 'PAYMENT',
        from: wallet('alice').publicKey,
        to: wallet('bob').publicKey,
        amount: 5n,
        fee: 10_000_000n,
        nonce: 0,
        memo: 'grüße',
        validUntil: 4_294_967_295,
        hash: expect.stringMatching(/^5J/),
        id: expect.stringMatching(/^[\w+/]+=*$/),
      },
    })
    expect([chain.pool().length, chain.pool(wallet('bob').publicKey).length]).toEqual([1, 0])
  })

  test('for a receiver without account', () => {
    const { publicKey } = createSigner('testnet').keyPair('test', 'stranger')
    expect(startSession().pay({ from: 'alice', to: publicKey, amount: 1n })).toHaveProperty('command')
  })

  test('once, and answers the same when it is sent again', () => {
    const { pay, chain } = startSession()
    const first = pay(toBob)
    expect(pay(toBob)).toEqual(first)
    expect(chain.pool()).toHaveLength(1)
  })

  test('after the queued ones of its sender, and counts it in the inferred nonce', () => {
    const { pay, chain, account } = startSession()
    for (const nonce of [0, 1, 2]) expect(pay({ ...toBob, nonce })).toHaveProperty('command')
    expect(chain.inferredNonce(account('alice'))).toBe(3)
  })

  test('in the place of one with the same nonce and a lower fee, whose amount it can spend again', () => {
    const { pay, chain } = startSession()
    const fromIvan = { from: 'ivan', to: 'bob', amount: 1_900_000_000n }
    pay({ ...fromIvan, nonce: 0 })
    const better = pay({ ...fromIvan, nonce: 0, fee: 10_000_001n })
    expect([better]).toEqual(chain.pool().map((command) => ({ command })))
    expect(chain.pool()).toMatchObject([{ fee: 10_000_001n }])
  })

  test('with the raw signature of a Ledger device', () => {
    const { signPayment, complete, chain } = startSession()
    const { field, scalar } = signPayment(toBob).signature
    const hexadecimal = (digits: string) => BigInt(digits).toString(16).padStart(64, '0')
    const rawSignature = hexadecimal(field) + hexadecimal(scalar)
    expect(chain.sendPayment(complete(toBob), { rawSignature })).toHaveProperty('command')
  })

  test('that is signed for mainnet, on mainnet', () => {
    expect(startSession({ network: 'mainnet' }).pay(toBob)).toHaveProperty('command')
  })
})
