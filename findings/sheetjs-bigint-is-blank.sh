#!/usr/bin/env bash
# Most expect: a spreadsheet library rounds a bigint, or throws.
# True: the cell is empty. The header and every other column are there, and nothing is said.
# Package: xlsx 0.18.5 (npm, SheetJS)
# Why here: a report for the accountants, made from the client's amounts, sums to 0. Write `formatMina(amount)`.
set -euo pipefail
expected="${EXPECTED:-hash,amount|5J1,|5J2,}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts xlsx@0.18.5
cat > run.mjs <<'JS'
import { read, utils, write } from 'xlsx'

const sheet = utils.json_to_sheet([{ hash: '5J1', amount: 1500000000n }, { hash: '5J2', amount: 7n }])
const book = utils.book_new()
utils.book_append_sheet(book, sheet, 'payments')
const back = read(write(book, { type: 'buffer', bookType: 'xlsx' }))
console.log(utils.sheet_to_csv(back.Sheets.payments).trim().replaceAll('\n', '|'))
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
