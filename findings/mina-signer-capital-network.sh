#!/usr/bin/env bash
# Most expect: a name in capitals means the same network in every version of mina-signer, or is refused.
# True: 2.1.2 signs for mainnet where the name is `Mainnet`. 3.1.0 and 4.0.0 take it for a private network of that name, sign
#   without a word, and find the signature right themselves.
# Package: mina-signer 2.1.2, 3.1.0, 4.0.0 (npm)
# Why here: after an upgrade every payment of a program that is configured so is refused with `invalid-signature`.
set -euo pipefail
expected="${EXPECTED:-2.1.2: mainnet; 3.1.0: another network, right by its own word; 4.0.0: another network, right by its own word}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts two@npm:mina-signer@2.1.2 three@npm:mina-signer@3.1.0 four@npm:mina-signer@4.0.0
cat > run.mjs <<'JS'
const results = []
for (const [name, version] of [['two', '2.1.2'], ['three', '3.1.0'], ['four', '4.0.0']]) {
  const { default: Client } = await import(name)
  const [plain, capital] = ['mainnet', 'Mainnet'].map((network) => new Client({ network }))
  const { privateKey, publicKey } = plain.genKeys()
  const terms = { from: publicKey, to: publicKey, amount: '1', fee: '10000000', nonce: '0', memo: '' }
  const signed = capital.signPayment(terms, privateKey)
  const isMainnet = plain.verifyPayment(signed)
  const own = capital.verifyPayment(signed) ? 'right by its own word' : 'wrong by its own word'
  results.push(`${version}: ${isMainnet ? 'mainnet' : `another network, ${own}`}`)
}
console.log(results.join('; '))
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
