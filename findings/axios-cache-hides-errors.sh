#!/usr/bin/env bash
# Most expect: a cache shows an old answer in place of an error only if the answer allowed it, and never in place of a 404.
# True: axios-cache-interceptor shows the last 200, at any age, in place of every error: a 404, a 409, a 503, a broken
#   connection. `stale-if-error=0` does not stop that, `staleIfError: false` does.
# Package: axios-cache-interceptor 1.12.3, axios 1.21.1 (npm)
# Why here: an account's answer has `stale-if-error=0`. A nonce or balance stays as it was while the service is down; a page
#   that a reorganisation has replaced (409), and a block that is gone (404), are shown as if they were still there.
set -euo pipefail
expected="${EXPECTED:-after a 200 at height 40: 404: 200 at height 40; 409: 200 at height 40; 503: 200 at height 40; with staleIfError false: 404, 409, 503}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts axios-cache-interceptor@1.12.3 axios@1.21.1
cat > run.mjs <<'JS'
import { createServer } from 'node:http'
import axios from 'axios'
import { setupCache } from 'axios-cache-interceptor'

let status = 200
const service = createServer((_request, response) => {
  const labels = status === 200 ? { etag: 'W/"account"', 'x-chain-height': 40 } : {}
  const caching = 'public, max-age=1, stale-if-error=0'
  response.writeHead(status, { 'cache-control': caching, 'content-type': 'application/json', ...labels })
  response.end('{}')
}).listen(0, '127.0.0.1')
await new Promise((done) => service.once('listening', done))
const shownWith = async (options, failure) => {
  const client = setupCache(axios.create(), options)
  const url = `http://127.0.0.1:${service.address().port}/accounts/B62`
  status = 200
  await client.get(url)
  status = failure
  // Longer than the copy may live.
  await new Promise((done) => setTimeout(done, 1100))
  const answer = await client.get(url).catch(({ response }) => response)
  return answer.status === 200 ? `200 at height ${answer.headers['x-chain-height']}` : String(answer.status)
}
const shown = []
for (const failure of [404, 409, 503]) shown.push(`${failure}: ${await shownWith({}, failure)}`)
const without = []
for (const failure of [404, 409, 503]) without.push(await shownWith({ staleIfError: false }, failure))
console.log(`after a 200 at height 40: ${shown.join('; ')}; with staleIfError false: ${without.join(', ')}`)
process.exit(0)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
