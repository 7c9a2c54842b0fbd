// The recipes that sign, send and settle a payment.
import { describe, expect, test } from '@jest/globals'
import Signer from 'mina-signer'
import { signedPayment } from '../../docs/recipes/pay.ts'
import { settle } from '../../docs/recipes/settle.ts'
import { unheldValues } from '../../shared/contract/parameters.ts'
import { serve } from '../serving.ts'
import { network, service } from './recipe-service.ts'

/** A service, and a payment that the recipe has signed before it. */
async function signed(amount = 7n, memo?: string) {
  const made = await service()
  const payment = await signedPayment(made.url, made.payer, made.to, amount, memo)
  if (payment === undefined) throw new Error('no account')
  return { ...made, payment }
}

describe('the recipe for a payment', () => {
  type Fault = 'lost request' | 'lost answer' | 'no body'

  /** Settles a payment through an address at which broadcasts meet these faults; each pause makes a block. */
  async function settled(faults: readonly Fault[], { amount = 7n, patience = 300, neverSent = false } = {}) {
    const { url, chain, nextBlock, payment } = await signed(amount)
    const bodies: string[] = []
    const { url: front } = await serve(async (request, response) => {
      const isBroadcast = request.method === 'POST'
      const fault = isBroadcast ? faults[bodies.length] : undefined
      const body = isBroadcast ? Buffer.concat(await request.toArray()).toString() : undefined
      if (body !== undefined) bodies.push(body)
      if (fault === 'lost request') return void request.socket.destroy()
      const answer = await fetch(`${url}${request.url}`, { method: request.method ?? '', body: body ?? null })
      const text = await answer.text()
      if (fault === 'lost answer') return void request.socket.destroy()
      response.writeHead(answer.status, fault === 'no body' ? {} : Object.fromEntries(answer.headers))
      response.end(fault === 'no body' ? '' : text)
    })
    const waits: number[] = []
    const wait = async (seconds: number) => {
      waits.push(seconds)
      nextBlock()
    }
    const result = await settle(front, { ...payment, neverSent }, patience, wait)
    return { result, waits, isSame: new Set([payment.body, ...bodies]).size === 1, sent: bodies.length, chain, payment }
  }

  test.each<[string, readonly Fault[], object]>([
    ['with an answer', [], { sent: 1, waits: Array(16).fill(10) }],
    ['whose request was lost', ['lost request'], { sent: 2, waits: [30, ...Array(16).fill(10)] }],
    ['whose answer was lost', ['lost answer'], { sent: 1, waits: Array(16).fill(30) }],
    ['whose 201 has neither header nor body', ['no body'], { sent: 1, waits: Array(16).fill(30) }],
  ])('pays once, by the same bytes, %s', async (_, faults, expected) => {
    const { result, chain, payment, ...rest } = await settled(faults, { patience: 600 })
    expect(result).toMatchObject({ state: 'included', command: { hash: payment.hash, amount: 7 } })
    expect(rest).toEqual({ isSame: true, ...expected })
    const paid = chain.bestChain().flatMap(({ userCommands }) => userCommands.map(({ command }) => command.hash))
    expect(paid.filter((hash) => hash === payment.hash)).toHaveLength(1)
  })

  test('ends with the reason of a refusal, or with the latest one when patience ends', async () => {
    const refused = await settled([], { amount: 10n ** 18n, neverSent: true })
    expect([refused.result, refused.waits]).toEqual([{ state: 'refused', code: 'insufficient-funds' }, [10]])
    const impatient = await settled([], { patience: 25 })
    expect([impatient.result, impatient.waits]).toEqual([{ state: 'unconfirmed', because: 'included' }, [10, 10, 5]])
  })

  test.each([
    ['that may have been sent before', [], false],
    ['whose first answer was lost', ['lost request' as const], true],
  ])('is open after a refusal %s', async (_, faults, neverSent) => {
    const { result, waits } = await settled(faults, { amount: 10n ** 18n, patience: 180, neverSent })
    expect(result).toEqual({ state: 'unconfirmed', because: 'insufficient-funds' })
    expect(waits.slice(faults.length, faults.length + 4)).toEqual([10, 20, 40, 80])
  })

  test('follows a payment by its terms where its wallet made a hash that no node knows', async () => {
    const { url, nextBlock, payment } = await signed(7n, 'rent é')
    const wait = async () => void nextBlock()
    const settled = await settle(url, { ...payment, hash: unheldValues.hash }, 300, wait)
    expect(settled).toMatchObject({ state: 'included', chainHash: payment.hash, confirmations: 15 })
  })

  test('calls it replaced 15 blocks after another one, and never by a service that did not compare all terms', async () => {
    const { url, nextBlock, payer, to, payment } = await signed()
    const rival = await signedPayment(url, payer, to, 7n, 'another memo')
    if (rival === undefined) throw new Error('no account')
    await fetch(`${url}/broadcast/transaction`, { method: 'POST', body: rival.body })
    nextBlock()
    const { url: deaf } = await serve(async (request, response) => {
      const body = request.method === 'POST' ? Buffer.concat(await request.toArray()).toString() : null
      const answer = await fetch(`${url}${request.url}`, { method: request.method ?? '', body })
      const { transaction, ...other } = Object(await answer.json())
      const { to: _to, fee: _fee, memo: _memo, amount: _amount, ...terms } = transaction?.terms ?? {}
      response.end(JSON.stringify(transaction ? { transaction: { ...transaction, terms } } : other))
    })
    const waits: number[] = []
    const wait = async (seconds: number) => {
      waits.push(seconds)
      nextBlock()
    }
    const settled = await settle(url, payment, 300, wait)
    expect(settled).toMatchObject({ state: 'replaced', by: rival.hash, confirmations: 15 })
    expect(waits).toEqual(Array(15).fill(10))
    expect(await settle(deaf, payment, 30, wait)).toEqual({ state: 'unconfirmed', because: 'replaced' })
  })

  test.each([
    ['a raise of its fee, which pays the same', 7n, undefined, true],
    ['a payment of another amount', 8n, undefined, false],
    ['a payment of the same amount to another key', 7n, new Signer({ network }).genKeys().publicKey, false],
  ])('says of a payment that is replaced whether its owner has paid by %s', async (_, amount, receiver, isSame) => {
    const { url, nextBlock, payer, to, payment } = await signed()
    const rival = await signedPayment(url, { ...payer, maxFee: 2_000_000n }, receiver ?? to, amount)
    if (rival === undefined) throw new Error('no account')
    await fetch(`${url}/broadcast/transaction`, { method: 'POST', body: rival.body })
    nextBlock()
    const settled = await settle(url, { ...payment, hash: unheldValues.hash }, 300, async () => void nextBlock())
    expect(settled).toMatchObject({ state: 'replaced', by: rival.hash, paysTheSame: isSame })
  })

  test('outlives a daemon that stopped before the first deposit of its wallet, and trouble beside it', async () => {
    const { url, nextBlock, payment } = await signed()
    const absent = { transaction: { state: 'absent', sending: 'no-account' } }
    const answers = [
      undefined,
      { blocksBehind: 20, status: 200, body: absent },
      { blocksBehind: 0, status: 502, body: { error: { code: 'upstream-error' } } },
      { blocksBehind: 0, status: 200, body: absent },
    ]
    const { url: front } = await serve(async (request, response) => {
      const sent = request.method === 'POST' ? Buffer.concat(await request.toArray()).toString() : null
      const answer = await fetch(`${url}${request.url}`, { method: request.method ?? '', body: sent })
      const text = await answer.text()
      const other = request.url?.startsWith('/transactions/') ? answers.shift() : undefined
      if (other === undefined) return void response.writeHead(answer.status, [...answer.headers].flat()).end(text)
      const height = Number(answer.headers.get('x-chain-height')) - other.blocksBehind
      response.writeHead(other.status, { 'x-chain-height': height }).end(JSON.stringify(other.body))
    })
    const settled = await settle(front, payment, 300, async () => void nextBlock())
    expect([settled, answers]).toEqual([expect.objectContaining({ state: 'included', confirmations: 15 }), []])
  })

  test('sends a payment again after 15 minutes in a pool that tells no other of it', async () => {
    const { url, chain, nextBlock, payment } = await signed()
    let waits = 0
    const wait = async () => {
      if (waits++ === 0) for (const command of chain.pool()) chain.stopGossip(command)
      nextBlock()
    }
    expect(await settle(url, payment, 3600, wait)).toMatchObject({ state: 'included', confirmations: 15 })
    expect(waits).toBe(90 + 16)
  })

  test('signs nothing behind a redirect, or before something else than the service', async () => {
    const { url, payer, to } = await service()
    const { url: old } = await serve((request, response) =>
      response.writeHead(301, { location: `${url}${request.url}` }).end(),
    )
    await expect(signedPayment(old, payer, to, 7n)).rejects.toThrow(`the service is at ${url}/network`)
    const { url: portal } = await serve((_request, response) => response.end('{"status":"ok"}'))
    await expect(signedPayment(portal, payer, to, 7n)).rejects.toThrow('something else answers')
  })

  test('signs nothing for a key without an account', async () => {
    const { url, to } = await service()
    const { privateKey } = new Signer({ network }).genKeys()
    expect(await signedPayment(url, { network, privateKey }, to, 1n)).toBeUndefined()
  })

  test.each([504, 404])('signs nothing where a gateway answers %d for the account, and says so', async (status) => {
    const { url, payer, to } = await service()
    const { url: front } = await serve(async (request, response) => {
      if (request.url?.startsWith('/accounts/')) return void response.writeHead(status).end('{"message":"Not Found"}')
      response.end(await (await fetch(`${url}${request.url}`)).text())
    })
    const words = `${status}: the service does not show the account now`
    await expect(signedPayment(front, payer, to, 7n)).rejects.toThrow(words)
  })
})
