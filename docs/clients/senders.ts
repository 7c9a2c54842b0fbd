// Programs that send signed commands.
import { json, type MakeBody, of, page, post, type Signed } from './row.ts'

const inPayload: MakeBody = ({ publicKey, signature, terms }) => ({ publicKey, signature, payload: terms })
const asGiven: MakeBody = ({ result }) => result as object
const rosettaPayment: MakeBody = ({ raw, terms: { to, from, fee, nonce, amount, validUntil } }) => {
  const payment = { to, from, fee, token: '1', nonce, memo: null, amount, valid_until: validUntil }
  return { signature: raw, payment, stake_delegation: null, create_token: null }
}
const delegationOf = ({ terms: { to, from, fee, nonce, memo, validUntil } }: Signed) => {
  return { delegator: from, new_delegate: to, fee, nonce, memo, valid_until: validUntil }
}
const rosettaDelegation: MakeBody = (signed) => {
  return { signature: signed.raw, payment: null, stake_delegation: delegationOf(signed), create_token: null }
}
const ledgerPage: MakeBody = (signed) => {
  const valid_until = Number(signed.terms.validUntil)
  return { signature: signed.raw, stake_delegation: { ...delegationOf(signed), valid_until } }
}
const snapForMetaMask: MakeBody = ({ publicKey, signature, terms: { validUntil: _unsent, ...terms } }) => {
  return { publicKey, signature, payload: { ...terms, nonce: Number(terms.nonce) } }
}

const pageWithJson = { headers: { ...page.headers, ...json.headers } }
const kinds = ['payment', 'delegation'] as const
const both = (program: string, body: MakeBody) => kinds.map((kind) => post(program, kind, body, json))
const ledgerTools = 'mina-block-explorer’s page for Ledger, mina_ledger_wallet.py --offline, custody'

export const senders = [
  ...kinds.map((kind) => {
    const texts = of(`result.${kind}`, 'amount fee feeToken token source.token receiver.token')
    const reads = { text: texts, integer: `result.${kind}.nonce` }
    return post('a wallet in Swift', kind, inPayload, {
      ...json,
      reads,
      expects: '201, all values as texts but the nonce',
    })
  }),
  ...both('a React Native wallet', inPayload),
  post('the o1-labs faucet', 'payment', inPayload, json),
  post('the o1-labs faucet, with a wrong nonce', 'payment', inPayload, {
    ...json,
    terms: { nonce: '4000000000' },
    status: 400,
    holds: /inferred nonce \d+/,
    expects: 'a text that names the next nonce',
  }),
  post('mina-offline-util', 'payment', inPayload, { ...json, terms: { memo: 'Payment Transfer' } }),
  post('mina-offline-util, older versions', 'payment', ({ publicKey, signature, terms }) => {
    return { publicKey, signature, data: terms }
  }),
  post('SDK pages, the Rust crate, a script with mina-signer', 'payment', inPayload, {
    ...json,
    terms: { memo: '' },
    status: 400,
    holds: /\/payload\/memo must not be empty: put the command under data/,
    cannot: '`payload` takes no empty memo, but `data` does',
    unless: 'lenientPayload',
  }),
  post('the MetaMask snap for Mina', 'payment', snapForMetaMask, {
    ...page,
    status: 400,
    holds: /\/payload\/nonce must be a string: .* under data .*; \/payload\/validUntil is missing: .* under data /,
    cannot: '`payload` needs `validUntil` and takes texts only, but `data` takes this',
    unless: 'lenientPayload',
  }),
  ...(['1.7', '2.1', '3.1', '4.0'] as const).flatMap((signer) => {
    // 1.7 signs a memo outside ASCII otherwise than a node does.
    const memos = { payment: '', delegation: signer === '1.7' ? ' a' : ' ä' }
    const program = `mina-signer ${signer}, pasted into mina-block-explorer`
    return kinds.map((kind) => post(program, kind, asGiven, { ...page, signer, terms: { memo: memos[kind] } }))
  }),
  ...both('Ledger Live, Auro, Clorio, Pallad, mina_ledger_wallet.py', ({ publicKey, raw, terms }) => {
    return { publicKey, signature: { rawSignature: raw }, payload: terms }
  }),
  ...both(
    'a Ledger device, the Rust crate’s Display, older tools, with the most significant byte first',
    ({ publicKey, rawOfDevice, terms }) => {
      return { publicKey, signature: rawOfDevice, payload: terms }
    },
  ),
  post(ledgerTools, 'payment', rosettaPayment, { ...page, terms: { memo: '' } }),
  post(ledgerTools, 'delegation', rosettaDelegation, page),
  ...kinds.map((kind) => post('mina-signer’s signRosettaTransaction', kind, asGiven, { ...json, signer: 'Rosetta' })),
  post('a delegation page for Ledger', 'delegation', ledgerPage, {
    ...pageWithJson,
    path: '/broadcast/transaction',
    status: 400,
    holds: /\/stake_delegation is a stake delegation: send it to \/broadcast\/delegation/,
    cannot: 'the path is for payments, and the refusal names the other',
  }),
  post('the same page, once it follows the refusal', 'delegation', ledgerPage, pageWithJson),
  ...both('serializers that write absent members', (signed) => ({ ...(inPayload(signed) as object), data: null })),
  ...both('serializers that write absent members', ({ signature, terms }) => {
    return { publicKey: null, signature, data: terms }
  }),
  post(
    'the Rust crate, by hand',
    'payment',
    ({ publicKey, signature: { field, scalar }, terms }) => {
      return { publicKey, signature: { rx: field, s: scalar }, payload: terms }
    },
    { status: 400, holds: /field \(rx\) and scalar \(s\)/, cannot: 'the contract names `field` and `scalar`' },
  ),
  post(
    'the Rust crate, by hand',
    'payment',
    ({ publicKey, raw, terms }) => {
      return { publicKey, signature: { field: raw.slice(0, 64), scalar: raw.slice(64) }, payload: terms }
    },
    {
      status: 400,
      holds: /into one text of 128 hexadecimal digits/,
      cannot: 'both are decimal digits; the refusal names the raw form',
    },
  ),
  post('console.log, pasted', 'payment', ({ publicKey }) => `{ publicKey: '${publicKey}', payload: [Object] }`, {
    ...page,
    status: 400,
    holds: /body is not JSON: a word without quotes at position 2: keys and strings must be double-quoted/,
    cannot: 'it is not JSON',
  }),
  post('a page that mixes up the paths', 'payment', asGiven, {
    path: '/broadcast/delegation',
    status: 400,
    holds: /send it to \/broadcast\/transaction/,
    cannot: 'the path is for delegations, and the refusal names the other',
  }),
  post('a page that mixes up the paths', 'delegation', asGiven, {
    path: '/broadcast/transaction',
    status: 400,
    holds: /goes to \/broadcast\/delegation/,
    cannot: 'the path is for payments, and the refusal names the other',
  }),
]
