// Signed commands of the test wallets, in each form that a wallet may post.
import Client from 'mina-signer'
import type { Chain, Wallet } from '../../packages/testnet/chain.ts'

type Signed = ReturnType<Client['signPayment']> | ReturnType<Client['signStakeDelegation']>

/** The bodies of one broadcast: the same command in each form. */
export type SignedForms = Readonly<Record<'contract' | 'minaSigner' | 'rawSignature', object>>

/** Both numbers as a daemon reads them: 64 digits each, the least significant byte first. */
export function rawSignatureOf({ field, scalar }: Signed['signature']): string {
  const halves = [field, scalar].map((digits) => BigInt(digits).toString(16).padStart(64, '0'))
  return halves.map((half) => half.match(/../g)?.reverse().join('')).join('')
}

const formsOf = ({ signature, publicKey, data }: Signed): SignedForms => ({
  contract: { publicKey, signature, payload: data },
  minaSigner: { signature, publicKey, data },
  rawSignature: { publicKey, signature: { rawSignature: rawSignatureOf(signature) }, payload: data },
})

/** @throws Error if the chain has no wallet of this name */
export function walletOf({ wallets }: Chain, name: string): Wallet {
  const wallet = wallets.find((candidate) => candidate.name === name)
  if (wallet === undefined) throw new Error(`The chain has no wallet ${name}`)
  return wallet
}

interface Command {
  readonly memo: string
  /** By default the one that the chain takes next. */
  readonly nonce?: string
}

const draftOf = (chain: Chain, from: Wallet, to: Wallet, { memo, nonce }: Command) => {
  const account = chain.account(from.publicKey)
  const next = account === undefined ? 0 : chain.inferredNonce(account)
  return {
    to: to.publicKey,
    from: from.publicKey,
    fee: '10000000',
    nonce: nonce ?? String(next),
    memo,
    validUntil: '4294967295',
  }
}

/** A payment of 1.5 MINA from alice to bob. */
export function signedPayment(chain: Chain, command: Command): SignedForms {
  const alice = walletOf(chain, 'alice')
  const draft = { ...draftOf(chain, alice, walletOf(chain, 'bob'), command), amount: '1500000000' }
  return formsOf(new Client({ network: chain.network }).signPayment(draft, alice.privateKey))
}

/** A delegation of carol's stake to dave. */
export function signedDelegation(chain: Chain, command: Command): SignedForms {
  const carol = walletOf(chain, 'carol')
  const draft = draftOf(chain, carol, walletOf(chain, 'dave'), command)
  return formsOf(new Client({ network: chain.network }).signStakeDelegation(draft, carol.privateKey))
}

/** By the name of the endpoint that takes the command. */
export const signedCommands = { broadcastTransaction: signedPayment, broadcastDelegation: signedDelegation } as const
