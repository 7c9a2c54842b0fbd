"""Follows the chain, credits deposits, pays withdrawals and settles them: an exchange's day, to copy and to change.

Python 3.9 or later, with nothing but its standard library. The folder holds keys.txt, your deposit addresses, one a line;
orders.jsonl, to which you append {"id", "to", "amount", "memo"} for each withdrawal (nanomina as text), or {"raise": id} for a
higher fee; and books.db, the program's own. Both files of yours are read in every round. The program may be killed at any time.

    python3 exchange.py run --url URL --network mainnet --folder FOLDER --from B62… --sign COMMAND
    python3 exchange.py books --folder FOLDER
    python3 exchange.py memo E4Y…

COMMAND gets the payment as JSON on its standard input, and prints {"hash", "signed"}: recipes/sign.ts is one.
"""

import argparse
import hashlib
import http.client
import json
import pathlib
import shlex
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

MINA = "wSHV2S4qX9jFsLjQo8r1BsMLH2ZRKsZx6EJd1sbozGPieEC4Jf"
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
NEVER_EXPIRES = "4294967295"

# A daemon stops telling others of a payment some 50 minutes after it came. The same bytes wake it again.
STALE_SECONDS = 900

# What the commands of a network are signed for. That of any other network its owners know: --signature-kind.
KINDS = {"mainnet": "mainnet", "devnet": "testnet", "testnet": "testnet"}

# Refusals of the bytes themselves: no node can ever have taken them.
FOREVER = ("invalid-signature", "memo-too-long", "invalid-request")


class Trouble(Exception):
    """Passes: ask again later."""


class NetworkMismatch(Exception):
    """Another chain knows nothing of your payments, and a deposit there is worth nothing."""


# Memos


def checksum(payload):
    return hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]


def memo_on_chain(text):
    """A memo as the chain has it: base58check of a version, a tag, its length and 32 bytes."""
    memo = text.encode()
    if len(memo) > 32:
        raise ValueError(f"a memo has at most 32 bytes, this one {len(memo)}")
    payload = bytes([0x14, 1, len(memo)]) + memo.ljust(32, b"\0")
    number = int.from_bytes(payload + checksum(payload), "big")
    digits = ""
    while number > 0:
        number, digit = divmod(number, 58)
        digits = ALPHABET[digit] + digits
    return digits


def memo_text(memo):
    """The text of a memo of the chain; None where its checksum is wrong, or it holds bytes that are not text."""
    number = 0
    for letter in memo:
        number = number * 58 + max(0, ALPHABET.find(letter))
    try:
        payload = number.to_bytes(39, "big")
        text = payload[3 : 3 + payload[2]].decode()
        return text if memo_on_chain(text) == memo else None
    except (OverflowError, ValueError):
        return None


# The service


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Behind a redirect a broadcast would become a GET."""

    def redirect_request(self, *_):
        return None


def tip_of(headers):
    """The height of the tip that an answer names: its own, since nothing is counted from the tip of another one."""
    height = headers.get("x-chain-height") or ""
    if not height.isdecimal():
        raise Trouble("the answer does not name its tip: x-chain-height is missing")
    return int(height)


def count(text):
    """A whole number from 0, for argparse."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 0")
    return int(text)


