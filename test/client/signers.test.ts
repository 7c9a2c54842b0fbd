// Wallets whose signing library computes another hash than the node, before the whole service without an indexer.
import { describe, expect, test } from '@jest/globals'
import Signer1 from 'mina-signer-1'
import Signer2 from 'mina-signer-2'
import Signer3 from 'mina-signer-3'
import Signer4 from 'mina-signer-4'
import { resume } from '../../packages/client/examples/resume.ts'
import { createClient, type DelegationToSend, type PaymentToSend } from '../../packages/client/src/client.ts'
import { runService, wallet } from '../end-to-end/running-service.ts'
import { storeOf } from './queued.ts'
import { pausedClock } from './scripted-service.ts'

const { chain, url } = await runService()

interface Options {
  readonly berkeley?: boolean
}
type Terms = Readonly<Record<'to' | 'from' | 'fee' | 'nonce' | 'memo', string>> & { readonly amount: string }

/** The part that every version has; their types differ. */
interface Signer {
  signPayment(terms: Terms, privateKey: string): PaymentToSend
  signStakeDelegation(terms: Omit<Terms, 'amount'>, privateKey: string): DelegationToSend
  hashPayment(signed: object, options?: Options): string
  hashStakeDelegation(signed: object, options?: Options): string
}

const versions = Object.entries({ 1.7: Signer1, 2: Signer2, 3: Signer3, 4: Signer4 })
const dialects = versions.flatMap(([version, Version]) => {
  const signer = new Version({ network: chain.network }) as unknown as Signer
  return ([{}, { berkeley: true }] as const).map((options) => [version, options, signer] as const)
})

const to = wallet(chain, 'bob').publicKey

/** Signs with the next nonce of the wallet, which the service has not seen. */
function signed(name: string, signer: Signer, options: Options, changes: Partial<Terms> = {}) {
  const { publicKey: from, privateKey } = wallet(chain, name)
  const nonce = String(chain.account(from)?.nonce)
  const terms = { to, from, fee: '10000000', nonce, memo: 'rent', ...changes }
  if (name === 'carol') {
    const delegation = signer.signStakeDelegation(terms, privateKey)
    return { command: delegation, hash: signer.hashStakeDelegation(delegation, options) }
  }
  const payment = signer.signPayment({ amount: '1500000001', ...terms }, privateKey)
  return { command: payment, hash: signer.hashPayment(payment, options) }
}

/** Waits while every pause makes a block. */
const waiting = createClient({ baseUrl: url, network: chain.network, clock: pausedClock(() => chain.produceBlock()) })
const inclusionOf = ({ command, hash }: ReturnType<typeof signed>, options = {}) =>
  waiting.waitForInclusion(command, hash, options)

describe.each(dialects)('a wallet with mina-signer %s and hash options %j', (_version, options, signer) => {
  test.each(['alice', 'carol'])(
    'follows the command of %s from the pool deep into the chain as its own',
    async (name) => {
      const own = signed(name, signer, options)
      const { hash: chainHash } = await waiting.sendUntilKnown(own.command)
      const named = own.hash === chainHash ? {} : { chainHash }
      const nowhere = { patienceMs: 0 }
      expect(await inclusionOf(own, nowhere)).toMatchObject({
        because: 'pending',
        fate: { state: 'pending', ...named },
      })
      const block = expect.any(Object)
      const shown = { status: 'applied', command: expect.objectContaining({ hash: chainHash }), block }
      const settled = await inclusionOf(own, { confirmations: 3 })
      expect(settled).toEqual({ state: 'included', confirmations: 3, ...shown, ...named })
      // Deeper than the service looks: the client reads the block itself.
      for (let made = 0; made < 20; made++) chain.produceBlock()
      expect(await inclusionOf(own, nowhere)).toEqual({ state: 'included', confirmations: 23, ...shown, ...named })
    },
  )
})

// Those from 2 to 4 give a command the same hash.
const hashes = dialects.filter(([version]) => version === '1.7' || version === '4')

describe.each(hashes)('a wallet with mina-signer %s and hash options %j', (_version, options, signer) => {
  /** A command and three raises of its fee, each sent, under the hashes that the wallet has. */
  async function raised(name: string) {
    const fees = ['10000000', '20000000', '30000000', '40000000']
    const bids = fees.map((fee) => signed(name, signer, options, { fee }))
    const sent = []
    for (const { command } of bids) sent.push(await waiting.sendUntilKnown(command))
    const commands = bids.map(({ command, hash }) => ({ signed: command, hash }))
    const [first, ...raises] = commands
    const paid = commands.at(-1)
    if (!first || !paid) throw new Error('a command and its raises were wanted')
    const replaced = { state: 'replaced', by: paid.hash, chainHash: sent.at(-1)?.hash, isNamed: true }
    return { first, raises, commands, paid, replaced }
  }

  test.each(['alice', 'carol'])(
    'knows by its own hash which of three raises of a command of %s is paid',
    async (name) => {
      const { first, raises, replaced } = await raised(name)
      const rivals = { rivals: raises }
      expect(await waiting.waitForInclusion(first.signed, first.hash, rivals)).toMatchObject({
        ...{ ...replaced, confirmations: 15 },
        command: { hash: replaced.chainHash, fee: 40_000_000n },
      })
      // Deeper than the service looks, and a client that remembers nothing.
      for (let made = 0; made < 6; made++) chain.produceBlock()
      const restarted = createClient({ baseUrl: url, network: chain.network, clock: pausedClock() })
      const nowhere = { ...rivals, patienceMs: 0 }
      expect(await restarted.waitForInclusion(first.signed, first.hash, nowhere)).toMatchObject(replaced)
    },
  )

  test('is told never to pay again by the first of four bids, whose last one is paid', async () => {
    const { first, raises } = await raised('alice')
    for (let made = 0; made < 17; made++) chain.produceBlock()
    const kept = { ...first, sentAtTip: undefined } as never
    expect(await resume(waiting, kept, raises)).toBe('replaced by another one of yours: ask for that one')
    // A raise that the program at hand does not know.
    expect(await resume(waiting, kept)).toBe('replaced by a command of yours that pays the same: ask for that one')
  })

  test('settles each bid of a queue under the hash that its store has', async () => {
    const { commands, paid, replaced } = await raised('carol')
    const { store, ends } = storeOf(commands)
    await waiting.sendQueue(store)
    const others = commands.filter((command) => command !== paid)
    expect(new Map(ends)).toEqual(
      new Map([
        ...others.map(({ hash }) => [hash, expect.objectContaining(replaced)] as const),
        [paid.hash, expect.objectContaining({ state: 'included' })],
      ]),
    )
  })
})

// Which ones makes no difference, since no node has seen the hash.
describe.each(hashes.slice(1, 3))('a wallet with mina-signer %s and hash options %j', (_version, options, signer) => {
  test.each(['alice', 'carol'])('learns which other command used the nonce of one of %s', async (name) => {
    const own = signed(name, signer, options)
    const rival = signed(name, signer, options, { memo: 'salary' })
    const { hash: by } = await waiting.sendUntilKnown(rival.command)
    expect(await inclusionOf(own, { patienceMs: 0 })).toMatchObject({ because: 'rival-pending', fate: { by } })
    const replaced = { state: 'replaced', confirmations: 15, by, command: { hash: by, nonce: expect.any(Number) } }
    expect(await inclusionOf(own)).toMatchObject(replaced)
  })
})
