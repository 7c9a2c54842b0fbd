// Signed commands in each form that a client may post.
import Client from 'mina-signer'
import { rawSignatureOf } from '../../../../local/examples/signed-forms.ts'
import type { Service } from '../../../../local/start/service.ts'

/** One body to post. */
export interface Broadcast {
  readonly kind: 'payment' | 'delegation'
  readonly form: string
  readonly body: object
}

const forms = ['contract', 'mina-signer', 'raw object', 'raw text'] as const

/** A payment of more nanomina than a double holds exactly, in the newest block. */
export async function includedPayment({ chain, wallets, url }: Service): Promise<{ hash: string; amount: string }> {
  const rich = wallets.find(({ name }) => name === 'erin')
  if (!chain || !rich) throw new Error('The check needs the embedded chain and its wallets.')
  const [to, amount] = [rich.publicKey, '9007199254740993']
  const payment = { to, from: to, amount, fee: '100000000', nonce: '0' }
  const body = JSON.stringify(new Client({ network: chain.network }).signPayment(payment, rich.privateKey))
  const { headers } = await fetch(`${url}/broadcast/transaction`, { method: 'POST', body })
  chain.produceBlock()
  return { hash: headers.get('x-transaction-hash') ?? '', amount }
}

/** The cursor of a block that a reorganisation has replaced. */
export function orphanedCursor({ chain }: Service): string {
  if (!chain) throw new Error('The check needs the embedded chain.')
  const { height, stateHash } = chain.tip()
  chain.reorganise(1)
  return `${height}-${stateHash}`
}

/** @returns a payment and a delegation in each form, each a command that the chain has not seen */
export async function broadcastsFor({ chain, wallets, url }: Service): Promise<readonly Broadcast[]> {
  const [payer, delegator, receiver] = wallets.filter(({ name }) => ['alice', 'bob', 'carol'].includes(name))
  if (!chain || !payer || !delegator || !receiver)
    throw new Error('The check needs the embedded chain and its wallets.')
  const client = new Client({ network: chain.network })
  const nonceOf = async (publicKey: string): Promise<number> => {
    const answer = await fetch(`${url}/accounts/${publicKey}`)
    const { account }: { account: { nonce: number; pendingCommands?: unknown } } = JSON.parse(await answer.text())
    return account.nonce
  }
  const [paid, delegated] = [await nonceOf(payer.publicKey), await nonceOf(delegator.publicKey)]
  const common = { to: receiver.publicKey, fee: '100000000', memo: 'check', validUntil: '4294967295' }
  return forms.flatMap((form, index) => {
    const payment = client.signPayment(
      { ...common, from: payer.publicKey, amount: '1000000000', nonce: String(paid + index) },
      payer.privateKey,
    )
    const delegation = client.signStakeDelegation(
      { ...common, from: delegator.publicKey, nonce: String(delegated + index) },
      delegator.privateKey,
    )
    const bodyOf = ({ publicKey, signature, data }: typeof payment | typeof delegation) =>
      ({
        contract: { publicKey, signature, payload: data },
        'mina-signer': { publicKey, signature, data },
        'raw object': { publicKey, signature: { rawSignature: rawSignatureOf(signature) }, payload: data },
        'raw text': { signature: rawSignatureOf(signature), data },
      })[form]
    return [
      { kind: 'payment', form, body: bodyOf(payment) },
      { kind: 'delegation', form, body: bodyOf(delegation) },
    ] as const
  })
}
