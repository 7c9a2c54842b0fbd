// A queue behind one address with two daemons, one of which stopped: it answers in turn with an account of long ago.
import { expect, test } from '@jest/globals'
import { createClient, type Fetch } from '../../client/src/client.ts'
import { storeOf } from './queued.ts'
import { network, pausedClock } from './scripted-service.ts'
import { payload, payment } from './signed.ts'

/** Later than the nonce that the chain waits for, and than the one that the stopped daemon still waits for. */
const later = { hash: '5Jlater', signed: { ...payment, payload: { ...payload, nonce: '9' } } }

const stopped = { height: 950, nonce: 2 }
const current = { height: 1000, nonce: 7 }

/** The nonces that a queue had filled after so many rounds, in which the daemons answer in this order. */
async function filledBeside(daemons: readonly { readonly height: number; readonly nonce: number }[]) {
  const controller = new AbortController()
  let asked = 0
  const fetching: Fetch = async (url) => {
    if (url.endsWith('/network')) return Response.json({ networkName: network })
    const { height, nonce } = daemons[asked % daemons.length] ?? current
    asked++
    if (asked === 12) controller.abort()
    const headers = { 'x-chain-height': `${height}`, 'x-chain-state-hash': `3N${height}`, 'x-chain-time': '2026' }
    return Response.json({ account: { publicKey: payload.from, nonce, nextNonce: nonce } }, { headers })
  }
  const client = createClient({ baseUrl: 'https://service.example', network, fetch: fetching, clock: pausedClock() })
  const filled: number[] = []
  const { store } = storeOf([later])
  const fillGap = async (nonce: number) => filled.push(nonce)
  await client.sendQueue({ ...store, fillGap }, { signal: controller.signal })
  return new Set(filled)
}

test.each([
  ['in turn', [current, stopped]],
  ['several times in a row', [current, stopped, stopped, current, stopped, stopped, stopped]],
  ['first', [stopped, current, stopped, stopped]],
])(
  'has the nonce filled that the chain waits for, and none that it has used, where the stopped daemon answers %s',
  async (_, daemons) => {
    expect(await filledBeside(daemons)).toEqual(new Set([current.nonce]))
  },
)

test('has a nonce filled that the chain has not used any more, once a longer chain says so', async () => {
  expect(await filledBeside([current, { height: 1001, nonce: 6 }])).toEqual(new Set())
  const [before, after] = [Array(4).fill(current), Array(8).fill({ height: 1001, nonce: 6 })]
  expect(await filledBeside([...before, ...after])).toEqual(new Set([7, 6]))
})
