#!/usr/bin/env bash
# Most expect: no HTTP library sends a POST a second time by itself, since it may have worked.
# True: where a kept connection ends after the whole POST was sent and before an answer, libcurl opens another one and sends it
#   again, without a word: the program sees one answer. urllib3 beside it reports the break.
# Package: pycurl 7.49.0 (PyPI, with libcurl 8.23.0), urllib3 2.8.0 (PyPI)
# Why here: libcurl is under PHP's Guzzle, Ruby's typhoeus and R. A broadcast that was sent "once" may get `already-known`.
set -euo pipefail
expected="${EXPECTED:-libcurl: 2 POSTs, the program sees 201; urllib3: 1 POST, the program sees an error}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env
python3 -m pip --python env/bin/python install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile pycurl==7.49.0 urllib3==2.8.0
cat > run.py <<'PY'
import io
import socket
import threading

import pycurl
import urllib3


class Service:
    """Answers the first request of each connection, reads the second one whole and ends the connection."""

    def __init__(self):
        self.posts = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        for is_answered in (True, False):
            request = b""
            while b"\r\n\r\n" not in request or (request.startswith(b"POST") and not request.endswith(b"{}")):
                part = connection.recv(4096)
                if not part:
                    return
                request += part
            is_post = request.startswith(b"POST")
            self.posts += is_post
            if is_answered:
                connection.sendall(b"HTTP/1.1 %s\r\nContent-Length: 2\r\n\r\n{}" % (b"201 Created" if is_post else b"200 OK"))
        connection.close()


def by_libcurl(url):
    curl = pycurl.Curl()
    curl.setopt(pycurl.WRITEDATA, io.BytesIO())
    curl.setopt(pycurl.URL, url)
    curl.perform()
    curl.setopt(pycurl.POSTFIELDS, "{}")
    curl.perform()
    return curl.getinfo(pycurl.RESPONSE_CODE)


def by_urllib3(url):
    pool = urllib3.PoolManager()
    pool.request("GET", url)
    try:
        return pool.request("POST", url, body="{}").status
    except urllib3.exceptions.HTTPError:
        return "an error"


results = []
for name, post in (("libcurl", by_libcurl), ("urllib3", by_urllib3)):
    service = Service()
    shown = post(service.url)
    results.append(f"{name}: {service.posts} POST{'s' if service.posts > 1 else ''}, the program sees {shown}")
print("; ".join(results))
PY
seen="$(env/bin/python run.py)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
