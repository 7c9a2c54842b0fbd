#!/usr/bin/env bash
# Most expect: hishel is a cache by the standard for HTTP (RFC 9111), as up to 1.4; a new major version changes names, not that.
# True: since 2.0 its clients ignore `max-age`, `no-store` and `etag`, and the `no-cache` of a request. The first 200 is the answer
#   forever, and a file keeps it beyond the program. `rfc=True` gives back what 1.4 did. `AsyncCacheClient` has kept its name.
# Package: hishel 1.4.0, 2.0.0, under httpx 0.28.1 (PyPI)
# Why here: an account's answer lives for two seconds. After an upgrade nonce, balance and the fate of a payment stand still.
set -euo pipefail
expected="${EXPECTED:-1.4.0 max-age=0: 40, 41; no-store: 40, 41 | 2.0.0 max-age=0: 40, 40; no-store: 40, 40 | 2.0.0 with rfc=True max-age=0: 40, 41; no-store: 40, 41}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for version in 1 2; do python3 -m venv --without-pip "env$version"; done
python3 -m pip --python env1/bin/python install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile \
  "hishel[httpx]==1.4.0" httpx==0.28.1
python3 -m pip --python env2/bin/python install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile \
  "hishel[httpx]==2.0.0" httpx==0.28.1
cat > run.py <<'PY'
import asyncio
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from hishel.httpx import AsyncCacheClient

height = 0


class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        global height
        height += 1
        self.send_response(200)
        self.send_header("Cache-Control", self.path.strip("/"))
        self.send_header("X-Chain-Height", str(height))
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


async def heights(caching, **options):
    global height
    height = 39
    async with AsyncCacheClient(**options) as client:
        url = f"http://127.0.0.1:{server.server_port}/{caching}"
        # With what a user who wants it fresh sends.
        return [(await client.get(url, headers=headers)).headers["x-chain-height"] for headers in ({}, {"cache-control": "no-cache"})]


async def main():
    options = {"rfc": True} if "rfc" in sys.argv else {}
    shown = [f"{caching}: {', '.join(await heights(caching, **options))}" for caching in ("max-age=0", "no-store")]
    print("; ".join(shown))


server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
threading.Thread(target=server.serve_forever, daemon=True).start()
asyncio.run(main())
PY
seen="1.4.0 $(env1/bin/python run.py) | 2.0.0 $(env2/bin/python run.py) | 2.0.0 with rfc=True $(env2/bin/python run.py rfc)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
