#!/usr/bin/env bash
# Most expect: a bigint that does not fit into MongoDB's 64 bits is refused, as Python's driver does.
# True: it wraps. 18446744073709551615n comes back as -1, without an error. What fits comes back as a number up to 2^53 and
#   as a Long above, so a type changes with the size of an amount.
# Package: bson 7.3.4 (npm), the serialiser of MongoDB's driver
# Why here: amounts of tokens are 64 bits without a sign, and anybody can mint that many. Store them as text or Decimal128.
set -euo pipefail
expected="${EXPECTED:-1500000000: number 1500000000; 1151424209378197783: Long 1151424209378197783; 18446744073709551615: number -1}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts bson@7.3.4
cat > run.mjs <<'JS'
import { deserialize, serialize } from 'bson'

const stored = [1500000000n, 1151424209378197783n, 18446744073709551615n].map((amount) => {
  const { amount: back } = deserialize(serialize({ amount }))
  return `${amount}: ${typeof back === 'object' ? back._bsontype : typeof back} ${back}`
})
console.log(stored.join('; '))
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
