// Signs the payment on standard input, for a program in another language: `NETWORK=mainnet KEY=EK… node sign.mjs`; on a private
// network NETWORK is its `signatureKind`. Keep a key of value in a vault, or on another machine.
import { readFileSync } from 'node:fs'
import Client from 'mina-signer'

const { NETWORK = '', KEY = '' } = process.env
const kind = NETWORK === 'devnet' ? 'testnet' : NETWORK
const client = new Client({ network: kind === 'mainnet' || kind === 'testnet' ? kind : { custom: kind } })
// Without nulls: for a memo that is null mina-signer signs the word.
const terms = JSON.parse(readFileSync(0, 'utf8'), (_name, value) => value ?? undefined)
const signed = client.signPayment(terms, KEY)
console.log(JSON.stringify({ hash: client.hashPayment(signed, { berkeley: true }), signed }))
