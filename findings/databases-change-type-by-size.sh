#!/usr/bin/env bash
# Most expect: a driver gives a column one JavaScript type, as node-postgres gives text for every int8.
# True: PGlite and DynamoDB's `unmarshall` give a number up to 2^53 and a bigint above; PGlite gives a sum of them as text. So
#   `a + b` works until an account has nine million MINA, then throws; a sum is glued on as digits.
# Package: @electric-sql/pglite 0.5.17, @aws-sdk/util-dynamodb 3.996.9 (npm)
# Why here: books in nanomina pass every test with small amounts. Make a bigint of each column where it is read.
set -euo pipefail
expected="${EXPECTED:-PGlite: number, bigint, sum string; DynamoDB: number, bigint; adding both: TypeError; sum + 1: 111}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.5.17 @aws-sdk/util-dynamodb@3.996.9
cat > run.mjs <<'JS'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { PGlite } from '@electric-sql/pglite'

const database = new PGlite()
await database.exec('CREATE TABLE books (small int8, large int8); INSERT INTO books VALUES (5, 1151424209378197783), (6, 7)')
const { rows: [row] } = await database.query('SELECT small, large FROM books ORDER BY small')
const { rows: [{ sum }] } = await database.query('SELECT sum(small) FROM books')
const item = unmarshall({ small: { N: '5' }, large: { N: '1151424209378197783' } })
const added = () => {
  try {
    return String(row.small + row.large)
  } catch ({ name }) {
    return name
  }
}
console.log(
  `PGlite: ${typeof row.small}, ${typeof row.large}, sum ${typeof sum}; DynamoDB: ${typeof item.small}, ${typeof item.large}; ` +
    `adding both: ${added()}; sum + 1: ${sum + 1}`,
)
process.exit(0)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
