#!/usr/bin/env bash
# Most expect: `parseUnits` refuses more decimals than the unit has, as that of ethers does.
# True: viem rounds, up as well: 1.9999999999 MINA are 2 MINA, half a nanomina is one.
# Package: viem 2.57.20 (npm)
# Why here: a wallet that is moved here from viem signs another amount than was typed. The client's `nanominaOf` throws.
set -euo pipefail
expected="${EXPECTED:-1.9999999999: 2000000000; 0.0000000005: 1}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts viem@2.57.20
cat > run.mjs <<'JS'
import { parseUnits } from 'viem'

console.log(['1.9999999999', '0.0000000005'].map((text) => `${text}: ${parseUnits(text, 9)}`).join('; '))
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
