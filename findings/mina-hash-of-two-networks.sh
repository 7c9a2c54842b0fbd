#!/usr/bin/env bash
# Most expect: the hash of a signed payment is the payment's alone, since it is signed for one network.
# True: the hash covers neither signature nor network. The same terms signed for devnet and for mainnet have one hash, and so
#   has the payment with a signature that is wrong.
# Package: mina-signer 4.0.0 (npm)
# Why here: a book keyed by hash alone takes a payment on devnet for one on mainnet, and a hash proves no valid signature.
set -euo pipefail
expected="${EXPECTED:-signatures: 2, hashes: 1, with a wrong signature: the same hash}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts mina-signer@4.0.0
cat > run.mjs <<'JS'
import Client from 'mina-signer'

const networks = ['mainnet', 'devnet'].map((network) => new Client({ network }))
const [mainnet] = networks
const { privateKey, publicKey: from } = mainnet.genKeys()
const to = mainnet.genKeys().publicKey
const terms = { from, to, amount: '1500000000', fee: '10000000', nonce: '0', memo: 'rent' }
const all = networks.map((client) => client.signPayment(terms, privateKey))
if (!all.every((signed, at) => networks[at].verifyPayment(signed))) throw new Error('a signature is wrong')
const hashOf = (signed) => mainnet.hashPayment(signed, { berkeley: true })
const wrong = { ...all[0], signature: { field: '1', scalar: '1' } }
const count = (texts) => new Set(texts).size
const same = hashOf(wrong) === hashOf(all[0]) ? 'the same hash' : 'another hash'
console.log(`signatures: ${count(all.map((signed) => signed.signature.scalar))}, hashes: ${count(all.map(hashOf))}, with a wrong signature: ${same}`)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
