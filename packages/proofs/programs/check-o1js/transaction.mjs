// What o1js sees of a node: two accounts, one of them a zkApp's, the tip, and a transaction that it makes, signs and sends.
import { AccountUpdate, fetchAccount, fetchLastBlock, Mina, PrivateKey, PublicKey } from 'o1js'

const [url, key, zkapp] = process.argv.slice(2)
Mina.setActiveInstance(Mina.Network({ networkId: 'testnet', mina: url }))
const privateKey = PrivateKey.fromBase58(key)
const sender = privateKey.toPublicKey()
const unknown = PrivateKey.random().toPublicKey()

async function shown(publicKey) {
  const { account, error } = await fetchAccount({ publicKey })
  if (error !== undefined) return { error: error.statusText }
  const { balance, nonce, delegate, permissions, zkapp: state } = account
  const isBySignature = ({ signatureNecessary, signatureSufficient }) =>
    signatureNecessary.toBoolean() && signatureSufficient.toBoolean()
  return {
    balance: balance.toString(),
    nonce: nonce.toString(),
    delegate: delegate?.toBase58(),
    isSpentBySignature: isBySignature(permissions.send),
    ...(state && {
      appState: state.appState.map(String).slice(0, 8),
      actionStates: state.actionState.length,
      provedState: state.provedState.toBoolean(),
      uri: state.zkappUri,
      verificationKeyHash: state.verificationKey?.hash.toString(),
    }),
  }
}

const transaction = async () => {
  const made = await Mina.transaction({ sender, fee: 20_000_000, memo: 'o1js' }, async () => {
    AccountUpdate.fundNewAccount(sender)
    AccountUpdate.createSigned(sender).send({ to: unknown, amount: 7 })
  })
  return made.sign([privateKey])
}

const accounts = { wallet: await shown(sender), zkapp: await shown(PublicKey.fromBase58(zkapp)) }
const missing = await shown(unknown)
const { blockchainLength } = await fetchLastBlock(url)
const signed = await transaction()
const { feePayer, accountUpdates } = JSON.parse(signed.toJSON())
const isSigned = ({ authorization }) => (authorization.signature ?? authorization).length > 90
const { status, errors } = await signed.safeSend()
console.log(
  JSON.stringify({
    ...accounts,
    missing: missing.error?.replace(unknown.toBase58(), 'KEY'),
    height: blockchainLength.toString(),
    transaction: { nonce: feePayer.body.nonce, updates: accountUpdates.length, isSigned: isSigned(feePayer) },
    sent: { status, reason: errors.map((error) => JSON.parse(error).statusText) },
  }),
)
process.exit(0)