class Service:
    def __init__(self, url, network, kind=None):
        self.url, self.network, self.checked_at, self.k = url.rstrip("/"), network, None, 290
        self.kind = kind or KINDS.get(network)
        self.opener = urllib.request.build_opener(NoRedirect)

    def ask(self, path, body=None):
        """Returns status, headers and body of the service's own answer. Python's integers keep every digit."""
        request = urllib.request.Request(self.url + path, body, {"content-type": "application/json"})
        try:
            with self.opener.open(request, timeout=30) as answer:
                status, headers, text = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            status, headers = error.code, error.headers
            try:
                text = error.read()
            except (OSError, http.client.HTTPException) as broken:
                raise Trouble(broken) from broken
        except (OSError, http.client.HTTPException) as error:
            raise Trouble(error) from error
        try:
            said = json.loads(text)
        except ValueError as error:
            raise Trouble(f"{status}: something else answers") from error
        # The gateway's words for a path that it does not know.
        if status not in (200, 201, 400, 404) or said == {"message": "Not Found"}:
            raise Trouble(status)
        return status, headers, said

    def get(self, path, key=None):
        """The body, or what it has under a key; None for what does not exist."""
        status, _, body = self.ask(path)
        if status == 400:
            raise ValueError(f"{path}: {body}")
        if status == 404:
            return None
        if key is not None and key not in body:
            raise Trouble(f"{path}: the answer has no {key}")
        return body if key is None else body[key]

    def check_network(self):
        """Compares your network with the service's, once a minute. Never take it from the service."""
        if self.checked_at is not None and time.monotonic() - self.checked_at < 60:
            return
        found = self.get("/network")
        name = (found or {}).get("networkName")
        if not isinstance(name, str):
            raise Trouble("something else answers at this address")
        if name != self.network:
            raise NetworkMismatch(f"the service is on {name}, not on {self.network}")
        # A service over an older node does not say what to sign for.
        kind = found.get("signatureKind", self.kind)
        if self.kind is not None and kind != self.kind:
            raise NetworkMismatch(f"the service takes payments signed for {kind}, not for {self.kind}")
        self.k, self.checked_at = found["k"], time.monotonic()

    # Follow the chain

    def deep_at(self, height, confirmations):
        """The block at a height by the tip of the answer that shows it: behind one address two answers may be two daemons',
        of which one stands still. None for no block there, False where the tips of four answers are too low."""
        for _ in range(4):
            status, headers, body = self.ask(f"/blocks/height/{height}")
            if status == 400:
                raise ValueError(body)
            tip = tip_of(headers)
            if tip < height + confirmations:
                continue
            if status == 404 and tip - height >= 30:
                raise Trouble(f"no upstream has block {height} any more: connect an indexer")
            return None if status == 404 else body["block"]
        return False

    def is_forked_away(self, cursor):
        """After a hard fork, whose first block is final: a state hash names the same block in every answer."""
        first = self.get("/network", "genesisStateHash")
        block = self.get(f"/blocks/{first}", "block") if first else None
        place = cursor["height"] - block["blockHeight"] if block else -1
        known = [cursor["stateHash"], *cursor["below"]]
        return 0 <= place < len(known) and known[place] != first

    def next_step(self, cursor, confirmations):
        """The next step above a cursor: ("added", block, cursor), ("orphaned", state hash, cursor), or None for none yet."""
        # Where to look. Nothing is counted from it.
        highest = self.get("/summary", "blockchainLength") - confirmations
        height = cursor["height"] + 1 if cursor else highest
        block = self.deep_at(height, confirmations) if 0 < height <= highest else None
        known = [cursor["stateHash"], *cursor["below"]] if cursor else []
        if block and (not cursor or block["protocolState"]["previousStateHash"] == cursor["stateHash"]):
            return "added", block, {"height": height, "stateHash": block["stateHash"], "below": known[:290]}
        if not cursor:
            return None
        # Only another block in its place, under enough others, shows a loss. A lower tip may be that of a node that lags.
        compared = min(cursor["height"], highest)
        place = cursor["height"] - compared
        there = self.deep_at(compared, confirmations) if place < len(known) and compared > 0 else None
        is_lost = bool(there) and there["stateHash"] != known[place]
        if not is_lost and not (place > 0 and self.is_forked_away(cursor)):
            return None
        below = cursor["below"]
        if not below:
            # A first cursor knows no block under it.
            lost = self.get(f"/blocks/{cursor['stateHash']}", "block")
            if lost is None:
                raise Trouble(f"nobody knows the parent of {cursor['stateHash']}: give an older cursor")
            below = [lost["protocolState"]["previousStateHash"]]
        return "orphaned", cursor["stateHash"], {"height": cursor["height"] - 1, "stateHash": below[0], "below": below[1:]}


