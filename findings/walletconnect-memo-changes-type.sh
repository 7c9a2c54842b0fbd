#!/usr/bin/env bash
# Most expect: JSON that goes through WalletConnect's reader and writer comes out as it went in.
# True: a text of digits and an `n`, such as the memo "15n", comes out as a bigint. A memo with 17 digits before a comma makes
#   the reader give back the whole message as one text in place of the object.
# Package: @walletconnect/safe-json 1.0.2 (npm)
# Why here: a wallet that is asked to sign such a payment gets no text for its memo, or no payment. The digits of signatures
#   pass unchanged.
set -euo pipefail
expected="${EXPECTED:-memo 15n: bigint; memo with 17 digits and a comma: string for the payment; signature: the same}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @walletconnect/safe-json@1.0.2
cat > run.mjs <<'JS'
import { safeJsonParse, safeJsonStringify } from '@walletconnect/safe-json'

const passed = (payment) => safeJsonParse(safeJsonStringify(payment))
const short = passed({ memo: '15n' })
const long = passed({ memo: 'order 12345678901234567, rent' })
const field = '19345678901234567890123456789012345678901234567890123456789012345678901234567'
const signature = passed({ signature: { field } }).signature?.field === field ? 'the same' : 'another'
console.log(`memo 15n: ${typeof short.memo}; memo with 17 digits and a comma: ${typeof long} for the payment; signature: ${signature}`)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
