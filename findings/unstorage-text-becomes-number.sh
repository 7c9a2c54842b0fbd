#!/usr/bin/env bash
# Most expect: a text that is stored is the text that is read.
# True: `getItem` reads a text of up to 16 digits before a decimal point, or without one, as a number. Longer ones stay texts.
#   `getItemRaw` gives what was stored; inside of an object a text stays one.
# Package: unstorage 1.17.6 (npm)
# Why here: it is the storage of Nuxt and Nitro. A balance in MINA loses nanomina, and `a + b` adds or joins by the size.
set -euo pipefail
expected="${EXPECTED:-'1151424209.378197783' is read as 1151424209.3781977, '9007199254740993' as 9007199254740992, '1151424209378197783' as '1151424209378197783'; raw: '1151424209.378197783', '9007199254740993', '1151424209378197783'}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts unstorage@1.17.6
cat > run.mjs <<'JS'
import { createStorage } from 'unstorage'

const storage = createStorage()
const texts = ['1151424209.378197783', '9007199254740993', '1151424209378197783']
const shown = (value) => (typeof value === 'string' ? `'${value}'` : String(value))
const read = []
const raw = []
for (const text of texts) {
  await storage.setItem('amount', text)
  read.push(`'${text}'${read.length === 0 ? ' is read' : ''} as ${shown(await storage.getItem('amount'))}`)
  raw.push(shown(await storage.getItemRaw('amount')))
}
console.log(`${read.join(', ')}; raw: ${raw.join(', ')}`)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
