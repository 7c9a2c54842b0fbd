#!/usr/bin/env bash
# Most expect: a bigint in a uint64 field is written, or refused.
# True: `Type.encode` writes 0, without an error; only `verify` complains. `fromObject` takes a bigint since version 8.
# Package: protobufjs 8.8.1 (npm)
# Why here: amounts of the typed client are bigint. A payment that is handed on over gRPC or a queue arrives as 0.
set -euo pipefail
expected="${EXPECTED:-encode: 0, fromObject and encode: 1500000000}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts protobufjs@8.8.1
cat > run.mjs <<'JS'
import protobuf from 'protobufjs'

const { root } = protobuf.parse('syntax = "proto3"; message Payment { uint64 amount = 1; }')
const Payment = root.lookupType('Payment')
const received = (message) => String(Payment.decode(Payment.encode(message).finish()).amount)
const payment = { amount: 1_500_000_000n }
console.log(`encode: ${received(payment)}, fromObject and encode: ${received(Payment.fromObject(payment))}`)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
