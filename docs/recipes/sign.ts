// Signs the payment on standard input, for a program in another language: `NETWORK=mainnet KEY=EK… node sign.ts`; on a private
// network NETWORK is the `signatureKind` of `GET /network`. Where the private key is yours to keep, keep it elsewhere: in a
// vault, or on another machine.
import { readFileSync } from 'node:fs'
import Client from 'mina-signer'

const { NETWORK = '', KEY = '' } = process.env
const kind = NETWORK === 'devnet' ? 'testnet' : NETWORK
const client = new Client({ network: kind === 'mainnet' || kind === 'testnet' ? kind : { custom: kind } })
// Without nulls: for a memo that is null mina-signer signs the word.
const terms = JSON.parse(readFileSync(0, 'utf8'), (_name, value) => value ?? undefined)
const signed = client.signPayment(terms, KEY)
console.log(JSON.stringify({ hash: client.hashPayment(signed, { berkeley: true }), signed }))
