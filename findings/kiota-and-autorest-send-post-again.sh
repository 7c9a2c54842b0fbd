#!/usr/bin/env bash
# Most expect: a generated client repeats reads at most, and a POST never.
# True: clients of Kiota send a POST four times where each answer is a 503, 504 or 429. Clients of AutoRest for Python send
#   it four times for a 500, 503 or 504, and for a 429 with `Retry-After`. Both are the default, and the program sees only the last answer.
# Package: @microsoft/kiota-http-fetchlibrary 1.0.0-preview.109 (npm), azure-core 1.41.0 (PyPI)
# Why here: a balancer in front answers 503 though a node may have the command. It is safe to send it again, but a 201 does
#   not mean "the first time", and a limit on requests is used up four times faster.
set -euo pipefail
expected="${EXPECTED:-Kiota: 503 4, 429 4, 500 1; AutoRest: 503 4, 429 4, 500 4}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @microsoft/kiota-http-fetchlibrary@1.0.0-preview.109
python3 -m venv --without-pip env
python3 -m pip --python env/bin/python install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile azure-core==1.41.0
cat > kiota.mjs <<'JS'
import { KiotaClientFactory } from '@microsoft/kiota-http-fetchlibrary'

const headers = { 'content-type': 'application/json' }
await KiotaClientFactory.create().executeFetch(process.argv[2], { method: 'POST', body: '{}', headers }, {})
JS
cat > autorest.py <<'PY'
import sys

from azure.core import PipelineClient
from azure.core.pipeline.policies import RetryPolicy
from azure.core.rest import HttpRequest

PipelineClient(sys.argv[1], policies=[RetryPolicy()]).send_request(HttpRequest("POST", sys.argv[1], json={}))
PY
cat > run.mjs <<'JS'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'

const run = promisify(execFile)
const clients = { Kiota: ['node', 'kiota.mjs'], AutoRest: ['env/bin/python', 'autorest.py'] }
let status = 0
let posts = 0
const service = createServer((request, response) => {
  posts += request.method === 'POST' ? 1 : 0
  request.resume().on('end', () => response.writeHead(status, { 'retry-after': '1' }).end('{}'))
}).listen(0, '127.0.0.1')
await new Promise((done) => service.once('listening', done))
const lines = []
for (const [name, [program, file]] of Object.entries(clients)) {
  const counts = []
  for (status of [503, 429, 500]) {
    posts = 0
    await run(program, [file, `http://127.0.0.1:${service.address().port}/`])
    counts.push(`${status} ${posts}`)
  }
  lines.push(`${name}: ${counts.join(', ')}`)
}
console.log(lines.join('; '))
process.exit(0)
JS
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
