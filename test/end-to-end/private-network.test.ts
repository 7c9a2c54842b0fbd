// A network whose name is not what its commands are signed for, as a private one or the rehearsal of a hard fork.
import { expect, test } from '@jest/globals'
import Signer from 'mina-signer'
import { signedPayment } from '../../docs/recipes/pay.ts'
import { settle } from '../../docs/recipes/settle.ts'
import { pay } from '../../packages/client/examples/pay.ts'
import { createClient } from '../../packages/client/src/client.ts'
import { createChain } from '../../packages/testnet/chain.ts'
import { nodeServer } from '../../packages/testnet/node/server.ts'
import { pausedClock } from '../client/scripted-service.ts'
import { chainClock, get, now, post, serviceOver, signPayment, wallet } from './running-service.ts'

const network = 'rehearsal'
const chain = createChain({ seed: network, now: () => now, networkName: network, signsOwnCommands: false })
const url = await serviceOver([nodeServer(chain)], [], { clock: chainClock })
const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => wallet(chain, name)) as [Wallet, Wallet, Wallet]
type Wallet = ReturnType<typeof wallet>

test('the service names the network, and what to sign for', async () => {
  expect(await get(`${url}/network`)).toMatchObject({ body: { networkName: 'rehearsal', signatureKind: 'testnet' } })
})

test('a payment that was signed for another name is refused with the right one', async () => {
  const payment = signPayment(chain, alice, bob)
  const { signature } = new Signer({ network: 'mainnet' }).signPayment(payment.payload, alice.privateKey)
  expect(await post(`${url}/broadcast/transaction`, { ...payment, signature })).toMatchObject({
    status: 400,
    body: {
      error: expect.stringMatching(
        /The network of this node is mina:rehearsal\. Commands for it are signed for testnet\.$/,
      ),
    },
  })
})

test('the recipe pays where its owner names both, and signs nothing otherwise', async () => {
  const payer = { network, privateKey: alice.privateKey }
  await expect(signedPayment(url, payer, bob.publicKey, 7n)).rejects.toThrow('say what is signed for on rehearsal')
  await expect(signedPayment(url, { ...payer, signatureKind: 'mainnet' }, bob.publicKey, 7n)).rejects.toMatchObject({
    name: 'Error',
    message: 'the service is on rehearsal signed for testnet, not on rehearsal signed for mainnet',
  })
  const payment = await signedPayment(url, { ...payer, signatureKind: 'testnet' }, bob.publicKey, 7n)
  if (payment === undefined) throw new Error('no account')
  expect(await settle(url, payment, 300, async () => void chain.produceBlock())).toMatchObject({ state: 'included' })
})

test('the client pays there, and sends nothing that was signed for another name', async () => {
  const paying = (signatureKind: 'testnet' | 'mainnet') => {
    const client = createClient({
      baseUrl: url,
      network,
      signatureKind,
      clock: pausedClock(() => chain.produceBlock()),
    })
    const payer = { signer: new Signer({ network: signatureKind }), privateKey: carol.privateKey, maxFee: 10_000_000n }
    return pay(client, payer, { to: bob.publicKey, amount: 7n, reference: 'seven' }, async () => undefined)
  }
  await expect(paying('mainnet')).rejects.toMatchObject({
    name: 'NetworkMismatchError',
    ...{ expected: 'mainnet', actual: 'testnet' },
    message: 'the service takes signatures for testnet, and the client’s are for mainnet',
  })
  expect(await paying('testnet')).toMatchObject({ state: 'included' })
})