# Deposits


def deposits_in(block, keys):
    """Payments and positive changes of MINA to your keys, as (id, key, nanomina, hash). A sender uses a nonce once."""
    commands = block["transactions"]
    if commands.get("zkappCommands") is None:
        raise Trouble(f"the zkApp commands of block {block['stateHash']} are missing")
    for command in commands["userCommands"]:
        paid = not command["isDelegation"] and command.get("failureReason") is None and command["from"] != command["to"]
        if paid and command["to"] in keys and command["amount"] > 0:
            name = f"{command['from']}/{command['nonce']}/{command['to']}"
            yield name, command["to"], command["amount"], command["hash"]
    for command in commands["zkappCommands"]:
        for change in command["balanceChanges"] if command.get("failureReason") is None else []:
            key = change["publicKey"]
            if key in keys and change["tokenId"] == MINA and change["amount"] > 0:
                yield f"{command['feePayer']['publicKey']}/{command['nonce']}/{key}", key, change["amount"], command["hash"]


# The books. Each `with self.db` is one transaction, so that a crash leaves all of it or nothing.

TABLES = """
CREATE TABLE IF NOT EXISTS place (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS deposits (id TEXT PRIMARY KEY, key TEXT, amount TEXT, hash TEXT, state_hash TEXT);
CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, receiver TEXT, amount TEXT, memo TEXT, bids INTEGER DEFAULT 1);
CREATE TABLE IF NOT EXISTS bids (hash TEXT PRIMARY KEY, order_id TEXT, nonce INTEGER, fee TEXT, body TEXT, terms TEXT,
  may_be_sent INTEGER DEFAULT 0, is_taken INTEGER DEFAULT 0, sent_at REAL DEFAULT 0, end TEXT);
"""


class Books:
    def __init__(self, folder):
        self.db = sqlite3.connect(folder / "books.db")
        self.db.row_factory = sqlite3.Row
        self.db.executescript(TABLES)

    def rows(self, question, *values):
        return self.db.execute(question, values).fetchall()

    def place(self, name):
        found = self.rows("SELECT value FROM place WHERE name = ?", name)
        return json.loads(found[0]["value"]) if found else None

    def keep(self, name, value):
        self.db.execute("INSERT OR REPLACE INTO place VALUES (?, ?)", (name, json.dumps(value)))

    def shown(self):
        deposits, withdrawals = {}, {}
        for row in self.rows("SELECT key, amount FROM deposits"):
            deposits[row["key"]] = str(int(deposits.get(row["key"], 0)) + int(row["amount"]))
        for order in self.rows("SELECT * FROM orders"):
            bids = self.rows("SELECT * FROM bids WHERE order_id = ?", order["id"])
            ends = {bid["end"]: bid for bid in bids}
            state = next((end for end in ("paid", "failed", None, "refused", "replaced") if end in ends), None)
            charged = ends.get("paid") or ends.get("failed")
            shown = {"state": state or "open", "amount": order["amount"], "fee": charged["fee"] if charged else "0"}
            withdrawals[order["id"]] = {**shown, "bids": len(bids)}
        cursor = self.place("cursor")
        return {"height": cursor and cursor["height"], "deposits": deposits, "withdrawals": withdrawals}


