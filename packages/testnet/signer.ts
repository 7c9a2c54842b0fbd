// Keys and signatures of the chain's network, made by mina-signer.
import Client from 'mina-signer'
import { encodeBase58Check } from '../../shared/mapping/base58check.ts'
import type { CommandPayload, Signature } from './command.ts'
import { fieldBytes } from './hashes.ts'

/** Which of the two kinds of signature the network accepts. */
export type Network = 'mainnet' | 'testnet'

export interface KeyPair {
  readonly publicKey: string
  /** `EK…`, as wallets import it. */
  readonly privateKey: string
}

export interface Signer {
  /** The key pair of this name, derived from the seed. */
  keyPair(seed: string, name: string): KeyPair
  sign(payload: CommandPayload, privateKey: string): Signature
  /** False for malformed signatures too. */
  verifies(payload: CommandPayload, signature: Signature): boolean
}

/** By seed and name: a derivation takes milliseconds, and chains with one seed share dozens of keys. */
const derived = new Map<string, KeyPair>()

function derive(client: Client, label: string): KeyPair {
  const privateKey = encodeBase58Check(Uint8Array.from([0x5a, 0x01, ...fieldBytes(label)]))
  return { privateKey, publicKey: client.derivePublicKey(privateKey) }
}

/** Bounds memory when a fuzzer sends endless new commands. */
const keptVerdicts = 1000

export function createSigner(network: Network): Signer {
  const client = new Client({ network })
  const common = ({ from, to, fee, nonce, memo, validUntil }: CommandPayload) => ({
    from,
    to,
    fee: String(fee),
    nonce: String(nonce),
    memo,
    validUntil: String(validUntil),
  })
  function verify(payload: CommandPayload, amount: string, signature: Signature): boolean {
    const { from: publicKey } = payload
    try {
      return payload.kind === 'PAYMENT'
        ? client.verifyPayment({ data: { ...common(payload), amount }, publicKey, signature })
        : client.verifyStakeDelegation({ data: common(payload), publicKey, signature })
    } catch {
      return false
    }
  }
  /** A wallet sends a command until it is answered, and a check takes milliseconds. */
  const verified = new Map<string, boolean>()
  return {
    keyPair(seed, name) {
      const label = `${seed} key of ${name}`
      const keyPair = derived.get(label) ?? derive(client, label)
      derived.set(label, keyPair)
      return keyPair
    },
    sign: (payload, privateKey) =>
      payload.kind === 'PAYMENT'
        ? client.signPayment({ ...common(payload), amount: String(payload.amount) }, privateKey).signature
        : client.signStakeDelegation(common(payload), privateKey).signature,
    verifies(payload, signature) {
      const amount = String(payload.amount)
      const question = JSON.stringify([payload.kind, common(payload), amount, signature])
      const known = verified.get(question)
      if (known !== undefined) return known
      if (verified.size >= keptVerdicts) verified.clear()
      const isTrue = verify(payload, amount, signature)
      verified.set(question, isTrue)
      return isTrue
    },
  }
}
