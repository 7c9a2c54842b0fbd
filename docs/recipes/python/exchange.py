"""Follows the chain, credits deposits, pays withdrawals and settles them: an exchange's day, to copy and to change.

Python 3.9 or later, with nothing but its standard library. The folder holds keys.txt, your deposit addresses, one a line;
orders.jsonl, to which you append a line of JSON for each withdrawal: {"id", "to", "amount", "memo"}, all texts, the amount in
nanomina; {"raise": id} for a higher fee; {"cancel": id} for an order that is not signed yet; and books.db, the program's own.
Both files of yours are read in every round. The program may be killed at any time.

    python3 exchange.py run --url URL --network mainnet --folder FOLDER --from B62… --sign COMMAND
    python3 exchange.py books --folder FOLDER
    python3 exchange.py report --folder FOLDER --day 2026-01-31
    python3 exchange.py memo E4Y…

COMMAND gets the payment as JSON on its standard input, and prints {"hash", "signed"}: recipes/sign.ts is one. If it fails, the
order waits and the others go on. An order with a mistake is never signed: `books` and standard error have its line and the
reason. Append it again, corrected.
"""

import argparse
import csv
import datetime
import hashlib
import http.client
import json
import pathlib
import re
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

# The k of mainnet and devnet: no reorganisation there goes deeper.
MAX_BELOW = 290

# Refusals of the bytes themselves: no node can ever have taken them.
FOREVER = ("invalid-signature", "memo-too-long", "invalid-request")

MAX_AMOUNT = 2**64 - 1
MAX_LINE = 10_000
MAX_SIGNED_A_ROUND = 10

# How long an order waits after its signer failed; each time twice as long.
FIRST_PAUSE, LONGEST_PAUSE = 5, 600

# The order of the field in which a public key's coordinate lies.
FIELD = 28948022309329048855892746252171976963363056481941560715954676764349967630337


class Trouble(Exception):
    """Passes: ask again later."""


class NetworkMismatch(Exception):
    """Another chain knows nothing of your payments, and a deposit there is worth nothing."""


class Invalid(Exception):
    """A mistake in an order. Time does not mend it, so the order is never signed."""


class SignerFailure(Exception):
    """The signer gave no signed payment. The order waits, and is signed later."""


def say(text):
    print(text, file=sys.stderr, flush=True)


# Base58check: the form of keys, hashes and memos


def checksum(payload):
    return hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]


def payload_of(text, size):
    """The bytes that a text in base58check stands for; None unless they are so many, with the right checksum."""
    number = 0
    for letter in text:
        digit = ALPHABET.find(letter)
        if digit < 0:
            return None
        number = number * 58 + digit
    try:
        whole = number.to_bytes(size + 4, "big")
    except OverflowError:
        return None
    payload = whole[:size]
    return payload if checksum(payload) == whole[size:] else None


def is_public_key(text):
    payload = payload_of(text, 36) if len(text) == 55 else None
    if payload is None or payload[:3] != b"\xcb\x01\x01":
        return False
    return int.from_bytes(payload[3:35], "little") < FIELD and payload[35] <= 1


def is_transaction_hash(text):
    payload = payload_of(text, 34) if len(text) == 52 else None
    return payload is not None and payload[:2] == b"\x1d\x20"


# Memos


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
    payload = payload_of(memo, 35)
    try:
        text = payload[3 : 3 + payload[2]].decode() if payload else None
        return text if text is not None and memo_on_chain(text) == memo else None
    except ValueError:
        return None


# Orders


def is_text(value):
    """False for a text that has lost a character too: half of a surrogate pair, or U+FFFD, which stands for a lost one."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff\ufffd]", value)


MEMBERS = ("id", "to", "amount", "memo", "raise", "cancel")


def members(pairs):
    """The members of a JSON object. Of two with one name, nobody can say which is meant."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise Invalid("a member stands twice")
    return dict(pairs)