class Exchange:
    def __init__(self, options):
        self.options, self.folder = options, pathlib.Path(options.folder)
        self.service, self.books = Service(options.url, options.network, options.signature_kind), Books(self.folder)

    def round(self):
        self.service.check_network()
        self.credit()
        self.take_orders()
        account = self.service.get(f"/accounts/{self.options.sender}", "account")
        if account is None:
            raise Trouble("the wallet has no account: fund it")
        self.sign(account)
        self.settle(account)
        self.send(account)

    def credit(self):
        keys = set((self.folder / "keys.txt").read_text().split())
        while True:
            step = self.service.next_step(self.books.place("cursor"), self.options.confirmations)
            if step is None:
                return
            state, found, cursor = step
            with self.books.db:
                if state == "added":
                    rows = [(*deposit, found["stateHash"]) for deposit in deposits_in(found, keys)]
                    self.books.db.executemany(
                        "INSERT OR IGNORE INTO deposits VALUES (?, ?, ?, ?, ?)",
                        [(name, key, str(amount), command, block) for name, key, amount, command, block in rows],
                    )
                else:
                    self.books.db.execute("DELETE FROM deposits WHERE state_hash = ?", (found,))
                self.books.keep("cursor", cursor)

    def take_orders(self):
        taken = self.books.place("orders") or 0
        # A line without its end is still being written.
        lines = (self.folder / "orders.jsonl").read_text().split("\n")[:-1]
        with self.books.db:
            for order in map(json.loads, lines[taken:]):
                if "raise" in order:
                    self.books.db.execute("UPDATE orders SET bids = bids + 1 WHERE id = ?", (order["raise"],))
                else:
                    values = (order["id"], order["to"], order["amount"], order.get("memo", ""))
                    self.books.db.execute("INSERT OR IGNORE INTO orders VALUES (?, ?, ?, ?, 1)", values)
            self.books.keep("orders", len(lines))

    def sign(self, account):
        """Signs what was ordered, and keeps it before it is sent. A few in a round, since others wait."""
        wanted = self.books.rows(
            "SELECT orders.*, COUNT(hash) AS made, SUM(end IS NOT NULL) AS ended, MIN(nonce) AS nonce FROM orders"
            " LEFT JOIN bids ON order_id = id GROUP BY id HAVING made < orders.bids AND COALESCE(ended, 0) = 0"
            " ORDER BY orders.rowid LIMIT 10"
        )
        for order in wanted:
            suggested = {speed: int(fee) for speed, fee in self.service.get("/fees", "suggested").items()}
            nonce, fee = order["nonce"], suggested["normal"]
            if nonce is None:
                # A node that has just taken a command may not count it yet. A refused one leaves its nonce to the next.
                used = {bid["nonce"] for bid in self.books.rows("SELECT nonce FROM bids WHERE end IS NOT 'refused'")}
                nonce = account["nextNonce"]
                while nonce in used:
                    nonce += 1
            else:
                bids = self.books.rows("SELECT fee FROM bids WHERE order_id = ?", order["id"])
                highest = max(int(bid["fee"]) for bid in bids)
                fee = max(suggested["fast"], highest + highest // 10 + 1)
                if fee > self.options.max_fee:
                    continue
            terms = {"from": self.options.sender, "nonce": str(nonce), "to": order["receiver"], "amount": order["amount"]}
            terms["fee"] = str(min(fee, self.options.max_fee))
            asked = json.dumps({**terms, "memo": order["memo"], "validUntil": NEVER_EXPIRES})
            command = shlex.split(self.options.sign)
            signed = json.loads(subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout)
            terms = {**terms, "valid_until": NEVER_EXPIRES, "memo": memo_on_chain(order["memo"])}
            with self.books.db:
                self.books.db.execute(
                    "INSERT OR IGNORE INTO bids (hash, order_id, nonce, fee, body, terms) VALUES (?, ?, ?, ?, ?, ?)",
                    (signed["hash"], order["id"], nonce, terms["fee"], json.dumps(signed["signed"]), json.dumps(terms)),
                )

    # Settle

    def fate_of(self, bid):
        query = urllib.parse.urlencode(json.loads(bid["terms"]))
        return self.service.get(f"/transactions/{bid['hash']}?{query}", "transaction") or {"state": "unknown"}

    def settle(self, account):
        """Keeps the end of what no reorganisation can reach any more. Until then a bid is sent again where it is lost."""
        for bid in self.books.rows("SELECT * FROM bids WHERE end IS NULL AND nonce < ? ORDER BY nonce", account["nonce"]):
            fate = self.fate_of(bid)
            if not (fate.get("final") or fate.get("confirmations", 0) >= self.service.k):
                continue
            # Only a service that has compared all terms can tell a payment from another one with its nonce.
            is_proven = fate.get("terms", {}).get("memo") == json.loads(bid["terms"])["memo"]
            if fate["state"] == "included":
                self.end(bid, "failed" if fate.get("failureReason") else "paid")
            elif fate["state"] == "replaced" and is_proven:
                self.end(bid, "replaced")

    def end(self, bid, end):
        with self.books.db:
            self.books.db.execute("UPDATE bids SET end = ? WHERE hash = ?", (end, bid["hash"]))

    def send(self, account):
        """Sends what no node has, lowest nonce first, and of a nonce the highest bid. Stops at the first that is not taken."""
        highest = {}
        for bid in self.books.rows("SELECT * FROM bids WHERE end IS NULL AND nonce >= ? ORDER BY nonce", account["nonce"]):
            other = highest.get(bid["nonce"])
            if other is None or int(bid["fee"]) > int(other["fee"]):
                highest[bid["nonce"]] = bid
        stale = [bid for bid in highest.values() if bid["is_taken"] and time.time() - bid["sent_at"] > STALE_SECONDS][:1]
        for bid in highest.values():
            is_missing = bid["nonce"] >= account["nextNonce"] or not bid["is_taken"]
            if (is_missing or bid in stale) and not self.send_one(bid) and bid["nonce"] >= account["nextNonce"]:
                return

    def send_one(self, bid):
        """True where a node has it. An earlier sending may have arrived, so only the refusal of a first one is an end."""
        with self.books.db:
            self.books.db.execute(
                "UPDATE bids SET may_be_sent = 1, sent_at = ? WHERE hash = ?", (time.time(), bid["hash"])
            )
        _, headers, said = self.service.ask("/broadcast/transaction", bid["body"].encode())
        outcome, code = headers.get("x-broadcast-outcome"), headers.get("x-broadcast-code")
        if outcome in ("accepted", "already-known"):
            with self.books.db:
                self.books.db.execute("UPDATE bids SET is_taken = 1 WHERE hash = ?", (bid["hash"],))
            return True
        print(f"{bid['order_id']}, nonce {bid['nonce']}: {outcome} {code}", file=sys.stderr)
        if outcome == "refused" and not bid["may_be_sent"]:
            with self.books.db:
                self.books.db.execute("UPDATE bids SET may_be_sent = 0 WHERE hash = ?", (bid["hash"],))
        is_first = not bid["may_be_sent"] and headers.get("x-broadcast-retriable") == "false"
        if outcome == "refused" and (is_first or code in FOREVER) and self.fate_of(bid).get("sending") == "possible":
            self.end(bid, "refused")
        return False

    def run(self):
        while True:
            try:
                self.round()
            except Trouble as trouble:
                print(f"again later: {trouble}", file=sys.stderr)
            time.sleep(self.options.poll)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    for name in ("url", "network", "folder", "sign"):
        run.add_argument(f"--{name}", required=True)
    run.add_argument("--from", dest="sender", required=True)
    run.add_argument("--signature-kind", help="what COMMAND signs for, on a network that is none of Mina's own")
    run.add_argument("--confirmations", type=count, default=15, help="blocks on top of a deposit before it is credited")
    run.add_argument("--max-fee", type=int, default=100_000_000, help="nanomina: the most that you pay for a payment itself")
    run.add_argument("--poll", type=float, default=5, help="seconds between two rounds")
    commands.add_parser("books").add_argument("--folder", required=True)
    commands.add_parser("memo").add_argument("memo")
    options = parser.parse_args()
    if options.command == "memo":
        text = memo_text(options.memo)
        sys.exit("not a memo") if text is None else print(text)
    elif options.command == "books":
        print(json.dumps(Books(pathlib.Path(options.folder)).shown()))
    else:
        Exchange(options).run()


if __name__ == "__main__":
    main()
