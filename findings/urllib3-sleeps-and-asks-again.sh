#!/usr/bin/env bash
# Most expect: urllib3 retries statuses only where `status_forcelist` names them, and a time-out bounds a call.
# True: a 503, 429 or 413 with `Retry-After` is asked again three times by the default of a PoolManager. It sleeps as long as
#   the header says each time, beside any time-out. `requests` turns that off; clients of openapi-generator do not.
# Package: urllib3 2.8.0 (PyPI)
# Why here: the service's 503 has `Retry-After: 5`, or up to 60. A GET with a time-out of one second may take three minutes.
set -euo pipefail
expected="${EXPECTED:-GET with a time-out of 0.5 s: 4 requests, at least 3 s; POST: 1 request}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env
python3 -m pip --python env/bin/python install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile urllib3==2.8.0
cat > run.py <<'PY'
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import urllib3

methods = []


class Busy(BaseHTTPRequestHandler):
    def do_GET(self):
        methods.append(self.command)
        self.send_response(503)
        self.send_header("Retry-After", "1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"
pool = urllib3.PoolManager()
begun = time.monotonic()
pool.request("GET", url, timeout=0.5)
seconds = int(time.monotonic() - begun)
pool.request("POST", url, timeout=0.5)
gets, posts = methods.count("GET"), methods.count("POST")
print(f"GET with a time-out of 0.5 s: {gets} requests, {'at least 3 s' if seconds >= 3 else f'{seconds} s'}; POST: {posts} request")
PY
seen="$(env/bin/python run.py)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
