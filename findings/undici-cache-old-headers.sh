#!/usr/bin/env bash
# Most expect: after a 304 a cache answers with the headers of the 304, as the standard asks: those that it has are updated.
# True: the cache of undici gives the body with the old headers.
# Package: undici 7.30.2 (npm)
# Why here: `x-chain-height` of a 304 is the newest tip. Confirmations counted by it stand still behind this cache.
set -euo pipefail
expected="${EXPECTED:-undici: 200 at height 40, then 304 at height 41 shown as 200 at height 40}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts undici@7.30.2
cat > run.mjs <<'JS'
import { createServer } from 'node:http'
import { Agent, interceptors, request } from 'undici'

let height = 39
const statuses = []
const service = createServer(({ headers }, response) => {
  height += 1
  const isKnown = headers['if-none-match'] === '"block"'
  statuses.push(isKnown ? 304 : 200)
  response.writeHead(isKnown ? 304 : 200, { etag: '"block"', 'cache-control': 'public, max-age=0', 'x-chain-height': height })
  response.end(isKnown ? undefined : '{}')
}).listen(0, '127.0.0.1')
await new Promise((done) => service.once('listening', done))
const dispatcher = new Agent().compose(interceptors.cache())
const shown = []
for (const _time of [1, 2]) {
  const { statusCode, headers, body } = await request(`http://127.0.0.1:${service.address().port}/block`, { dispatcher })
  await body.text()
  shown.push(`${statusCode} at height ${headers['x-chain-height']}`)
}
console.log(`undici: ${shown[0]}, then ${statuses[1]} at height ${height} shown as ${shown[1]}`)
process.exit(0)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
