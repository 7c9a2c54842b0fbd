#!/usr/bin/env bash
# Most expect: a text with a fraction is no bigint, so `Convert` leaves it as it is and the check fails.
# True: `Value.Convert` cuts the fraction off. "1.500000000" becomes 1n, which passes the check; null becomes 0n.
# Package: typebox 1.4.3 (npm)
# Why here: balances and supplies are MINA as text with nine decimals, amounts are nanomina. Read by such a schema 1.5 MINA
#   become one nanomina. The client's `nanominaOf` reads them.
set -euo pipefail
expected="${EXPECTED:-1.500000000: 1, valid; 1151424209.378197783: 1151424209, valid; null: 0, valid}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts typebox@1.4.3
cat > run.mjs <<'JS'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

const results = ['1.500000000', '1151424209.378197783', null].map((text) => {
  const value = Value.Convert(Type.BigInt(), text)
  return `${text}: ${value}, ${Value.Check(Type.BigInt(), value) ? 'valid' : 'invalid'}`
})
console.log(results.join('; '))
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