def parse_order(line):
    if len(line) > MAX_LINE:
        raise Invalid(f"the line is longer than {MAX_LINE} bytes")
    try:
        order = json.loads(line.decode(), object_pairs_hook=members)
    except UnicodeDecodeError as error:
        raise Invalid("not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise Invalid("not JSON") from error
    if not isinstance(order, dict):
        raise Invalid("not an object with id, to, amount and memo")
    return order


def check_members(order):
    """An order has id, to, amount and perhaps memo; raise and cancel stand alone. All are texts."""
    is_change = "raise" in order or "cancel" in order
    if is_change and len(order) > 1:
        raise Invalid("raise and cancel stand alone")
    for name in order:
        if name not in MEMBERS:
            raise Invalid(f"unknown member {json.dumps(name[:40])}")
    for name in () if is_change else ("id", "to", "amount"):
        if name not in order:
            raise Invalid(f"no {name}")
    for name in MEMBERS:
        if name in order and (not is_text(order[name]) or (order[name] == "" and name != "memo")):
            raise Invalid(f"{name} is not a text")


def check_terms(to, amount, memo):
    if not is_public_key(to):
        raise Invalid("to is not a public key: a letter is wrong, missing or too many")
    if not re.fullmatch("[1-9][0-9]{0,19}", amount) or int(amount) > MAX_AMOUNT:
        raise Invalid(f"amount is not a whole number of nanomina from 1 to {MAX_AMOUNT}")
    if len(memo.encode()) > 32:
        raise Invalid(f"memo has {len(memo.encode())} bytes, more than 32")


def nanomina(mina):
    """Nanomina of a balance, which has nine decimals."""
    whole, _, decimals = mina.partition(".")
    return int(whole + decimals.ljust(9, "0"))


def leaves(value):
    """All texts and numbers in a JSON value, as texts."""
    if isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from leaves(each)
    else:
        yield str(value)


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


def day(text):
    """A day, for argparse."""
    return datetime.datetime.strptime(text, "%Y-%m-%d").date().isoformat()


class Service:
    def __init__(self, url, network, kind=None):
        self.url, self.network, self.checked_at, self.k = url.rstrip("/"), network, None, None
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
            return "added", block, {"height": height, "stateHash": block["stateHash"], "below": known[:MAX_BELOW]}
        if not cursor:
            return None
        # Only another block in its place, under enough others, shows a loss; under a lower tip, which may be that of a node that
        # lags, only a hard fork does.
        if highest >= cursor["height"]:
            there = self.deep_at(cursor["height"], confirmations)
            is_lost = bool(there) and there["stateHash"] != cursor["stateHash"]
        else:
            is_lost = self.is_forked_away(cursor)
        if not is_lost:
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

TABLES = (
    "CREATE TABLE IF NOT EXISTS place (name TEXT PRIMARY KEY, value TEXT)",
    "CREATE TABLE IF NOT EXISTS deposits (id TEXT PRIMARY KEY, key TEXT, amount TEXT, hash TEXT, state_hash TEXT)",
    "CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, receiver TEXT, amount TEXT, memo TEXT, bids INTEGER DEFAULT 1)",
    # Lines of orders.jsonl; 0 for an order that an earlier version took without a check.
    "CREATE TABLE IF NOT EXISTS invalid (line INTEGER, id TEXT, reason TEXT)",
    "CREATE TABLE IF NOT EXISTS bids (hash TEXT PRIMARY KEY, order_id TEXT, nonce INTEGER, fee TEXT, body TEXT, terms TEXT,"
    " may_be_sent INTEGER DEFAULT 0, is_taken INTEGER DEFAULT 0, sent_at REAL DEFAULT 0, end TEXT)",
    "CREATE INDEX IF NOT EXISTS bids_of_order ON bids (order_id)",
    "CREATE INDEX IF NOT EXISTS deposits_of_block ON deposits (state_hash)",
)

# Columns that books of an earlier version lack. Height and time are those of the block that holds the payment.
ADDED = (("deposits", "height"), ("deposits", "time"), ("bids", "height"), ("bids", "time"), ("orders", "end"))


class Books:
    def __init__(self, folder):
        self.db = sqlite3.connect(folder / "books.db", timeout=30)
        self.db.row_factory = sqlite3.Row
        with self.db:
            self.db.execute("BEGIN IMMEDIATE")
            for table in TABLES:
                self.db.execute(table)
            for table, column in ADDED:
                if column not in {row["name"] for row in self.rows(f"PRAGMA table_info({table})")}:
                    self.db.execute(f"ALTER TABLE {table} ADD COLUMN {column} {'INTEGER' if column == 'height' else 'TEXT'}")

    def rows(self, question, *values):
        return self.db.execute(question, values).fetchall()

    def place(self, name):
        found = self.rows("SELECT value FROM place WHERE name = ?", name)
        return json.loads(found[0]["value"]) if found else None

    def keep(self, name, value):
        self.db.execute("INSERT OR REPLACE INTO place VALUES (?, ?)", (name, json.dumps(value)))

    def shown(self):
        deposits, withdrawals, bids_of = {}, {}, {}
        for row in self.rows("SELECT key, amount FROM deposits"):
            deposits[row["key"]] = str(int(deposits.get(row["key"], 0)) + int(row["amount"]))
        for bid in self.rows("SELECT order_id, fee, end FROM bids"):
            bids_of.setdefault(bid["order_id"], []).append(bid)
        for order in self.rows("SELECT * FROM orders"):
            bids = bids_of.get(order["id"], [])
            ends = {bid["end"]: bid for bid in bids}
            state = next((end for end in ("paid", "failed", None, "refused", "replaced") if end in ends), order["end"])
            charged = ends.get("paid") or ends.get("failed")
            shown = {"state": state or "open", "amount": order["amount"], "fee": charged["fee"] if charged else "0"}
            withdrawals[order["id"]] = {**shown, "bids": len(bids)}
        rows = self.rows("SELECT line, id, reason FROM invalid ORDER BY rowid")
        invalid = [{name: row[name] for name in row.keys() if row[name] is not None} for row in rows]
        cursor = self.place("cursor")
        return {"height": cursor and cursor["height"], "deposits": deposits, "withdrawals": withdrawals, "invalid": invalid}

    def report(self, day):
        """What came and went in the blocks of a day, UTC, in nanomina: (time, height, kind, id, key, amount, fee, hash)."""
        deposits = self.rows(
            "SELECT time, height, 'deposit', id, key, amount, '0', hash FROM deposits WHERE time LIKE ?", f"{day}T%"
        )
        # A payment that failed on the chain costs its fee alone.
        withdrawals = self.rows(
            "SELECT time, height, CASE bids.end WHEN 'paid' THEN 'withdrawal' ELSE 'failed' END, id, receiver,"
            " CASE bids.end WHEN 'paid' THEN amount ELSE '0' END, fee, hash FROM bids JOIN orders ON id = order_id"
            " WHERE time LIKE ? AND bids.end IN ('paid', 'failed')",
            f"{day}T%",
        )
        return sorted((tuple(row) for row in deposits + withdrawals), key=lambda row: row[1:4])

    def gaps(self, day):
        """Why a report of the day may not be whole yet."""
        followed = self.place("time") or ""
        if followed[:10] <= day:
            yield f"the day is not over: the books end at {json.dumps(followed)}"
        (row,) = self.rows("SELECT COUNT(*) AS open FROM bids WHERE end IS NULL AND sent_at > 0")
        if row["open"]:
            yield f"{row['open']} payments are not settled: their blocks may be of this day"
        (row,) = self.rows(
            "SELECT (SELECT COUNT(*) FROM deposits WHERE time IS NULL)"
            " + (SELECT COUNT(*) FROM bids WHERE time IS NULL AND end IN ('paid', 'failed')) AS undated"
        )
        if row["undated"]:
            yield f"{row['undated']} entries of an earlier version have no time: they are in no report"


class Exchange:
    def __init__(self, options):
        self.options, self.folder = options, pathlib.Path(options.folder)
        self.service, self.books = Service(options.url, options.network, options.signature_kind), Books(self.folder)
        # By order: when to ask the signer again, and the pause after the next failure.
        self.pauses = {}
        self.said = set()

    def say_once(self, subject, text):
        if subject not in self.said:
            self.said.add(subject)
            say(text)

    def round(self):
        self.service.check_network()
        # Trouble in one step leaves the others alone.
        self.attempt(self.credit)
        self.attempt(self.take_orders)
        account = self.service.get(f"/accounts/{self.options.sender}", "account")
        if account is None:
            raise Trouble("the wallet has no account: fund it")
        # What is signed already never waits for a signer.
        self.attempt(self.settle, account)
        self.attempt(self.send, account)
        self.attempt(self.sign, account)

    def attempt(self, step, *values):
        """Whatever happens, the program goes on. Only on another network it must not."""
        try:
            step(*values)
        except NetworkMismatch:
            raise
        except Exception as error:
            say(f"again later: {error if isinstance(error, Trouble) else repr(error)}")

    def credit(self):
        keys = set((self.folder / "keys.txt").read_text("utf-8", errors="replace").split())
        while True:
            step = self.service.next_step(self.books.place("cursor"), self.options.confirmations)
            if step is None:
                return
            state, found, cursor = step
            with self.books.db:
                if state == "added":
                    block = (found["stateHash"], found["blockHeight"], found["dateTime"])
                    self.books.db.executemany(
                        "INSERT OR IGNORE INTO deposits (id, key, amount, hash, state_hash, height, time)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?)",
                        [(name, key, str(amount), command, *block) for name, key, amount, command in deposits_in(found, keys)],
                    )
                    self.books.keep("time", found["dateTime"])
                else:
                    self.books.db.execute("DELETE FROM deposits WHERE state_hash = ?", (found,))
                self.books.keep("cursor", cursor)

    def take_orders(self):
        taken = self.books.place("orders") or 0
        # A line without its end is still being written.
        lines = (self.folder / "orders.jsonl").read_bytes().split(b"\n")[:-1]
        if len(lines) < taken:
            self.say_once("orders.jsonl", f"orders.jsonl has {len(lines)} lines, and {taken} were taken: only append to it")
        if len(lines) <= taken:
            return
        with self.books.db:
            for number, line in enumerate(lines[taken:], taken + 1):
                if line.strip(b" \t\r"):
                    self.take_line(number, line)
            self.books.keep("orders", len(lines))

    def take_line(self, number, line):
        order = {}
        try:
            order = parse_order(line)
            check_members(order)
            self.take(order)
        except Invalid as reason:
            # The id may be that of a good order, so the line number names it.
            name = (order.get("id") or None) if is_text(order.get("id")) else None
            self.books.db.execute("INSERT INTO invalid VALUES (?, ?, ?)", (number, name, str(reason)))
            say(f"orders.jsonl, line {number}{f', {name}' if name else ''}: invalid: {reason}")

    def take(self, order):
        name = order.get("id") or order.get("raise") or order["cancel"]
        known = next(iter(self.books.rows("SELECT * FROM orders WHERE id = ?", name)), None)
        if "id" in order:
            values = (order["to"], order["amount"], order.get("memo", ""))
            check_terms(*values)
            # The same line may come twice.
            if known and (known["receiver"], known["amount"], known["memo"]) != values:
                raise Invalid("another order has this id")
            self.books.db.execute(
                "INSERT OR IGNORE INTO orders (id, receiver, amount, memo) VALUES (?, ?, ?, ?)", (name, *values)
            )
        elif known is None:
            raise Invalid(f"there is no order {name}")
        elif "cancel" in order:
            if self.books.rows("SELECT 1 FROM bids WHERE order_id = ?", name):
                raise Invalid(f"{name} is signed and may be paid: it cannot be cancelled")
            self.books.db.execute("UPDATE orders SET end = 'cancelled' WHERE id = ?", (name,))
        elif known["end"]:
            raise Invalid(f"{name} is {known['end']}")
        else:
            self.books.db.execute("UPDATE orders SET bids = bids + 1 WHERE id = ?", (name,))

    # Sign

    def sign(self, account):
        """Signs what was ordered, and keeps it before it is sent. A round gives its signers some seconds, since others wait."""
        wanted = self.books.rows(
            "SELECT orders.*, COUNT(hash) AS made, SUM(bids.end IS NOT NULL) AS ended, MIN(nonce) AS nonce,"
            " MAX(CAST(fee AS INTEGER)) AS highest FROM orders LEFT JOIN bids ON order_id = id WHERE orders.end IS NULL"
            " GROUP BY id HAVING made < orders.bids AND COALESCE(ended, 0) = 0 ORDER BY orders.rowid"
        )
        due = [order for order in wanted if self.pauses.get(order["id"], (0, 0))[0] <= time.monotonic()]
        if not due:
            return
        suggested = {speed: int(fee) for speed, fee in self.service.get("/fees", "suggested").items()}
        # A node that has just taken a command may not count it yet. A refused one leaves its nonce to the next.
        used = {bid["nonce"] for bid in self.books.rows("SELECT nonce FROM bids WHERE end IS NOT 'refused'")}
        spendable = self.spendable(account)
        until, signed, is_first = time.monotonic() + self.options.sign_seconds, 0, True
        # Those whose signer has failed come last, so that they never hold up the others.
        for order in sorted(due, key=lambda each: each["id"] in self.pauses):
            if signed == MAX_SIGNED_A_ROUND or time.monotonic() >= until:
                return
            name, nonce, fee = order["id"], order["nonce"], suggested["normal"]
            if nonce is None:
                try:
                    # An earlier version took orders without a check.
                    terms = (order["receiver"], order["amount"], order["memo"])
                    check_members({"id": name, **dict(zip(("to", "amount", "memo"), terms))})
                    check_terms(*terms)
                except Invalid as reason:
                    self.end_as_invalid(name, reason)
                    continue
                nonce = account["nextNonce"]
                while nonce in used:
                    nonce += 1
            else:
                fee = max(suggested["fast"], order["highest"] + order["highest"] // 10 + 1)
                if fee > self.options.max_fee:
                    continue
            fee = min(fee, self.options.max_fee)
            needed = int(order["amount"]) + fee if order["nonce"] is None else fee - order["highest"]
            if needed > spendable:
                self.say_once(name, f"{name} waits: it takes {needed} nanomina, and the wallet can spend {spendable}")
                continue
            try:
                self.sign_one(order, nonce, fee, until - time.monotonic())
            except subprocess.TimeoutExpired:
                # One that was not given all the time has not failed: the next round goes on with it.
                if is_first:
                    self.pause(name, f"no answer in {self.options.sign_seconds:g} s")
                return
            except SignerFailure as failure:
                self.pause(name, failure)
            else:
                used.add(nonce)
                spendable -= needed
                signed += 1
            is_first = False

    def end_as_invalid(self, name, reason):
        say(f"{name}: invalid: {reason}")
        with self.books.db:
            self.books.db.execute("UPDATE orders SET end = 'invalid' WHERE id = ?", (name,))
            self.books.db.execute("INSERT INTO invalid VALUES (0, ?, ?)", (name, str(reason)))

    def spendable(self, account):
        """Nanomina: what is not locked, less what signed payments will take that the ledger does not count yet."""
        total, locked = account["balance"]["total"], account["balance"]["lockedBalance"] or "0"
        costs = {}
        question = "SELECT nonce, fee, terms FROM bids WHERE end IS NOT 'refused' AND nonce >= ?"
        for bid in self.books.rows(question, account["nonce"]):
            cost = int(bid["fee"]) + int(json.loads(bid["terms"])["amount"])
            # Of the bids of a nonce, one at most is charged.
            costs[bid["nonce"]] = max(cost, costs.get(bid["nonce"], 0))
        return nanomina(total) - nanomina(locked) - sum(costs.values())

    def pause(self, name, why):
        """Lets an order wait after its signer has failed."""
        seconds = self.pauses.get(name, (0, FIRST_PAUSE))[1]
        self.pauses[name] = (time.monotonic() + seconds, min(2 * seconds, LONGEST_PAUSE))
        say(f"{name}: not signed: {why}; again in {seconds} s")

    def sign_one(self, order, nonce, fee, seconds):
        terms = {"from": self.options.sender, "nonce": str(nonce), "to": order["receiver"], "amount": order["amount"]}
        terms["fee"] = str(fee)
        answer = self.ask_signer({**terms, "memo": order["memo"], "validUntil": NEVER_EXPIRES}, seconds)
        terms = {**terms, "valid_until": NEVER_EXPIRES, "memo": memo_on_chain(order["memo"])}
        # Two bids of one hash would be one in the books, and an order might be paid twice.
        if self.books.rows("SELECT 1 FROM bids WHERE hash = ?", answer["hash"]):
            raise SignerFailure("the signer gave the hash of another payment")
        with self.books.db:
            self.books.db.execute(
                "INSERT INTO bids (hash, order_id, nonce, fee, body, terms) VALUES (?, ?, ?, ?, ?, ?)",
                (answer["hash"], order["id"], nonce, terms["fee"], json.dumps(answer["signed"]), json.dumps(terms)),
            )

    def ask_signer(self, payment, seconds):
        """The signer's {"hash", "signed"} for a payment. Raises SignerFailure, or TimeoutExpired after so many seconds."""
        try:
            with subprocess.Popen(self.options.sign, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as signer:
                try:
                    said, _ = signer.communicate(json.dumps(payment).encode(), seconds)
                finally:
                    signer.kill()
        except OSError as error:
            raise SignerFailure(f"the signer does not start: {error}") from error
        if signer.returncode != 0:
            raise SignerFailure(f"the signer ended with {signer.returncode}")
        try:
            answer = json.loads(said)
        except (ValueError, RecursionError) as error:
            raise SignerFailure("the signer printed no JSON") from error
        has_form = isinstance(answer, dict) and isinstance(answer.get("signed"), dict) and isinstance(answer.get("hash"), str)
        if not has_form or not is_transaction_hash(answer["hash"]):
            raise SignerFailure('the signer printed something else than {"hash", "signed"}')
        # Wallets have several forms of a signed payment. Each shows what was signed.
        shown = set(leaves(answer["signed"]))
        memos = {payment["memo"], memo_on_chain(payment["memo"])}
        if not {payment[name] for name in ("from", "nonce", "to", "amount", "fee")} <= shown or not memos & {*shown, ""}:
            raise SignerFailure("the signer signed something else")
        return answer

    # Settle

    def fate_of(self, bid):
        query = urllib.parse.urlencode(json.loads(bid["terms"]))
        return self.service.get(f"/transactions/{bid['hash']}?{query}", "transaction") or {"state": "unknown"}

    def settle(self, account):
        """Keeps the end of what no reorganisation can reach any more. Until then a bid is sent again where it is lost."""
        for bid in self.books.rows("SELECT * FROM bids WHERE end IS NULL AND nonce < ? ORDER BY nonce", account["nonce"]):
            # One that the service cannot tell now leaves the others alone.
            self.attempt(self.settle_one, bid)

    def settle_one(self, bid):
        fate = self.fate_of(bid)
        if not (fate.get("final") or fate.get("confirmations", 0) >= self.service.k):
            return
        # Only a service that has compared all terms can tell a payment from another one with its nonce.
        is_proven = fate.get("terms", {}).get("memo") == json.loads(bid["terms"])["memo"]
        if fate["state"] == "included":
            self.end(bid, "failed" if fate.get("failureReason") else "paid", fate["block"])
        elif fate["state"] == "replaced" and is_proven:
            self.end(bid, "replaced", fate.get("block", {}))

    def end(self, bid, end, block):
        values = (end, block.get("blockHeight"), block.get("dateTime"), bid["hash"])
        with self.books.db:
            self.books.db.execute("UPDATE bids SET end = ?, height = ?, time = ? WHERE hash = ?", values)

    def refuse(self, bid, is_signers_fault):
        """Ends a bid that no node has. Bids above its nonce wait for that nonce, so those never sent are signed anew."""
        with self.books.db:
            if is_signers_fault:
                self.books.db.execute("DELETE FROM bids WHERE hash = ?", (bid["hash"],))
            else:
                self.books.db.execute("UPDATE bids SET end = 'refused' WHERE hash = ?", (bid["hash"],))
            self.books.db.execute("DELETE FROM bids WHERE nonce > ? AND sent_at = 0", (bid["nonce"],))

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
            self.pauses.pop(bid["order_id"], None)
            with self.books.db:
                self.books.db.execute("UPDATE bids SET is_taken = 1 WHERE hash = ?", (bid["hash"],))
            return True
        say(f"{bid['order_id']}, nonce {bid['nonce']}: {outcome} {code}")
        if outcome == "refused" and not bid["may_be_sent"]:
            with self.books.db:
                self.books.db.execute("UPDATE bids SET may_be_sent = 0 WHERE hash = ?", (bid["hash"],))
        is_first = not bid["may_be_sent"]
        is_end = code in FOREVER or (is_first and headers.get("x-broadcast-retriable") == "false")
        if outcome == "refused" and is_end and self.fate_of(bid).get("sending") == "possible":
            is_signers_fault = is_first and code in FOREVER
            self.refuse(bid, is_signers_fault)
            if is_signers_fault:
                self.pause(bid["order_id"], f"the service refuses what the signer made: {code}")
        return False

    def run(self):
        while True:
            self.attempt(self.round)
            time.sleep(self.options.poll)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    for name in ("url", "network", "folder"):
        run.add_argument(f"--{name}", required=True)
    run.add_argument("--from", dest="sender", required=True)
    run.add_argument("--sign", metavar="COMMAND", type=shlex.split, required=True, help="signs a payment")
    run.add_argument("--sign-seconds", type=float, default=30, help="the time that a round gives its signers")
    run.add_argument("--signature-kind", help="what COMMAND signs for, on a network that is none of Mina's own")
    run.add_argument("--confirmations", type=count, default=15, help="blocks on top of a deposit before it is credited")
    run.add_argument("--max-fee", type=int, default=100_000_000, help="nanomina: the most that you pay for a payment itself")
    run.add_argument("--poll", type=float, default=5, help="seconds between two rounds")
    commands.add_parser("books").add_argument("--folder", required=True)
    report = commands.add_parser("report")
    report.add_argument("--folder", required=True)
    report.add_argument("--day", type=day, required=True, help="YYYY-MM-DD, UTC")
    commands.add_parser("memo").add_argument("memo")
    options = parser.parse_args()
    if options.command == "memo":
        text = memo_text(options.memo)
        sys.exit("not a memo") if text is None else print(text)
    elif options.command == "books":
        print(json.dumps(Books(pathlib.Path(options.folder)).shown()))
    elif options.command == "report":
        books = Books(pathlib.Path(options.folder))
        sys.stdout.reconfigure(encoding="utf-8", newline="")
        table = csv.writer(sys.stdout, lineterminator="\n")
        table.writerow(("time", "height", "kind", "id", "key", "amount", "fee", "hash"))
        table.writerows(books.report(options.day))
        for gap in books.gaps(options.day):
            say(gap)
    else:
        Exchange(options).run()


if __name__ == "__main__":
    main()
