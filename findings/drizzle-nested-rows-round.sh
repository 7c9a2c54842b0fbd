#!/usr/bin/env bash
# Most expect: a column has all digits however it is selected, with `mode: 'bigint'` or as `numeric` text.
# True: rows inside of rows (`findMany({ with: … })`) travel as JSON, which is read as doubles. Their bigints and numerics keep
#   their type and lose digits. The same column of the outer row is exact.
# Package: drizzle-orm 0.45.4, @electric-sql/pglite 0.5.17 (npm)
# Why here: an account with its commands shows other nanomina than the table holds, still as bigints, from nine million MINA on.
set -euo pipefail
expected="${EXPECTED:-outer: 1151424209378197783n, '1151424209.378197783'; nested: 1151424209378197760n, '1151424209.3781977'}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts drizzle-orm@0.45.4 @electric-sql/pglite@0.5.17
cat > run.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite'
import { relations } from 'drizzle-orm'
import { bigint, numeric, pgTable, text } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pglite'

const accounts = pgTable('accounts', { key: text().primaryKey() })
const commands = pgTable('commands', { key: text(), nanomina: bigint({ mode: 'bigint' }), mina: numeric({ precision: 38, scale: 9 }) })
const accountRelations = relations(accounts, ({ many }) => ({ commands: many(commands) }))
const commandRelations = relations(commands, ({ one }) => ({
  account: one(accounts, { fields: [commands.key], references: [accounts.key] }),
}))
const database = new PGlite()
await database.exec('CREATE TABLE accounts (key text); CREATE TABLE commands (key text, nanomina int8, mina numeric(38, 9))')
const db = drizzle(database, { schema: { accounts, commands, accountRelations, commandRelations } })
await db.insert(accounts).values({ key: 'B62' })
await db.insert(commands).values({ key: 'B62', nanomina: 1151424209378197783n, mina: '1151424209.378197783' })
const textOf = ({ nanomina, mina }) => `${nanomina}${typeof nanomina === 'bigint' ? 'n' : ''}, '${mina}'`
const [outer] = await db.query.commands.findMany()
const [account] = await db.query.accounts.findMany({ with: { commands: true } })
console.log(`outer: ${textOf(outer)}; nested: ${textOf(account.commands[0])}`)
process.exit(0)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
