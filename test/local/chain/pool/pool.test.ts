import { describe, expect, test } from '@jest/globals'
import { createSigner } from '../../../../local/chain/signer.ts'
import { startSession } from '../session.ts'

const stranger = createSigner('testnet').keyPair('test', 'stranger').publicKey

describe('a command is queued', () => {
  test('and returned with every signed field', () => {
    const { pay, wallet, chain } = startSession()
    const submission = pay({ from: 'alice', to: 'bob', amount: 5n, memo: 'grüße' })
    expect(submission).toEqual({
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
    expect(chain.pool()).toHaveLength(1)
    expect(chain.pool(wallet('bob').publicKey)).toEqual([])
  })

  test('for a receiver that does not exist', () => {
    const { pay } = startSession()
    expect(pay({ from: 'alice', to: stranger, amount: 1n })).toHaveProperty('command')
  })

  test('again with the same answer while it is queued', () => {
    const { pay, chain } = startSession()
    const first = pay({ from: 'alice', to: 'bob' })
    expect(pay({ from: 'alice', to: 'bob' })).toEqual(first)
    expect(chain.pool()).toHaveLength(1)
  })

  test('with the nonce after the queued ones, and counted in the inferred nonce', () => {
    const { pay, chain, account } = startSession()
    for (const nonce of [0, 1, 2]) expect(pay({ from: 'alice', to: 'bob', nonce })).toHaveProperty('command')
    expect(chain.inferredNonce(account('alice'))).toBe(3)
  })

  test('as the replacement of one with the same nonce and a lower fee', () => {
    const { pay, chain } = startSession()
    pay({ from: 'alice', to: 'bob', nonce: 0 })
    pay({ from: 'alice', to: 'bob', nonce: 1 })
    const better = pay({ from: 'alice', to: 'carol', nonce: 0, fee: 10_000_001n })
    expect(chain.pool().map(({ fee, nonce }) => ({ fee, nonce }))).toEqual([
      { fee: 10_000_001n, nonce: 0 },
      { fee: 10_000_000n, nonce: 1 },
    ])
    expect(better).toEqual({ command: chain.pool()[0] })
  })

  test('with the raw signature of a Ledger device', () => {
    const { signPayment, complete, chain } = startSession()
    const draft = { from: 'alice', to: 'bob' }
    const { field, scalar } = signPayment(draft).signature
    const hexadecimal = (digits: string) => BigInt(digits).toString(16).padStart(64, '0')
    const rawSignature = hexadecimal(field) + hexadecimal(scalar)
    expect(chain.sendPayment(complete(draft), { rawSignature })).toHaveProperty('command')
    expect(chain.sendPayment(complete(draft), { rawSignature: rawSignature.slice(1) })).toEqual({
      refused: 'rawSignature decoding error',
    })
  })

  test('on mainnet when it is signed for mainnet', () => {
    const { pay } = startSession({ network: 'mainnet' })
    expect(pay({ from: 'alice', to: 'bob' })).toHaveProperty('command')
  })
})
