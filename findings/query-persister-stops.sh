#!/usr/bin/env bash
# Most expect: a bigint in one query makes the persister throw, or leaves that query out.
# True: from then on nothing at all is stored, of any query, and no error reaches the console, a promise or a callback. Stored
#   data stays as old as it is until the query with the bigint is gone.
# Package: @tanstack/query-sync-storage-persister 5.104.4, @tanstack/react-query-persist-client 5.104.5 (npm)
# Why here: the typed client gives every amount as a bigint, so one account in the cache is enough; a page then starts with old
#   balances. Give the persister a `serialize` and a `deserialize` that keep bigints.
set -euo pipefail
expected="${EXPECTED:-height 40 stored; a bigint and height 41: 40 stored; without the bigint: 41 stored; errors: 0}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts react@19.2.0 @tanstack/react-query@5.108.4 \
  @tanstack/query-sync-storage-persister@5.104.4 @tanstack/react-query-persist-client@5.104.5
cat > run.mjs <<'JS'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { QueryClient } from '@tanstack/react-query'
import { persistQueryClient } from '@tanstack/react-query-persist-client'

let errors = 0
for (const event of ['unhandledRejection', 'uncaughtException', 'warning']) process.on(event, () => (errors += 1))
for (const level of ['error', 'warn']) console[level] = () => (errors += 1)
const kept = new Map()
const storage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => void kept.set(key, value),
  removeItem: (key) => void kept.delete(key),
}
const queryClient = new QueryClient()
const persister = createSyncStoragePersister({ storage, throttleTime: 1 })
const [stop, restored] = persistQueryClient({ queryClient, persister })
await restored
const stored = async () => {
  await new Promise((done) => setTimeout(done, 200))
  const [text] = kept.values()
  return JSON.parse(text).clientState.queries.find(({ queryKey }) => queryKey[0] === 'height').state.data
}
queryClient.setQueryData(['height'], 40)
const first = await stored()
queryClient.setQueryData(['account'], { balance: 5n })
queryClient.setQueryData(['height'], 41)
const second = await stored()
queryClient.removeQueries({ queryKey: ['account'] })
const third = await stored()
stop()
console.log(`height ${first} stored; a bigint and height 41: ${second} stored; without the bigint: ${third} stored; errors: ${errors}`)
process.exit(0)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
