"""Follows the chain, credits deposits, pays withdrawals and settles them: an exchange's day, to copy and to change.

Python 3.9 or later, with nothing but its standard library. The folder holds keys.txt, your deposit addresses, one a line;
orders.jsonl, to which you append a line of JSON for each withdrawal: {"id", "to", "amount", "memo"}, all texts, the amount in
nanomina; {"raise": id} for a higher fee; {"cancel": id} for an order that no signed payment can pay; {"pay": id} for one that is
held; and books.db, the program's own. Both files of yours are read in every round. The program may be killed at any time. One at a
time runs on a folder.

    python3 exchange.py run --url URL --network mainnet --folder FOLDER --from B62… --sign COMMAND
    python3 exchange.py books --folder FOLDER [--order ID]
    python3 exchange.py report --folder FOLDER --day 2026-01-31
    python3 exchange.py report --folder FOLDER --from 2026-01-01 --to 2026-03-31 --key B62…
    python3 exchange.py adopt --folder FOLDER [--lines]
    python3 exchange.py memo E4Y…

COMMAND gets the payment as JSON on its standard input, and prints {"hash", "signed"}: recipes/sign.mjs is one. If it fails, the
order waits and the others go on. An order with a mistake is never signed: `books` and standard error have its line and the
reason. Append it again, corrected.

Exit codes: 2 for a mistake in the command, damaged books, or a folder that is not there or another wallet's; 3 where another
program runs on it; 4 where the service is on another network than yours. `adopt` and `report` end with 5 while something is
open, or else with 1: `adopt` until all was compared, `report` while its days may not be whole.

A payment of the wallet that the books do not know stops the signing: the books may be an older copy, or another program may pay
from this wallet. Standard error and `adopt` name each such payment with the line to append to orders.jsonl: {"adopt": hash,
"order": id} if it paid an order, {"adopt": hash, "foreign": true} if not. Of two lines about a payment the later one counts. An
order with the terms of a foreign payment is held. {"forget": key} ends the watch over a deposit address that is no longer in
keys.txt.
"""

import argparse
import codecs
import collections
import csv
import datetime
import hashlib
import http.client
import json
import os
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

# So deep that a payment counts as made, though only k blocks make it final; from there on every twentieth block is looked at.
SAFE, RARELY = 15, 20

# Refusals of the bytes themselves: no node can ever have taken them.
FOREVER = ("invalid-signature", "memo-too-long", "invalid-request")

MAX_AMOUNT = 2**64 - 1
# Above all nonces.
NOTHING = float("inf")
MAX_LINE = 10_000
MAX_SIGNED_A_ROUND = 10
# How long a walk over old blocks may hold up a round.
WALK_SECONDS = 10

# How long an order waits after its signer failed; each time twice as long.
FIRST_PAUSE, LONGEST_PAUSE = 5, 600

# The order of the field in which a public key's coordinate lies.
FIELD = 28948022309329048855892746252171976963363056481941560715954676764349967630337


class Trouble(Exception):
    """Passes: ask again later."""


class Gone(Trouble):
    """No upstream has a block any more."""


class Outage(Trouble):
    """The service gives no answer of its own."""


class Later(Trouble):
    """The service was asked often enough in this minute."""


class NetworkMismatch(Exception):
    """Another chain knows nothing of your payments, and a deposit there is worth nothing."""


class Invalid(Exception):
    """A mistake in an order. Time does not mend it, so the order is never signed."""


class SignerFailure(Exception):
    """The signer gave no signed payment. The order waits, and is signed later."""


def say(text):
    print(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), text, file=sys.stderr, flush=True)


def give_up(code, text):
    """Ends the program."""
    say(text)
    sys.exit(code)


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


# Files of yours


def as_utf8(data):
    """The bytes of a file in UTF-8, without a mark. Windows writes UTF-16 with one, and UTF-8 with or without."""
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data[2:].decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass")
    return data[3:] if data.startswith(codecs.BOM_UTF8) else data


def is_private(word):
    """True for what may be a private key, as Mina writes it or in hexadecimal: it is never printed."""
    return re.search(f"EK[{ALPHABET}]{{20,}}|[0-9A-Fa-f]{{64}}", word) is not None


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


def hash_of(lines):
    """Of lines of orders.jsonl, however they end."""
    return hashlib.sha256(b"\n".join(line.strip(b" \t\r") for line in lines)).hexdigest()


def is_text(value):
    """False for a text that has lost a character too: half of a surrogate pair, or U+FFFD, which stands for a lost one."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff\ufffd]", value)


MEMBERS = ("id", "to", "amount", "memo", "raise", "cancel", "pay")


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
        raise Invalid("several objects in one line" if re.search(rb"}\s*{", line) else "not JSON") from error
    if not isinstance(order, dict):
        raise Invalid("not an object with id, to, amount and memo")
    return order


def check_members(order):
    """An order has id, to, amount and perhaps memo, all texts. Other lines are about an order, the wallet's payments or a key."""
    is_change = not {"raise", "cancel", "pay"}.isdisjoint(order)
    for name in ("raise", "cancel", "pay", "forget"):
        if name in order and len(order) > 1:
            raise Invalid(f"{name} stands alone")
    if "start" in order and set(order) - {"start", "startHeight"}:
        raise Invalid("start stands alone, or beside startHeight")
    for name in ("adopt", "adoptNonce"):
        if name in order and set(order) - {name} not in ({"order"}, {"foreign"}):
            raise Invalid(f'{name} needs either "order" or "foreign": true')
    if not {"start", "forget", "adopt", "adoptNonce"}.isdisjoint(order):
        return check_decision(order)
    for name in order:
        if name not in MEMBERS:
            raise Invalid(f"unknown member {json.dumps(name[:40])}")
    for name in () if is_change else ("id", "to", "amount"):
        if name not in order:
            raise Invalid(f"no {name}")
    for name in MEMBERS:
        if name in order and (not is_text(order[name]) or (order[name] == "" and name != "memo")):
            raise Invalid(f"{name} is not a text")


def check_decision(line):
    if not is_transaction_hash(line["adopt"] if is_text(line.get("adopt")) else "") and "adopt" in line:
        raise Invalid("adopt is not a transaction hash: a letter is wrong, missing or too many")
    if "adoptNonce" in line:
        first, last = nonces_of(line["adoptNonce"])
        if first != last and "order" in line:
            raise Invalid("a range cannot pay one order")
    if "order" in line and (not is_text(line["order"]) or line["order"] == ""):
        raise Invalid("order is not a text")
    if "foreign" in line and line["foreign"] is not True:
        raise Invalid("foreign is not true")
    if "start" in line and nonce_of(line["start"]) is None:
        raise Invalid("start is not a nonce")
    if "startHeight" in line and not nonce_of(line["startHeight"]):
        raise Invalid("startHeight is not the height of a block")
    if "forget" in line and not (is_text(line["forget"]) and is_public_key(line["forget"])):
        raise Invalid("forget is not a public key: a letter is wrong, missing or too many")


def nonce_of(value):
    """A nonce, written as a number or as a text; None for anything else."""
    text = str(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else ""
    return int(text) if re.fullmatch("0|[1-9][0-9]{0,9}", text) else None


def nonces_of(value):
    """First and last of a nonce or a range of them."""
    ends = value.split("-") if isinstance(value, str) else [value]
    first, last = nonce_of(ends[0]), nonce_of(ends[-1])
    if len(ends) > 2 or first is None or last is None or first > last:
        raise Invalid('adoptNonce is not a nonce or a range such as "5-9"')
    return first, last


def check_terms(to, amount, memo, sender):
    if not is_public_key(to):
        raise Invalid("to is not a public key: a letter is wrong, missing or too many")
    if to == sender:
        raise Invalid("to is the wallet itself: nothing would be paid")
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


def public_key(text):
    """A public key, for argparse."""
    if not is_public_key(text):
        raise argparse.ArgumentTypeError(f"{text} is not a public key: a letter is wrong, missing or too many")
    return text


def day(text):
    """A day, for argparse."""
    try:
        if datetime.datetime.strptime(text, "%Y-%m-%d").date().isoformat() == text:
            return text
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text} is no day such as 2026-01-31")


class Service:
    def __init__(self, url, network, kind, costly_per_minute):
        self.url, self.network, self.checked_at, self.k = url.rstrip("/"), network, None, None
        self.kind = kind or KINDS.get(network)
        self.account_fee = None
        # When the costly questions of the last minute were asked.
        self.costly_per_minute, self.costly_at = costly_per_minute, collections.deque()
        self.opener = urllib.request.build_opener(NoRedirect)

    def ask(self, path, body=None):
        """Returns status, headers and body of the service's own answer. Python's integers keep every digit."""
        request = urllib.request.Request(self.url + path, body, {"content-type": "application/json"})
        name = f"{request.get_method()} {path.partition('?')[0]}"
        try:
            try:
                answer = self.opener.open(request, timeout=30)
            except urllib.error.HTTPError as error:
                answer = error
            with answer:
                status, headers, text = answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Outage(f"{name}: {error}") from error
        try:
            said = json.loads(text)
        except ValueError as error:
            raise Outage(f"{name}: {status}: something else answers") from error
        # The gateway's words for a path that it does not know.
        if status not in (200, 201, 400, 404) or said == {"message": "Not Found"}:
            raise Outage(f"{name}: {status}")
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

    def get_costly(self, path, key=None, share=1.0):
        """A fate, a history or a pool: services allow few of these in a minute. One with a share leaves the others some."""
        now = time.monotonic()
        while self.costly_at and now - self.costly_at[0] >= 60:
            self.costly_at.popleft()
        if len(self.costly_at) >= share * self.costly_per_minute:
            raise Later("enough was asked in this minute")
        self.costly_at.append(now)
        return self.get(path, key)

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
        self.account_fee = int(found.get("accountCreationFee") or 0)

    # Follow the chain

    def deep_at(self, height, confirmations, advice="connect an indexer"):
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
                raise Gone(f"no upstream has block {height} any more: {advice}")
            return None if status == 404 else body["block"]
        return False

    def is_forked_away(self, cursor):
        """After a hard fork, whose first block is final: a state hash names the same block in every answer."""
        first = self.get("/network", "genesisStateHash")
        block = self.get(f"/blocks/{first}", "block") if first else None
        place = cursor["height"] - block["blockHeight"] if block else -1
        known = [cursor["stateHash"], *cursor["below"]]
        return 0 <= place < len(known) and known[place] != first

    def next_step(self, cursor, confirmations, first=None):
        """The next step above a cursor: ("added", block, cursor), ("orphaned", state hash, cursor), or None for none yet. Without
        a cursor it begins at a first height, or at the highest that has its confirmations."""
        # Where to look. Nothing is counted from it.
        highest = self.get("/summary", "blockchainLength") - confirmations
        height = cursor["height"] + 1 if cursor else min(first or highest, highest)
        advice = "connect an indexer" + ("" if cursor else f", or begin later, by --from-height or {as_line({'start': 0, 'startHeight': 'N'})}")
        block = self.deep_at(height, confirmations, advice) if 0 < height <= highest else None
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
    # Addresses that are watched, and whether it was said that keys.txt lacks them.
    "CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, is_said INTEGER DEFAULT 0)",
    "CREATE TABLE IF NOT EXISTS taken_back (id TEXT, key TEXT, amount TEXT, hash TEXT, state_hash TEXT, height INTEGER, time TEXT)",
    # What a person said of payments that the books did not know; without an order they are foreign. Nonces are decided once the
    # wallet's payments were compared, and wait for that in `adopting`.
    "CREATE TABLE IF NOT EXISTS adopted (hash TEXT PRIMARY KEY, order_id TEXT, line INTEGER, nonce INTEGER,"
    " is_deep INTEGER DEFAULT 0, is_final INTEGER DEFAULT 0)",
    "CREATE TABLE IF NOT EXISTS adopted_nonces (nonce INTEGER PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS adopting (line INTEGER, first INTEGER, last INTEGER, order_id TEXT)",
    "CREATE INDEX IF NOT EXISTS bids_of_order ON bids (order_id)",
    "CREATE INDEX IF NOT EXISTS bids_of_nonce ON bids (nonce)",
    "CREATE INDEX IF NOT EXISTS deposits_of_block ON deposits (state_hash)",
)

# Columns that books of an earlier version lack. Height and time are those of the block that holds the payment; a deep bid was
# seen in a block with 15 on top; the failure is why it failed in its block.
ADDED = (
    *((table, column) for table in ("deposits", "bids") for column in ("height INTEGER", "time TEXT")),
    ("bids", "is_deep INTEGER DEFAULT 0"),
    ("bids", "failure TEXT"),
    ("orders", "end TEXT"),
    # The end before a payment was adopted; the lines that let it be paid, and that took its payment.
    *(("orders", column) for column in ("before TEXT", "pay_line INTEGER DEFAULT 0", "freed_line INTEGER DEFAULT 0")),
    # Of a key that came late: the block from which its deposits are in the books, the time up to which they are not, and whether
    # the walk that is under way covers it.
    ("keys", "since INTEGER"),
    ("keys", "since_time TEXT"),
    ("keys", "is_walked INTEGER DEFAULT 0"),
    *(("adopted", f"{name} TEXT") for name in ("receiver", "amount", "memo", "fee", "time")),
    ("adopted", "height INTEGER"),
)


# Nonces whose command no reorganisation can reach.
SETTLED = (
    "SELECT nonce FROM bids WHERE end IN ('paid', 'failed') UNION SELECT nonce FROM adopted_nonces"
    " UNION SELECT nonce FROM adopted WHERE is_final"
)


# Why a bid is in no block: another command with its nonce is in one.
RIVAL = "rival"

# Of bids: those that have an end, and those that may be, or are, in a block.
ENDED, ALIVE = "end IS NOT NULL", "(end IS NULL OR end IN ('paid', 'failed'))"

# Of orders: those without a bid that was sent.
UNPAID = f"id NOT IN (SELECT order_id FROM bids WHERE may_be_sent OR {ENDED})"



def lock(folder):
    """Keeps other programs off a folder until this one ends, however it ends. The books have a file of their own, since a lock on
    them would end with each transaction.

    :returns: what to keep; exits with 3 where another program has it
    """
    if not folder.is_dir():
        give_up(2, f"{folder}: no such folder")
    try:
        held = sqlite3.connect(folder / "lock.db", timeout=0, isolation_level=None)
        held.execute("BEGIN EXCLUSIVE")
        return held
    except sqlite3.OperationalError as error:
        if "database is locked" in str(error):
            give_up(3, f"another program runs on {folder}: end that one first, or give this one a wallet and a folder of its own")
        give_up(2, f"{folder} cannot be locked ({error}): put it on a disk of this machine")


class Books:
    """Written by the program that holds the lock alone; `to_read` is a copy in memory, for all others."""

    def __init__(self, file):
        self.db = sqlite3.connect(file, timeout=30)
        self.db.row_factory = sqlite3.Row

    @classmethod
    def to_write(cls, folder):
        # Nobody else may read it.
        os.close(os.open(folder / "books.db", os.O_RDWR | os.O_CREAT, 0o600))
        books = cls(folder / "books.db")
        books.complete(folder)
        return books

    @classmethod
    def to_read(cls, folder):
        books, file = cls(":memory:"), folder / "books.db"
        if file.exists():
            source = sqlite3.connect(f"{file.resolve().as_uri()}?mode=rw", uri=True, timeout=30)
            source.backup(books.db)
            source.close()
        elif not folder.is_dir():
            give_up(2, f"{folder}: no such folder")
        books.complete(folder)
        return books

    def complete(self, folder):
        """Makes what new books, and those of an earlier version, lack. Ends the program where a copy was cut off."""
        try:
            (found,) = self.rows("PRAGMA quick_check(1)")
            damage = None if found[0] == "ok" else found[0].splitlines()[-1]
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            damage = error
        if damage is not None:
            give_up(2, f"{folder / 'books.db'} is damaged ({damage}): put back a copy, or move it away and start without books")
        with self.db:
            self.db.execute("BEGIN IMMEDIATE")
            for table in TABLES:
                self.db.execute(table)
            for table, column in ADDED:
                if column.split()[0] not in {row["name"] for row in self.rows(f"PRAGMA table_info({table})")}:
                    self.db.execute(f"ALTER TABLE {table} ADD COLUMN {column}")

    def rows(self, question, *values):
        return self.db.execute(question, values).fetchall()

    def change(self, bid, **columns):
        names = ", ".join(f"{name} = ?" for name in columns)
        with self.db:
            self.db.execute(f"UPDATE bids SET {names} WHERE hash = ?", (*columns.values(), bid["hash"]))

    def place(self, name):
        found = self.rows("SELECT value FROM place WHERE name = ?", name)
        return json.loads(found[0]["value"]) if found else None

    def keep(self, name, value):
        self.db.execute("INSERT OR REPLACE INTO place VALUES (?, ?)", (name, json.dumps(value)))

    def wallet(self):
        """Whose nonces these books have; None where they have none. Those of an earlier version name it in their bids."""
        names = [json.loads(row["terms"]).get("from") for row in self.rows("SELECT terms FROM bids LIMIT 100")]
        return self.place("wallet") or next(filter(None, names), None)

    def shown(self):
        deposits, withdrawals, bids_of = {}, {}, {}
        for row in self.rows("SELECT key, amount FROM deposits"):
            deposits[row["key"]] = str(int(deposits.get(row["key"], 0)) + int(row["amount"]))
        for bid in self.rows("SELECT * FROM bids ORDER BY rowid"):
            bids_of.setdefault(bid["order_id"], []).append(bid)
        foreign = self.foreign()
        payments = foreign["payments"]
        # Where nobody shows what the wallet has paid, it may be any order.
        is_hidden = bool(foreign["nonce"] is not None or self.place("newStart") or any("hash" not in each for each in payments))
        is_held = is_hidden or bool(payments)
        paid = {(each["receiver"], each["amount"]) for each in payments if "hash" in each}
        held, twice = self.held(), self.paid_twice()
        for order in self.rows("SELECT * FROM orders"):
            bids = bids_of.get(order["id"], [])
            ends = {bid["end"]: bid for bid in bids}
            state = next((end for end in ("paid", "failed", None) if end in ends), order["end"])
            state = next((end for end in ("refused", "replaced") if end in ends and not (state or None in ends)), state)
            charged = ends.get("paid") or ends.get("failed")
            shown = {"state": state or "waiting", "amount": order["amount"]}
            waiting = [bid for bid in bids if bid["end"] is None]
            if waiting and state is None:
                shown["state"] = "sent" if any(bid["may_be_sent"] for bid in waiting) else "signed"
                if waiting[-1]["failure"] == RIVAL:
                    shown["state"] = "being replaced"
                for bid in (bid for bid in waiting if bid["height"] is not None):
                    ends[None], state = bid, "failing" if bid["failure"] else "included"
                    shown.update(state=state, block=bid["height"], confirmations=max(0, (self.place("tip") or 0) - bid["height"]))
            if charged and charged["height"] is not None:
                shown["block"] = charged["height"]
            may_be_paid = is_hidden or (order["receiver"], order["amount"]) in paid or order["id"] in held
            if may_be_paid and shown["state"] not in ("paid", "failed", "included", "failing"):
                shown["state"] = "perhaps paid"
            if (is_held or order["id"] in held) and order["end"] is None and shown["state"] in ("waiting", "signed", "perhaps paid"):
                shown["isHeld"] = True
            lists = {"heldBy": held.get(order["id"]), "paidTwice": twice.get(order["id"])}
            shown.update({member: hashes for member, hashes in lists.items() if hashes})
            withdrawals[order["id"]] = {**shown, "bids": len(bids)}
            best = charged or ends.get(None) or (bids or [None])[-1]
            if best:
                # Of a nonce that a person has told of nobody knows more.
                is_told = best["hash"].startswith("nonce ")
                names = ("nonce",) if is_told else ("hash", "nonce", "fee") if charged else ("hash", "nonce")
                withdrawals[order["id"]].update({name: best[name] for name in names})
        rows = self.rows("SELECT line, id, reason FROM invalid ORDER BY rowid")
        invalid = [{name: row[name] for name in row.keys() if row[name] is not None} for row in rows]
        cursor = self.place("cursor")
        shown = {"height": cursor and cursor["height"], "deposits": deposits, "withdrawals": withdrawals, "invalid": invalid}
        shown.update(time=self.place("time"), tip=self.place("tip"), isCompared=bool(self.place("compared")))
        began = {"height": self.place("first"), "time": self.place("firstTime")} if self.place("first") else {}
        late, walk = dict(self.late_keys()), self.place("walk")
        if began or late:
            shown["depositsFrom"] = {**began, **({"keys": late} if late else {})}
        if walk:
            shown["walk"] = {"from": walk["from"], "height": walk["cursor"] and walk["cursor"]["height"]}
        taken_back = self.rows(
            "SELECT key, amount, hash, MAX(height) AS height FROM taken_back WHERE id NOT IN (SELECT id FROM deposits) GROUP BY id"
        )
        lists = {"foreign": payments, "takenBack": [dict(row) for row in taken_back]}
        return {**shown, **{name: each for name, each in lists.items() if each}}

    def doubted(self):
        """Orders that are signed or sent once it is clear that no other payment of the wallet has paid them."""
        orders = self.rows(f"SELECT id FROM orders WHERE end IS NULL AND {UNPAID}")
        shown = self.shown()["withdrawals"] if orders else {}
        return [row["id"] for row in orders if shown[row["id"]]["state"] == "perhaps paid"]

    def expected(self):
        """Orders without a payment of which a line says what paid them, with those payments, which no comparison has found yet."""
        rows = self.rows(
            "SELECT id, GROUP_CONCAT(hash) AS hashes FROM (SELECT id, hash FROM adopted JOIN orders ON id = order_id"
            f" WHERE {UNPAID} AND hash NOT IN (SELECT hash FROM bids) ORDER BY hash) GROUP BY id"
        )
        return {row["id"]: row["hashes"].split(",") for row in rows}

    def held(self):
        """Orders without a payment that a person must let be paid, each with the payments that may have paid it: foreign ones with
        its terms, or those that a line names.
        """
        rows = self.rows(
            "SELECT id, orders.memo AS text, hash, adopted.memo, freed_line > pay_line AS is_freed FROM orders"
            " LEFT JOIN adopted ON order_id IS NULL AND line > pay_line"
            " AND (adopted.receiver, adopted.amount) = (orders.receiver, orders.amount)"
            f" WHERE orders.end IS NULL AND {UNPAID} AND (hash IS NOT NULL OR is_freed) ORDER BY orders.rowid, hash"
        )
        held = {row["id"]: [] for row in rows if row["is_freed"]}
        for row in rows:
            if row["hash"] and row["text"] == readable(row["memo"]):
                held.setdefault(row["id"], []).append(row["hash"])
        return {**held, **self.expected()}

    def lines_of_held(self):
        expected = self.expected()
        for name, hashes in self.held().items():
            if name in expected:
                # Until then it may be found.
                if self.place("compared"):
                    foreign = as_line({"adopt": hashes[0], "foreign": True})
                    why = f"no block and no pool shows {' and '.join(hashes)}, by your line its payment"
                    yield f"order {name} is held, since {why}: append {foreign} if that did not pay it"
                continue
            why = f"foreign {' and '.join(hashes)} has its terms" if hashes else "by your lines it may be paid"
            adopt = f"{as_line({'adopt': hashes[0], 'order': name})} if that paid it, " if hashes else ""
            pay, cancel = as_line({"pay": name}), as_line({"cancel": name})
            yield f"order {name} is held, since {why}: append {adopt}{pay} if it is still to be paid, or {cancel}"

    def paid_twice(self):
        """Orders with several payments in blocks, and their hashes."""
        rows = self.rows(
            "SELECT order_id, GROUP_CONCAT(hash) AS hashes FROM (SELECT * FROM bids WHERE end = 'paid'"
            " OR (end IS NULL AND height IS NOT NULL AND failure IS NULL) ORDER BY nonce) GROUP BY order_id HAVING COUNT(DISTINCT nonce) > 1"
        )
        return {row["order_id"]: row["hashes"].split(",") for row in rows}

    def to_decide(self):
        """What a person must look at, whatever the day."""
        foreign = self.foreign()
        if foreign["nonce"] is not None or foreign["payments"]:
            yield "payments of the wallet are not in these books: `adopt` names them"
        yield from self.lines_of_held()

    def lines_of_twice(self):
        return [f"order {name} is paid twice, by {' and '.join(hashes)}" for name, hashes in self.paid_twice().items()]

    def foreign(self):
        """What a person has to decide: payments that are not in the books, and the wallet's nonce where a start is missing."""
        return self.place("foreign") or {"nonce": None, "payments": []}

    def report(self, first, last, key=None):
        """What came and went in the blocks of some days, UTC, in nanomina: (time, height, kind, id, key, amount, fee, hash)."""
        deposits = self.rows("SELECT time, height, 'deposit', id, key, amount, '0', hash FROM deposits WHERE time IS NOT NULL")
        # A payment that failed on the chain costs its fee alone, and so does one to the wallet itself, which an earlier version took.
        withdrawals = self.rows(
            "SELECT time, height, CASE bids.end WHEN 'paid' THEN 'withdrawal' ELSE 'failed' END, id, receiver,"
            " CASE WHEN bids.end = 'failed' OR terms LIKE '%\"from\": \"' || receiver || '\"%' THEN '0' ELSE amount END, fee, hash"
            " FROM bids JOIN orders ON id = order_id WHERE time IS NOT NULL AND bids.end IN ('paid', 'failed')",
        )
        foreign = self.rows(
            "SELECT time, height, 'foreign', '', receiver, amount, fee, hash FROM adopted"
            " WHERE order_id IS NULL AND is_final AND time IS NOT NULL ORDER BY nonce"
        )
        rows = [tuple(row) for row in deposits + withdrawals + foreign if first <= row["time"][:10] <= last]
        return sorted((row for row in rows if key in (None, row[4])), key=lambda row: (row[1], [each or "" for each in row[2:]]))

    def left_out(self, day=""):
        """Which deposits, on this day or later, are not in these books; books of an earlier version do not know."""
        height, began = self.place("first") or 0, self.place("firstTime") or "9999"
        if height > 1 and day <= began[:10]:
            yield f"deposits before block {height} of {began} are not in these books: --from-height 1, or the first block of lost books, credits them"

    def keys(self):
        return {row["key"] for row in self.rows("SELECT key FROM keys")}

    def late_keys(self, day="", key=None):
        """Keys, or this one, whose deposits on this day or later are in these books only from a block on: (key, its height)."""
        rows = self.rows(
            "SELECT key, since FROM keys WHERE since > ? AND ? <= SUBSTR(COALESCE(since_time, '9999'), 1, 10) ORDER BY since DESC, key",
            *(self.place("first") or 0, day),
        )
        return [tuple(row) for row in rows if key in (None, row["key"])]

    def lines_of_late(self, late):
        option = f"--from-height {self.place('first') or 1}"
        for key, height in late[:5]:
            yield f"deposits to {key} before block {height} are not in these books: {option} credits them"
        if len(late) > 5:
            yield f"the same holds for others, which `books` has in depositsFrom: {len(late) - 5}"

    def gaps(self, first, last, key=None):
        """Why a report of these days may not be whole."""
        yield from self.left_out(first)
        yield from self.lines_of_late(self.late_keys(first, key))
        if key is not None and not self.rows("SELECT 1 FROM keys WHERE key = ?", key):
            yield f"{key} is not watched: these books lack its deposits, or some of them"
        cursor, followed = self.place("cursor"), self.place("time") or ""
        if cursor is None:
            yield "the books are empty: they have no block"
        elif followed[:10] <= last:
            yield f"the day is not over: the books end at {followed or cursor['height']}"
        # A raised payment has several bids, with one nonce.
        (row,) = self.rows(
            f"SELECT (SELECT COUNT(DISTINCT nonce) FROM bids WHERE end IS NULL AND sent_at > 0 AND nonce NOT IN ({SETTLED}))"
            f" + (SELECT COUNT(*) FROM adopted WHERE order_id IS NULL AND nonce NOT IN ({SETTLED})) AS open"
        )
        if row["open"]:
            yield f"not settled, and perhaps of this day: {row['open']} of the wallet's payments"

    def remarks(self):
        """What a reader of any report must know."""
        yield from self.to_decide()
        yield from self.lines_of_twice()
        (row,) = self.rows(
            "SELECT (SELECT COUNT(*) FROM deposits WHERE time IS NULL)"
            " + (SELECT COUNT(*) FROM bids WHERE time IS NULL AND end IN ('paid', 'failed'))"
            " + (SELECT COUNT(*) FROM adopted WHERE time IS NULL AND order_id IS NULL AND is_final)"
            " + (SELECT COUNT(*) FROM adopted_nonces WHERE 'nonce ' || nonce NOT IN (SELECT hash FROM bids)) AS undated"
        )
        if row["undated"]:
            yield f"without a time, of an earlier version or of {{\"adoptNonce\"}}, and in no report: {row['undated']} of the entries"


def kind_of(command):
    if "balanceChanges" in command:
        return "a zkApp command"
    return "a delegation" if command["isDelegation"] else "payment"


def amount_of(found, is_final):
    """Nanomina that a command took from the wallet beside its fee, None where nobody knows. A failed one may yet succeed."""
    command = found["command"]
    if kind_of(command) == "payment" and not is_final:
        return str(command["amount"])
    if "change" in found:
        return str(-found["change"] - command["fee"])
    is_paid = kind_of(command) == "payment" and not command.get("failureReason")
    return str(command["amount"]) if is_paid else None


def is_same(bid, command):
    """True where a command of the bid's nonce is that bid. Wallets make several hashes of one payment, so the memo will do."""
    terms = json.loads(bid["terms"])
    if kind_of(command) != "payment" or bid["fee"] != str(command["fee"]):
        return False
    if (terms.get("to"), terms.get("amount")) != (command["to"], str(command["amount"])):
        return False
    return bid["hash"] == command["hash"] or terms.get("memo") == command["memo"]


def readable(memo):
    text = memo_text(memo)
    return memo if text is None else text


# What a person reads of payments that are not in the books, and what to append to orders.jsonl


def as_line(members):
    return json.dumps(members, ensure_ascii=False)


def listed(names):
    return ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")


def lines_of(payment):
    """What is known of one, or of a range of nonces whose payments nobody shows."""
    first, last = payment["nonce"], payment.get("last", payment["nonce"])
    if "hash" in payment:
        name, value = "adopt", payment["hash"]
        what = f"{payment['kind']} to {payment['receiver']}" if payment["receiver"] else payment["kind"]
        if payment["kind"] == "payment":
            what = f"{payment['amount']} nanomina to {payment['receiver']}"
        memo = json.dumps(payment["memo"], ensure_ascii=False)
        yield f"nonce {first}: {value} is not in these books: {what}, memo {memo}, {payment['state']}"
    elif first == last:
        name, value = "adoptNonce", first
        yield f"nonce {first}: a command used it that nobody shows: {payment['state']}"
    else:
        name, value = "adoptNonce", f"{first}-{last}"
        yield f"nonces {first}-{last}: commands used them that nobody shows: {payment['state']}"
    if payment["state"].endswith("no indexer"):
        yield f"  connect an indexer to the service, which shows what used {'it' if first == last else 'them'}; only if you cannot:"
    alike = [payment["order"]] if "order" in payment else payment.get("orders", [])
    others, ended = payment.get("otherMemo", []), payment.get("ended", {})
    for orders, what in ((alike, "this"), (others, "this with another memo")):
        names = listed([f"{each} ({ended[each]})" if each in ended else each for each in orders])
        order = "ID"
        if len(orders) > 1:
            asking = f"orders {names} ask for {what}. If it was paid by one"
        elif payment.get("hasTwin"):
            asking = f"order {names} asks for {what}, and another payment here is the same. If it was paid by this one"
        else:
            asking, order = f"order {names} asks for {what}. If it was paid by it", orders[0] if orders else None
        if orders:
            yield f"  {asking}, append to orders.jsonl: {as_line({name: value, 'order': order})}"
    if not alike + others:
        line = as_line({name: value if first == last else "N", "order": "ID"})
        yield f"  if it paid an order, append to orders.jsonl: {line}"
    # What is cancelled is not paid.
    held, paid = ([each for each in orders if each not in ended] for orders in (alike, others))
    if len(held + paid) > 1:
        yield f"  the others of these are paid then: append {as_line({'cancel': 'ID'})} first for one that must not be"
    then = [f"held then until {as_line({'pay': 'ID'})}: {listed(held)}"] if held else []
    then += [f"paid then: {listed(paid)}"] if paid else []
    # There are no terms to compare with an order's.
    then += [] if "hash" in payment else ["each order without a payment is held then, until {\"pay\": \"ID\"}"]
    then = f" ({'; '.join(then)})" if then else ""
    yield f"  if its order is lost, append that order instead; only if it was for no order at all{then}: {as_line({name: value, 'foreign': True})}"


def lines_of_foreign(foreign, told=()):
    """All that a person has to know and to type, but for the payments that were told already."""
    if foreign["nonce"] is not None:
        yield f"orders.jsonl has lines, these books have no signed payment, and the wallet's nonce is {foreign['nonce']}: nothing is signed"
        yield (
            '  if books were lost, restore them; else append {"start": 0}, or the nonce of the first payment that these orders may'
            " have made, to orders.jsonl: from there on each payment of the wallet is compared with these books;"
            ' "startHeight" beside it is the block from which deposits are credited again'
        )
        yield "  only if none of these orders was ever signed, by these books or others, run once with --fresh: it compares their terms alone"
    for payment in foreign["payments"]:
        if payment not in told:
            yield from lines_of(payment)
    if foreign["payments"]:
        lowest = min(payment["nonce"] for payment in foreign["payments"])
        yield f"nothing is signed, and nothing from nonce {lowest} on is sent, until each of these has its line"


class Exchange:
    def __init__(self, options):
        self.options, self.folder = options, pathlib.Path(options.folder)
        self.lock = lock(self.folder)
        self.service = Service(options.url, options.network, options.signature_kind, options.costly_per_minute)
        self.books = Books.to_write(self.folder)
        known = self.books.wallet()
        if known not in (None, options.sender):
            give_up(2, f"the books of {self.folder} are those of {known}, not of {options.sender}: give each wallet a folder of its own")
        # By order: when to ask the signer again, and the pause after the next failure.
        self.pauses = {}
        self.said = set()
        # From where keys that came late are credited, until a walk does that: it holds for those that this start finds.
        self.late_height = None if options.from_height is None else max(1, options.from_height)
        # The keys that keys.txt had when it was read last, None where it cannot be read; and those that it lacked.
        self.listed, self.lacked = None, set()
        # What orders.jsonl lacked in the last round, None for nothing; and what stood behind its last line end.
        self.lack, self.unended = None, b""
        # By hash of a bid: the height of the tip when its fate was asked for, and the fate.
        self.fates = {}
        # The wallet's commands in blocks, by nonce, as the last whole comparison found them, with the blocks that it has seen.
        self.in_blocks, self.seen_blocks, self.saw_indexer, self.walk = {}, {}, False, None
        self.compared_at, self.compared_tip, self.compared_height, self.suspects = -NOTHING, None, 0, set()
        # Hashes of bids that the last comparison found in a block or a pool, and nonces that foreign commands use.
        self.seen, self.used = set(), set()
        # Hashes of bids that were sent, and no answer told what became of them.
        self.unclear = set()
        self.told = {"nonce": None, "payments": []}
        # The least nonce of the payments before these books that was read, and where the next page of them begins.
        self.earlier = None
        # The wallet's account and the tip of that answer, None where it cannot be read in this round; and its nonce, as read last.
        self.account, self.used_nonce = None, 0
        # In this round, and what was said since the last round without trouble.
        self.is_troubled, self.troubles = False, set()
        if self.books.place("compared"):
            with self.books.db:
                self.books.keep("compared", False)

    def say_once(self, subject, text):
        if subject not in self.said:
            self.said.add(subject)
            say(text)

    def round(self):
        self.service.check_network()
        # Trouble in one step leaves the others alone.
        self.attempt(self.watch_keys)
        self.account = None
        self.attempt(self.read_account)
        self.attempt(self.take_orders)
        if self.account is not None:
            self.attempt(self.withdraw, *self.account)
        # Last, since books that lie far behind take long.
        if self.listed is not None:
            self.attempt(self.credit)
            self.attempt(self.walk_again)

    def read_account(self):
        status, headers, body = self.service.ask(f"/accounts/{self.options.sender}")
        if status != 200:
            raise Trouble("the wallet has no account: fund it")
        self.account = body["account"], tip_of(headers)
        self.used_nonce = body["account"]["nonce"]

    def withdraw(self, account, tip):
        with self.books.db:
            if tip != self.books.place("tip"):
                self.books.keep("tip", tip)
            # What a reorganisation took out of its block.
            lost = "COALESCE(height, failure) IS NOT NULL AND end IS NULL AND nonce >= ?"
            self.books.db.execute(f"UPDATE bids SET height = NULL, failure = NULL WHERE {lost}", (account["nonce"],))
        self.attempt(self.settle, account, tip)
        self.attempt(self.pay, account, tip)

    def pay(self, account, tip):
        """Sends and signs only after a look at what else the wallet has paid."""
        for line in [*self.books.lines_of_held(), *self.books.lines_of_twice()]:
            self.say_once(line, line)
        bids, orders = self.bids_to_send(account), self.orders_to_sign()
        if not bids and not orders and tip == self.compared_tip:
            return
        lowest = self.compare(account, tip)
        self.drop_held()
        # What is signed already never waits for a signer.
        self.attempt(self.send, account, lowest)
        if lowest == NOTHING:
            self.attempt(self.sign, account)
        for name in [order["id"] for order in orders if order["nonce"] is not None and self.books.foreign()["payments"]]:
            self.say_once((name, "raise"), f"{name} is not raised while `adopt` names a payment")

    def attempt(self, step, *values):
        """Whatever happens, the program goes on. Only on another network it must not."""
        try:
            step(*values)
        except NetworkMismatch:
            raise
        except Later:
            pass
        except Exception as error:
            self.is_troubled = True
            text = f"again later: {error if isinstance(error, Trouble) else repr(error)}"
            subject = Outage if isinstance(error, Outage) else text
            if subject not in self.troubles:
                self.troubles.add(subject)
                say(text)

    def first_height(self):
        """The block from which a person wants deposits; None where nobody has said so."""
        wanted = [height for height in (self.options.from_height, self.books.place("startHeight")) if height is not None]
        return max(1, min(wanted)) if wanted else None

    def credit(self):
        keys, over = self.books.keys(), time.monotonic() + WALK_SECONDS
        while time.monotonic() < over:
            cursor, wanted = self.books.place("cursor"), self.first_height()
            step = self.service.next_step(cursor, self.options.confirmations, wanted)
            if step is None:
                return
            state, found, above = step
            with self.books.db:
                lines = self.take_step(state, found, keys)
                if state == "added":
                    self.books.keep("time", found["dateTime"])
                    if cursor is None:
                        self.books.keep("first", found["blockHeight"])
                        self.books.keep("firstTime", found["dateTime"])
                self.books.keep("cursor", above)
            for line in [*lines, *(self.books.left_out() if cursor is None and wanted is None else ())]:
                say(line)

    def take_step(self, state, found, keys):
        """Credits the deposits of a block, or takes back those of a lost one. Returns what to say of it."""
        if state == "added":
            self.note_own(found)
            block = (found["stateHash"], found["blockHeight"], found["dateTime"])
            deposits = list(deposits_in(found, keys))
            is_back = "SELECT 1 FROM taken_back WHERE id = ? AND id NOT IN (SELECT id FROM deposits)"
            lines = [
                f"credited again: {amount} nanomina of {key}, {command} in block {found['blockHeight']}"
                for name, key, amount, command in deposits
                if self.books.rows(is_back, name)
            ]
            self.books.db.executemany(
                "INSERT OR IGNORE INTO deposits (id, key, amount, hash, state_hash, height, time) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(name, key, str(amount), command, *block) for name, key, amount, command in deposits],
            )
            return lines
        taken_back = self.books.rows("SELECT * FROM deposits WHERE state_hash = ?", found)
        columns = "id, key, amount, hash, state_hash, height, time"
        self.books.db.execute(f"INSERT INTO taken_back ({columns}) SELECT {columns} FROM deposits WHERE state_hash = ?", (found,))
        self.books.db.execute("DELETE FROM deposits WHERE state_hash = ?", (found,))
        return [
            f"taken back: {row['amount']} nanomina of {row['key']}, {row['hash']} in block {row['height']}, which the chain lost"
            for row in taken_back
        ]

    def note_own(self, block):
        """Notes the bids in a block: without an indexer the history may end before their fate is asked for."""
        for command in block["transactions"]["userCommands"]:
            is_mine = command["from"] == self.options.sender
            for bid in self.books.rows("SELECT * FROM bids WHERE nonce = ? AND end IS NULL", command["nonce"]) if is_mine else ():
                if is_same(bid, command):
                    values = (block["blockHeight"], command.get("failureReason"), self.options.confirmations >= SAFE, bid["hash"])
                    self.books.db.execute("UPDATE bids SET height = ?, failure = ?, is_deep = MAX(is_deep, ?) WHERE hash = ?", values)
                    self.fates.pop(bid["hash"], None)

    def walk_again(self):
        """Credits from a lower block what the books lack, beside `credit`, until both are at one block. What is credited stays."""
        self.begin_walk()
        keys, over = self.books.keys(), time.monotonic() + WALK_SECONDS
        while time.monotonic() < over:
            walk, cursor = self.books.place("walk"), self.books.place("cursor")
            if walk is None:
                return
            said = f"walking again from block {walk['from']}, to credit what is missing: what is credited stays"
            self.say_once(said, said)
            at = walk["cursor"]
            # Not before: a deposit that a lost block of this walk held may be in any block up to there.
            if at and (at["height"], at["stateHash"]) == (cursor["height"], cursor["stateHash"]):
                return self.end_walk(walk)
            step = self.service.next_step(at, self.options.confirmations, walk["from"])
            if step is None:
                return
            state, found, walk["cursor"] = step
            with self.books.db:
                lines = self.take_step(state, found, keys)
                if state == "added" and found["blockHeight"] <= walk["from"]:
                    walk["time"] = found["dateTime"]
                self.books.keep("walk", walk)
            for line in lines:
                say(line)

    def begin_walk(self):
        cursor, wanted, walk = self.books.place("cursor"), self.first_height(), self.books.place("walk")
        # A walk that has taken a block ends first: it alone knows which of its blocks the chain may have lost.
        if cursor is None or (walk and (walk["cursor"] or wanted is None or walk["from"] >= wanted)):
            return
        # Of books of an earlier version nobody knows where they began.
        began, asked = self.books.place("first") or cursor["height"] + 1, []
        if wanted is not None and wanted < began:
            asked.append(wanted)
        if self.late_height is not None and any(height > self.late_height for _, height in self.books.late_keys()):
            asked.append(self.late_height)
        self.late_height = None
        if walk or asked:
            with self.books.db:
                self.books.keep("walk", None)
        if asked:
            with self.books.db:
                self.books.db.execute("UPDATE keys SET is_walked = COALESCE(since, ?) > ?", (began, min(asked)))
                self.books.keep("walk", {"from": min(asked), "time": None, "cursor": None})

    def end_walk(self, walk):
        with self.books.db:
            self.books.db.execute(
                "UPDATE keys SET since = ?, since_time = ?, is_walked = 0 WHERE is_walked", (walk["from"], walk["time"])
            )
            if walk["from"] < (self.books.place("first") or NOTHING):
                self.books.keep("first", walk["from"])
                self.books.keep("firstTime", walk["time"])
            self.books.keep("walk", None)
        say(f"the walk from block {walk['from']} is over")

    def watch_keys(self):
        """Adds what keys.txt has to the books, where a key stays: a file may be half written."""
        self.listed = None
        try:
            lines = as_utf8((self.folder / "keys.txt").read_bytes()).decode("utf-8", "replace").split("\n")
        except OSError as error:
            self.say_once("keys.txt", f"keys.txt cannot be read ({error.strerror}): nothing is credited until it can")
            return
        self.said.discard("keys.txt")
        known = {row["key"]: row["is_said"] for row in self.books.rows("SELECT * FROM keys")}
        listed, wrong = set(), []
        for number, word in [(number, word) for number, line in enumerate(lines, 1) for word in line.split()]:
            if word in known or is_public_key(word):
                listed.add(word)
            elif ("keys.txt", number, word) not in self.said:
                self.said.add(("keys.txt", number, word))
                wrong.append((number, word))
        for number, word in wrong[:20]:
            if is_private(word):
                say(f"keys.txt, line {number}: a private key, not shown: take it out of this file, and move its funds if others could read it")
            else:
                shown = json.dumps(word[:60], ensure_ascii=False)
                say(f"keys.txt, line {number}: {shown} is not a public key: a letter is wrong, missing or too many")
        if len(wrong) > 20:
            say(f"keys.txt: further words that are no public keys: {len(wrong) - 20}")
        new = listed - known.keys()
        # Whoever writes the file anew may be in the middle of it.
        gone = [key for key, is_said in known.items() if not is_said and key not in listed and key in self.lacked]
        self.lacked = known.keys() - listed
        for key in gone[:5]:
            say(f'keys.txt lacks {key}: it is watched all the same; to end that append {{"forget": "{key}"}} to orders.jsonl')
        if len(gone) > 5:
            say(f"further keys that keys.txt lacks, and that are watched all the same: {len(gone) - 5}")
        cursor, since = self.books.place("cursor"), (None, None)
        # Books of an earlier version that kept no keys have watched them from their first block.
        if cursor and (known or self.books.place("first")):
            since = (cursor["height"] + 1, self.books.place("time"))
        if new or gone:
            with self.books.db:
                self.books.db.executemany("INSERT INTO keys (key, since, since_time) VALUES (?, ?, ?)", [(key, *since) for key in new])
                self.books.db.executemany("UPDATE keys SET is_said = 1 WHERE key = ?", [(key,) for key in gone])
        late = [(key, height) for key, height in self.books.late_keys() if key in new] if new else []
        for line in self.books.lines_of_late(late):
            say(line)
        self.listed = listed

    def take_orders(self):
        taken, known = self.books.place("orders") or 0, self.books.place("ordersHash")
        lines, rest = self.order_lines()
        # A line without its end is still being written, unless it stays so.
        if rest.strip() and rest == self.unended:
            self.say_once(("unended", rest), f"orders.jsonl, line {len(lines) + 1}: it has no line end, and is taken once it has one")
        self.unended = rest
        is_whole = len(lines) >= taken and known in (None, hash_of(lines[:taken]))
        why = None
        if not is_whole:
            why = f"the first {taken} lines of orders.jsonl are not those that were taken"
            if len(lines) < taken:
                why = f"orders.jsonl has {len(lines)} of the {taken} lines that were taken"
        # Whoever writes the file anew may be in the middle of it.
        is_sure, self.lack = why == self.lack, why
        if not (is_whole or is_sure):
            return
        if not is_whole and not self.options.reread_orders:
            if "orders.jsonl" not in self.said:
                say(f"{why}: no line is taken until they are back")
                say(
                    "  put the newest file back, and append what is new;"
                    " orders of lost lines are in `books` and are paid: never order them under another id"
                )
                say(
                    "  if lines are lost for good, start once with --reread-orders:"
                    " the file is taken from its first line, and no order that `books` has is paid again"
                )
            self.said.add("orders.jsonl")
            return
        self.said.discard("orders.jsonl")
        if self.options.reread_orders and is_whole:
            say("--reread-orders does nothing: orders.jsonl has all lines that were taken; take it out of the command")
        self.options.reread_orders = False
        if not is_whole:
            taken = 0
        elif len(lines) == taken and (known or not taken):
            return
        with self.books.db:
            if not is_whole:
                # What lost lines have said counts as said by the first.
                self.books.db.execute("DELETE FROM invalid WHERE line > 0")
                self.books.db.execute("UPDATE adopted SET line = 1")
                self.books.db.execute("UPDATE orders SET pay_line = 0, freed_line = MIN(freed_line, 1)")
            for number, line in enumerate(lines[taken:], taken + 1):
                if line.strip(b" \t\r"):
                    self.take_line(number, line)
            self.books.keep("orders", len(lines))
            self.books.keep("ordersHash", hash_of(lines))

    def order_lines(self):
        """The whole lines, and what is behind them."""
        *lines, rest = as_utf8((self.folder / "orders.jsonl").read_bytes()).split(b"\n")
        return lines, rest

    def take_line(self, number, line):
        order = {}
        try:
            order = parse_order(line)
            check_members(order)
            if "start" in order:
                self.take_start(nonce_of(order["start"]), nonce_of(order.get("startHeight")))
            elif "forget" in order:
                self.forget(order["forget"])
            elif "adopt" in order or "adoptNonce" in order:
                self.take_decision(number, order)
            else:
                self.take(number, order)
        except Invalid as reason:
            # The id may be that of a good order, so the line number names it.
            name = (order.get("id") or None) if is_text(order.get("id")) else None
            self.say_invalid(number, name, reason)

    def say_invalid(self, number, name, reason):
        self.books.db.execute("INSERT INTO invalid VALUES (?, ?, ?)", (number, name, str(reason)))
        say(f"orders.jsonl, line {number}{f', {name}' if name else ''}: invalid: {reason}")

    def take_start(self, nonce, height):
        start = self.start()
        if start is not None and nonce > start:
            raise Invalid(f"these books count from nonce {start} on: a start can only be lowered")
        self.books.keep("start", nonce)
        self.books.keep("newStart", True)
        self.books.keep("compared", False)
        if height is not None:
            self.books.keep("startHeight", height)
        # What was walked ends at the old start.
        self.walk_anew()

    def walk_anew(self):
        self.compared_tip = None
        self.in_blocks, self.seen_blocks, self.walk = {}, {}, None

    def forget(self, key):
        if self.listed is None:
            raise Invalid("keys.txt cannot be read now: append this line again")
        if key in self.listed:
            raise Invalid(f"{key} is in keys.txt: take it out there first")
        if self.books.db.execute("DELETE FROM keys WHERE key = ?", (key,)).rowcount == 0:
            raise Invalid(f"{key} is not watched")

    def take_decision(self, number, line):
        order = line.get("order")
        self.compared_tip = None
        if order is not None and not self.books.rows("SELECT 1 FROM orders WHERE id = ?", order):
            raise Invalid(f"there is no order {order}: append it, then this line")
        self.books.keep("compared", False)
        if "adoptNonce" in line:
            if order is None:
                # It may have paid any of them.
                self.books.db.execute(f"UPDATE orders SET freed_line = ? WHERE end IS NULL AND {UNPAID}", (number,))
            values = (number, *nonces_of(line["adoptNonce"]), order)
            self.books.db.execute("INSERT INTO adopting VALUES (?, ?, ?, ?)", values)
            return
        name = line["adopt"]
        for bid in self.books.rows("SELECT order_id FROM bids WHERE hash = ? AND body != '' AND order_id IS NOT ?", name, order):
            raise Invalid(f"these books signed {name} for {bid['order_id']}")
        self.books.db.execute("INSERT OR IGNORE INTO adopted (hash, order_id, line) VALUES (?, ?, 1)", (name, order))
        # The same line may come twice, and says nothing new; of others the later one counts.
        self.books.db.execute("UPDATE adopted SET line = ? WHERE hash = ? AND order_id IS ? AND line = 1", (number, name, order))
        is_new = "UPDATE adopted SET order_id = ?, line = ?, is_deep = 0, is_final = 0 WHERE hash = ? AND order_id IS NOT ?"
        if self.books.db.execute(is_new, (order, number, name, order)).rowcount:
            self.free(number, name, order)
            # Its nonce may lie below what was walked.
            self.walk_anew()

    def free(self, number, name, order):
        """Takes a payment that was adopted from another order than this one. That waits for a person then."""
        for bid in self.books.rows("SELECT * FROM bids WHERE hash = ? AND order_id IS NOT ?", name, order):
            self.books.db.execute("DELETE FROM bids WHERE hash = ?", (name,))
            self.books.db.execute("UPDATE orders SET freed_line = ?, end = before WHERE id = ?", (number, bid["order_id"]))

    def take(self, number, order):
        name = next(order[each] for each in ("id", "raise", "cancel", "pay") if each in order)
        known = next(iter(self.books.rows("SELECT * FROM orders WHERE id = ?", name)), None)
        if "id" in order:
            values = (order["to"], order["amount"], order.get("memo", ""))
            check_terms(*values, self.options.sender)
            # The same line may come twice.
            if known and (known["receiver"], known["amount"], known["memo"]) != values:
                raise Invalid("another order has this id")
            if known and known["end"] == "cancelled":
                raise Invalid(f"{name} is cancelled: order it under another id")
            self.books.db.execute("INSERT OR IGNORE INTO orders (id, receiver, amount, memo) VALUES (?, ?, ?, ?)", (name, *values))
        elif known is None:
            raise Invalid(f"there is no order {name}")
        elif "cancel" in order:
            # Of one that is refused or replaced no bid can be included any more.
            if self.books.rows(f"SELECT 1 FROM bids WHERE order_id = ? AND {ALIVE}", name):
                raise Invalid(f"{name} is signed and may be paid: it cannot be cancelled")
            self.books.db.execute("UPDATE orders SET end = 'cancelled' WHERE id = ?", (name,))
        elif known["end"]:
            raise Invalid(f"{name} is {known['end']}")
        elif "pay" in order:
            if self.books.rows(f"SELECT 1 FROM bids WHERE order_id = ? AND (may_be_sent OR {ENDED})", name):
                raise Invalid(f"{name} has a payment: it is not held")
            self.books.db.execute("UPDATE orders SET pay_line = ? WHERE id = ?", (number, name))
        else:
            for bid in self.books.rows("SELECT nonce FROM bids WHERE order_id = ? AND nonce < ?", name, self.used_nonce):
                raise Invalid(f"{name} cannot be raised: its nonce {bid['nonce']} is used")
            self.books.db.execute("UPDATE orders SET bids = bids + 1 WHERE id = ?", (name,))

    # Compare the wallet's commands with the books: these may be an older copy, and others may have the key

    def start(self):
        """The nonce from which these books count; None where nobody has said so."""
        start = self.books.place("start")
        if start is None:
            (row,) = self.books.rows("SELECT MIN(nonce) AS least FROM bids")
            start = row["least"]
        return start

    def find_start(self, account):
        start = self.start()
        if start is not None:
            if self.options.fresh:
                self.say_once("fresh", f"--fresh does nothing: these books count from nonce {start} on; take it out of the command")
        elif account["nonce"] == 0 or self.options.fresh or not any(line.strip(b" \t\r") for line in self.order_lines()[0]):
            start = account["nonce"]
            self.said.add("fresh")
        if start is None:
            return None
        # What waits below the start counts from then on, since it has no block yet.
        start = min(start, account["nonce"])
        if start != self.books.place("start") or self.books.place("wallet") is None:
            with self.books.db:
                self.books.keep("start", start)
                self.books.keep("wallet", self.options.sender)
        if start > 0 and not self.books.place("earlier") and not self.books.rows("SELECT 1 FROM bids LIMIT 1"):
            self.read_earlier(start)
        return start

    def read_earlier(self, start):
        """Takes the wallet's payments below the start for foreign ones, so that an order with the terms of one is held. Goes on in
        the next round where it takes long.
        """
        least, before = self.earlier or (start, "")
        while least > 0:
            self.earlier = least, before
            try:
                page = self.service.get_costly(f"/accounts/{self.options.sender}/transactions?limit=100{before}")
            except Outage as error:
                # A reorganisation took off the last block of the page before.
                self.earlier = None if str(error).endswith(": 409") else self.earlier
                raise
            self.compared_height = page["searched"]["toHeight"]
            with self.books.db:
                for each in page["transactions"]:
                    nonce = each["command"]["nonce"]
                    if self.is_sent(each["command"]) and nonce < start:
                        least = min(least, nonce)
                        self.books.db.execute("INSERT OR IGNORE INTO adopted (hash, line) VALUES (?, 1)", (each["command"]["hash"],))
                        self.note_terms(each)
            if "next" not in page:
                break
            before = f"&before={page['next']}"
        if least > 0:
            raise Trouble(f"nobody shows the wallet's payments below nonce {least}: connect an indexer, or append {as_line({'start': 0})} and decide")
        with self.books.db:
            self.books.keep("earlier", True)
        say(f"new books: the wallet's payments below nonce {start} count as foreign, and hold orders with their terms")

    def compare(self, account, tip):
        """The least nonce of a command that the books do not know; NOTHING where there is none. Raises Trouble where it cannot be
        said now, so that nothing is sent or signed.
        """
        start = self.find_start(account)
        if start is None:
            self.keep_foreign({"nonce": account["nonce"], "payments": []})
            return 0
        pause = 240 / self.service.costly_per_minute
        if time.monotonic() - self.compared_at < pause:
            raise Later("compared just now")
        self.compared_at = time.monotonic()
        floor = self.floor(min(start, account["nonce"]))
        self.seen, self.used = set(), set()
        # A command may move from a pool into a block meanwhile, never back without being seen.
        pool = self.service.get_costly(f"/pool?account={self.options.sender}", "commands")
        has_indexer = self.walk_blocks(floor, tip)
        sent = [{"command": command} for command in pool if self.is_sent(command)]
        found = [each for each in [*sent, *self.in_blocks.values()] if each["command"]["nonce"] >= floor]
        shown = {each["command"]["hash"]: each for each in found}
        bids = {}
        for bid in self.books.rows("SELECT * FROM bids WHERE nonce >= ?", floor):
            bids.setdefault(bid["nonce"], []).append(bid)
        unknown = self.unknown_nonces(account, floor, shown, bids, tip)
        with self.books.db:
            payments = self.judge(shown, bids)
            self.adopt_earlier(start)
            self.adopt_nonces(account, shown, bids, unknown)
        # What one answer alone does not show may only be late.
        certain, self.suspects = unknown & self.suspects, unknown
        state = "unknown" if has_indexer else "unknown: no indexer"
        for nonce in sorted(each for each in certain if each < account["nonce"]):
            orders = {bid["order_id"] for bid in bids.get(nonce, ()) if bid["may_be_sent"]}
            if len(orders) == 1:
                payments.append({"nonce": nonce, "last": nonce, "state": state, "order": orders.pop()})
            elif payments and payments[-1].get("last") == nonce - 1 and "order" not in payments[-1]:
                payments[-1]["last"] = nonce
            else:
                payments.append({"nonce": nonce, "last": nonce, "state": state})
        # Nor is anything signed while the next nonce counts a command that nobody shows.
        is_certain = certain == unknown and all(nonce < account["nonce"] for nonce in unknown)
        self.keep_foreign({"nonce": None, "payments": sorted(payments, key=lambda each: each["nonce"])}, is_certain)
        self.compared_tip = tip
        return min([*unknown, *(each["nonce"] for each in payments)], default=NOTHING)

    def floor(self, start):
        """The least nonce whose command is not settled."""
        settled = {row["nonce"] for row in self.books.rows(SETTLED)}
        while start in settled:
            start += 1
        return start

    def is_sent(self, command):
        return (command.get("feePayer") or {}).get("publicKey", command.get("from")) == self.options.sender

    def walk_blocks(self, floor, tip):
        """Finds the wallet's commands in blocks from a nonce on, newest first, down to a block that the last walk has seen. A long
        walk goes on in the next round. True where an indexer was asked.
        """
        while True:
            is_new = self.walk is None
            if is_new:
                self.walk = {"found": {}, "blocks": {}, "before": ""}
            found, blocks, is_over = self.walk["found"], self.walk["blocks"], False
            while not is_over:
                try:
                    limit = 25 if self.seen_blocks else 100
                    path = f"/accounts/{self.options.sender}/transactions?limit={limit}{self.walk['before']}"
                    page = self.service.get_costly(path)
                except Later:
                    raise
                except Trouble:
                    self.walk = None
                    raise
                if not self.walk["before"]:
                    self.compared_height = page["searched"]["toHeight"]
                    if self.compared_height < tip:
                        self.walk = None
                        raise Trouble("the history is older than the account")
                    # Without an indexer the last walk has left out old blocks.
                    self.walk["hasIndexer"] = page["searched"]["indexer"]
                    if self.walk["hasIndexer"] and not self.saw_indexer:
                        self.in_blocks, self.seen_blocks = {}, {}
                for each in page["transactions"]:
                    command, block = each["command"], each["block"]
                    if block["stateHash"] in self.seen_blocks:
                        # What lay above this block may be gone, and its blocks may come back.
                        height, old = block["blockHeight"], self.in_blocks.items()
                        found.update((n, c) for n, c in old if c["block"]["blockHeight"] <= height)
                        blocks.update((b, at) for b, at in self.seen_blocks.items() if at <= height)
                        is_over, self.walk["hasIndexer"] = True, self.saw_indexer
                        break
                    if self.is_sent(command):
                        is_over = is_over or command["nonce"] < floor
                        found[command["nonce"]] = each
                    blocks[block["stateHash"]] = block["blockHeight"]
                self.walk["before"] = f"&before={page.get('next')}"
                is_over = is_over or "next" not in page
            self.in_blocks, self.seen_blocks, self.saw_indexer, self.walk = found, blocks, self.walk["hasIndexer"], None
            if is_new:
                return page["searched"]["indexer"]

    def unknown_nonces(self, account, floor, shown, bids, tip):
        """Used nonces whose command nobody shows, but for those of which the service tells that a bid of the books used them."""
        in_blocks = {found["command"]["nonce"] for found in shown.values() if "block" in found}
        decided = {
            row["nonce"]
            for row in self.books.rows(
                "SELECT nonce FROM adopted_nonces UNION SELECT nonce FROM adopted WHERE is_deep"
                " UNION SELECT nonce FROM bids WHERE is_deep OR end IN ('paid', 'failed')"
            )
        }
        unknown = set()
        for nonce in range(floor, account["nonce"]):
            if nonce not in in_blocks | decided and not any([self.is_included(bid, shown, tip) for bid in bids.get(nonce, ())]):
                unknown.add(nonce)
        waiting = {found["command"]["nonce"] for found in shown.values()}
        for nonce in range(account["nonce"], account["nextNonce"]):
            may_wait = any(bid["may_be_sent"] and bid["end"] != "refused" for bid in bids.get(nonce, ()))
            if nonce not in waiting and not may_wait:
                unknown.add(nonce)
        return unknown

    def is_included(self, bid, shown, tip):
        """By the bid's fate, since the history may end above it. What replaced it is shown like any other command."""
        fate = self.look(bid, tip, 1)
        if fate["state"] == "replaced" and "command" in fate:
            shown[fate["command"]["hash"]] = {"command": fate["command"], "block": fate["block"]}
        elif fate["state"] == "included":
            self.note_seen(bid)
        return fate["state"] == "included" or (fate["state"] == "replaced" and "command" in fate)

    def note_seen(self, bid):
        """Older books may take a bid for unsent, or refused."""
        self.seen.add(bid["hash"])
        self.say_there(bid)
        if not bid["is_taken"] or bid["end"] == "refused":
            end = None if bid["end"] == "refused" else bid["end"]
            self.books.change(bid, may_be_sent=1, is_taken=1, end=end, sent_at=max(bid["sent_at"], 1))

    def say_there(self, bid):
        """Ends what was said of a bid of which nobody knew whether it had arrived."""
        if bid["hash"] in self.unclear:
            self.unclear.discard(bid["hash"])
            say(f"{bid['order_id']}, nonce {bid['nonce']}: a node has it now")

    def note_block(self, bid, height, failure):
        """A reorganisation may have moved it since its fate was asked for, or let another command take its nonce."""
        if bid["end"] is None and (bid["height"], bid["failure"]) != (height, failure):
            self.fates.pop(bid["hash"], None)
            self.books.change(bid, height=height, failure=failure, is_deep=0)

    def judge(self, shown, bids):
        """Finds the bid of each command, does what a person has said about others, and returns those that are still open."""
        others = []
        for found in sorted(shown.values(), key=lambda each: each["command"]["nonce"]):
            is_own = False
            for bid in bids.get(found["command"]["nonce"], ()):
                is_this = is_same(bid, found["command"])
                if is_this:
                    self.refuse_decision(found["command"]["hash"], bid["order_id"])
                if "block" in found:
                    failure = found["command"].get("failureReason")
                    self.note_block(bid, *((found["block"]["blockHeight"], failure) if is_this else (None, RIVAL)))
                    is_final = self.compared_height - found["block"]["blockHeight"] >= self.service.k
                    # Its fate may not prove it: an indexer knows hashes alone.
                    if is_final and not is_this and bid["end"] is None and json.loads(bid["terms"]).get("memo"):
                        self.end(bid, "replaced", found["block"])
                if is_this:
                    self.note_seen(bid)
                is_own = is_own or is_this
            if not is_own:
                others.append(found)
        payments = []
        for found in others:
            command, block = found["command"], found.get("block")
            said = next(iter(self.books.rows("SELECT * FROM adopted WHERE hash = ?", command["hash"])), None)
            if said:
                self.note_terms(found)
            if not said or (said["order_id"] is not None and not self.adopt(said, command)):
                payments.append(self.shown_payment(command, block))
        # Of one nonce one at most is paid.
        nonces = {}
        for each in payments:
            nonces.setdefault((each["receiver"], each["amount"], each["memo"]), set()).add(each["nonce"])
        for each in payments:
            if len(nonces[each["receiver"], each["amount"], each["memo"]]) > 1:
                each["hasTwin"] = True
                if "order" in each:
                    each["orders"] = [each.pop("order")]
        return payments

    def refuse_decision(self, name, order):
        """Wallets make several hashes of one payment, so that only now it shows that a line is about one that these books signed."""
        for said in self.books.rows("SELECT line FROM adopted WHERE hash = ? AND order_id IS NOT ?", name, order):
            self.say_invalid(said["line"], None, f"these books signed {name} for {order}")
            self.books.db.execute("DELETE FROM adopted WHERE hash = ?", (name,))

    def note_terms(self, found):
        command, block = found["command"], found.get("block", {})
        self.used.add(command["nonce"])
        depth = self.compared_height - block["blockHeight"] if block else 0
        is_final = depth >= self.service.k
        values = (command["nonce"], command.get("to"), amount_of(found, is_final), command["memo"], str(command["fee"]))
        values += (block.get("blockHeight"), block.get("dateTime"), depth >= SAFE, is_final, command["hash"])
        self.books.db.execute(
            "UPDATE adopted SET nonce = ?, receiver = ?, amount = ?, memo = ?, fee = ?, height = ?, time = ?,"
            " is_deep = MAX(is_deep, ?), is_final = MAX(is_final, ?) WHERE hash = ?",
            values,
        )

    def adopt(self, decision, command):
        """Books a command as the bid of an order. It has no bytes, so it is never sent. False where it does not pay that order."""
        name, nonce = decision["order_id"], command["nonce"]
        wrong = self.mismatch(name, command)
        if wrong:
            self.say_invalid(decision["line"], None, f"{command['hash']} does not pay {name}: {wrong}")
            self.books.db.execute("DELETE FROM adopted WHERE hash = ?", (command["hash"],))
            return False
        terms = {"from": self.options.sender, "nonce": str(nonce), "to": command["to"], "amount": str(command["amount"])}
        terms.update({"fee": str(command["fee"]), "valid_until": NEVER_EXPIRES, "memo": command["memo"]})
        self.insert_bid(command["hash"], name, nonce, terms["fee"], json.dumps(terms), None)
        # The order is paid by this one: what older books have signed for it, and nobody has, must never be sent.
        for bid in self.books.rows("SELECT * FROM bids WHERE order_id = ? AND nonce != ? AND body != ''", name, nonce):
            if bid["end"] in (None, "refused") and bid["hash"] not in self.seen:
                self.books.db.execute("DELETE FROM bids WHERE hash = ?", (bid["hash"],))
        self.seen.add(command["hash"])
        say(f"{name}: {command['hash']} of nonce {nonce} is its payment now")
        return True

    def mismatch(self, name, command):
        """Why a command of the wallet does not count as the payment of an order; None where it does."""
        (order,) = self.books.rows("SELECT * FROM orders WHERE id = ?", name)
        kind, memo = kind_of(command), readable(command["memo"])
        if kind != "payment":
            return f"it is {kind}"
        if (command["to"], str(command["amount"])) != (order["receiver"], order["amount"]):
            return f"it sends {command['amount']} nanomina to {command['to']}"
        alike = self.books.rows(
            f"SELECT id FROM orders WHERE (receiver, amount, memo) = (?, ?, ?) AND end IS NULL AND {UNPAID}",
            *(order["receiver"], order["amount"], memo),
        )
        own = [
            bid["hash"]
            for bid in self.books.rows("SELECT * FROM bids WHERE order_id = ? AND nonce != ? AND failure IS NULL", name, command["nonce"])
            if bid["end"] == "paid" or (bid["end"] is None and (bid["height"] is not None or not bid["body"] or bid["hash"] in self.seen))
        ]
        twins = self.books.rows(
            f"SELECT id FROM orders WHERE (receiver, amount) = (?, ?) AND id != ? AND end IS NULL AND {UNPAID}",
            *(order["receiver"], order["amount"], name),
        )
        if own and twins:
            return f"{name} has the payment {own[0]}, and {twins[0]['id']} none, so this one is of that order, or foreign"
        if memo != order["memo"] and alike:
            return f"it has the memo of {alike[0]['id']}, which has no payment: append {as_line({'cancel': alike[0]['id']})} first if it needs none"
        return None

    def adopt_earlier(self, start):
        """Does what a person has said of payments below the start, which no comparison shows."""
        earlier = "SELECT * FROM adopted WHERE order_id IS NOT NULL AND nonce < ? AND hash NOT IN (SELECT hash FROM bids) ORDER BY nonce"
        for said in self.books.rows(earlier, start):
            command = {name: said[name] for name in ("hash", "nonce", "memo", "fee")}
            # A zkApp command has no amount of its own, and a delegation none.
            command.update({"to": said["receiver"], "amount": int(said["amount"] or 0), "isDelegation": False})
            wrong = self.mismatch(said["order_id"], command)
            if wrong:
                self.say_invalid(said["line"], None, f"{said['hash']} does not pay {said['order_id']}: {wrong}")
                self.books.db.execute("UPDATE adopted SET order_id = NULL, line = 1 WHERE hash = ?", (said["hash"],))
            else:
                self.adopt(said, command)
        self.books.db.execute("UPDATE adopted SET is_deep = 1, is_final = 1 WHERE order_id IS NULL AND nonce < ?", (start,))

    def insert_bid(self, name, order, nonce, fee, terms, end):
        """A bid that a person has told of."""
        self.books.db.execute("UPDATE orders SET before = COALESCE(end, before), end = NULL WHERE id = ?", (order,))
        self.books.db.execute(
            "INSERT INTO bids (hash, order_id, nonce, fee, body, terms, may_be_sent, is_taken, sent_at, end)"
            " VALUES (?, ?, ?, ?, '', ?, 1, 1, ?, ?)",
            (name, order, nonce, fee, terms, time.time(), end),
        )

    def adopt_nonces(self, account, shown, bids, unknown):
        """Does what a person has said about nonces whose command nobody shows."""
        in_blocks = {found["command"]["nonce"]: found["command"] for found in shown.values() if "block" in found}
        for row in self.books.rows("SELECT rowid, * FROM adopting"):
            wrong = None
            for nonce in range(row["first"], min(row["last"] + 1, account["nonce"])):
                name = f"nonce {nonce}"
                if nonce in unknown or self.books.rows("SELECT 1 FROM adopted_nonces WHERE nonce = ?", nonce):
                    unknown.discard(nonce)
                    self.books.db.execute("INSERT OR IGNORE INTO adopted_nonces VALUES (?)", (nonce,))
                    self.free(row["line"], name, row["order_id"])
                    if row["order_id"] is not None and not self.books.rows("SELECT 1 FROM bids WHERE hash = ?", name):
                        self.insert_bid(name, row["order_id"], nonce, "0", '{"amount": "0"}', "paid")
                else:
                    own = next((bid for bid in bids.get(nonce, ()) if bid["hash"] in self.seen or bid["is_deep"]), None)
                    command = in_blocks.get(nonce)
                    if own or not command:
                        wrong = wrong or f"nonce {nonce} is {own['order_id'] if own else 'settled'}"
                    else:
                        wrong = wrong or f"nonce {nonce} is {command['hash']}: adopt that hash"
            if row["last"] >= account["nonce"]:
                wrong = wrong or f"nonce {max(row['first'], account['nonce'])} is not used yet"
            if wrong:
                self.say_invalid(row["line"], None, wrong)
            self.books.db.execute("DELETE FROM adopting WHERE rowid = ?", (row["rowid"],))

    def shown_payment(self, command, block):
        kind = kind_of(command)
        payment = {"nonce": command["nonce"], "hash": command["hash"], "kind": kind, "receiver": command.get("to")}
        payment.update({"amount": str(command.get("amount", 0)), "memo": readable(command["memo"])})
        payment["state"] = "in a pool"
        if block:
            reason = command.get("failureReason")
            payment["state"] = f"failed in block {block['blockHeight']}: {reason}" if reason else f"in block {block['blockHeight']}"
        if kind == "payment":
            question = "SELECT id, memo, end FROM orders WHERE receiver = ? AND amount = ?"
            rows = self.books.rows(question, payment["receiver"], payment["amount"])
            rows = [row for row in rows if not self.is_paid(row["id"])]
            alike = [row["id"] for row in rows if row["memo"] == payment["memo"]]
            others = [row["id"] for row in rows if row["memo"] != payment["memo"]]
            if alike:
                payment.update({"order": alike[0]} if len(alike) == 1 else {"orders": alike})
            elif others:
                payment["otherMemo"] = others
            # One that is cancelled asks for nothing, but books that were lost may have paid it.
            ended = {row["id"]: row["end"] for row in rows if row["end"]}
            if ended:
                payment["ended"] = ended
        return payment

    def is_paid(self, order):
        bids = self.books.rows("SELECT hash, end FROM bids WHERE order_id = ?", order)
        return any(bid["end"] in ("paid", "failed") or bid["hash"] in self.seen for bid in bids)

    def keep_foreign(self, foreign, is_compared=True):
        """Keeps for `adopt` what a person has to decide, and says what is new."""
        if foreign != self.books.foreign() or (is_compared and not self.books.place("compared")):
            doubted = self.books.doubted()
            with self.books.db:
                self.books.keep("foreign", foreign)
                if is_compared:
                    self.books.keep("compared", True)
                    self.books.keep("newStart", None)
            still = set(self.books.doubted()) if doubted else ()
            freed = [each for each in doubted if each not in still]
            if freed:
                say(f"perhaps paid until now, and to be paid once nothing is open: {listed(freed)}")
        if foreign == self.told or not (is_compared or foreign["payments"]):
            return
        lines = list(lines_of_foreign(foreign, self.told["payments"]))
        for line in lines or ["every payment of the wallet is in these books: signing goes on"]:
            say(line)
        self.told = foreign

    def orders_to_sign(self):
        wanted = self.books.rows(
            "SELECT orders.*, COUNT(hash) AS made, SUM(bids.end IS NOT NULL) AS ended, MIN(nonce) AS nonce,"
            " MAX(CAST(fee AS INTEGER)) AS highest FROM orders LEFT JOIN bids ON order_id = id WHERE orders.end IS NULL"
            " GROUP BY id HAVING made < orders.bids AND COALESCE(ended, 0) = 0 AND COALESCE(MIN(nonce) >= ?, 1)"
            " ORDER BY orders.rowid",
            self.used_nonce,
        )
        held = self.books.held() if wanted else ()
        return [each for each in wanted if each["id"] not in held and self.pauses.get(each["id"], (0, 0))[0] <= time.monotonic()]

    def drop_held(self):
        """What is signed for an order that is held, and no node has, must never be sent."""
        held = self.books.held()
        for bid in self.books.rows("SELECT * FROM bids WHERE end IS NULL AND NOT may_be_sent"):
            if bid["order_id"] in held:
                self.refuse(bid, True)

    # Sign

    def sign(self, account):
        """Signs what was ordered, and keeps it before it is sent. A round gives its signers some seconds, since others wait."""
        due = self.orders_to_sign()
        if not due:
            return
        suggested = {speed: int(fee) for speed, fee in self.service.get("/fees", "suggested").items()}
        # A node that has just taken a command may not count it yet. A refused one leaves its nonce to the next.
        used = {bid["nonce"] for bid in self.books.rows("SELECT nonce FROM bids WHERE end IS NOT 'refused'")} | self.used
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
                    check_terms(*terms, self.options.sender)
                except Invalid as reason:
                    say(f"{name}: invalid: {reason}")
                    with self.books.db:
                        self.books.db.execute("UPDATE orders SET end = 'invalid' WHERE id = ?", (name,))
                        self.books.db.execute("INSERT INTO invalid VALUES (0, ?, ?)", (name, str(reason)))
                    continue
                nonce = account["nextNonce"]
                while nonce in used:
                    nonce += 1
            else:
                least = order["highest"] + order["highest"] // 10 + 1
                fee = max(least, min(suggested["fast"], self.options.max_fee))
                if fee > self.options.max_fee:
                    limit = self.options.max_fee
                    self.say_once((name, fee), f"{name}: not raised: that takes a fee of {fee} nanomina, above --max-fee {limit}")
                    continue
            fee = min(fee, self.options.max_fee)
            needed = int(order["amount"]) + fee if order["nonce"] is None else fee - order["highest"]
            if needed > spendable:
                self.say_once(name, f"{name} waits: it takes {needed} nanomina, and the wallet can spend {spendable}")
                continue
            if order["nonce"] is None:
                self.warn_of_new_account(order)
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

    def warn_of_new_account(self, order):
        """The first payment to a key creates its account, and fails if it is below the fee for that."""
        name, receiver, fee = order["id"], order["receiver"], self.service.account_fee
        subject = (name, "new account")
        if int(order["amount"]) < fee and subject not in self.said:
            self.said.add(subject)
            if self.service.get(f"/accounts/{receiver}") is None:
                costs = f"{order['amount']} nanomina are below the {fee} that a new one costs"
                say(f"{name}: {receiver} has no account, and {costs}: the payment will fail and cost its fee")

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

    def fate_of(self, bid, share):
        query = urllib.parse.urlencode(json.loads(bid["terms"]))
        fate = self.service.get_costly(f"/transactions/{bid['hash']}?{query}", "transaction", share)
        return fate or {"state": "unknown"}

    def look(self, bid, tip, share):
        """The bid's fate, asked for once a block; deep in the chain every twentieth block, and when it may be final."""
        asked_at, fate = self.fates.get(bid["hash"], (None, None))
        if fate is not None:
            depth = fate.get("confirmations", 0)
            # Not as late as k, where a node without an indexer has no block any more.
            pause = max(1, min(RARELY, (self.service.k - depth) // 2)) if depth >= SAFE else 1
            pause = RARELY if fate.get("isGone") else pause
            if asked_at - RARELY < tip < asked_at + pause:
                return fate
        has_block = bid["height"] is not None
        try:
            fate = self.fate_of(bid, share)
        except Later:
            # Its block costs little.
            if not has_block or tip - bid["height"] < SAFE:
                raise
            fate = {"state": "unknown"}
        if has_block and fate["state"] not in ("included", "replaced"):
            fate = self.fate_by_block(bid, fate, tip)
        self.fates[bid["hash"]] = (tip, fate)
        is_included = fate["state"] == "included"
        values = (None, RIVAL if fate["state"] == "replaced" or bid["failure"] == RIVAL else None)
        if is_included:
            values = (fate["block"]["blockHeight"], fate.get("failureReason"))
        if fate.get("isGone"):
            values = (bid["height"], bid["failure"])
        if values != (bid["height"], bid["failure"]) and bid["end"] is None:
            self.books.change(bid, height=values[0], failure=values[1])
        if is_included and fate.get("confirmations", 0) >= SAFE and not bid["is_deep"]:
            self.books.change(bid, is_deep=1)
        if is_included and fate.get("failureReason"):
            where = f"{bid['order_id']}, nonce {bid['nonce']}: failed in block {fate['block']['blockHeight']} ({fate['failureReason']})"
            self.say_once(where, f"{where}: wait until `books` says failed; until then a reorganisation may let it succeed")
        return fate

    def fate_by_block(self, bid, fate, tip):
        """The same by the block of the bid: without an indexer nodes keep that longer than they tell fates."""
        try:
            block = self.service.deep_at(bid["height"], 0)
        except Gone:
            return {**fate, "isGone": True}
        for command in block["transactions"]["userCommands"] if block else ():
            if command["from"] == self.options.sender and command["nonce"] == bid["nonce"] and is_same(bid, command):
                depth = {"confirmations": tip - bid["height"], "isByBlock": True}
                return {"state": "included", "block": block, "failureReason": command.get("failureReason"), **depth}
        return fate

    def settle(self, account, tip):
        """Keeps the end of what no reorganisation can reach any more. Until then a bid is sent again where it is lost."""
        bids = self.books.rows("SELECT * FROM bids WHERE end IS NULL AND nonce < ? ORDER BY nonce", account["nonce"])
        # Those that may be final now come first, then those asked for longest ago.
        bids.sort(key=lambda bid: (tip - (bid["height"] or tip) < self.service.k, self.fates.get(bid["hash"], (0,))[0]))
        for bid in bids:
            # One that the service cannot tell now leaves the others alone.
            self.attempt(self.settle_one, bid, tip)

    def settle_one(self, bid, tip):
        # On a chain with quick blocks comparing alone takes half of what may be asked.
        fate = self.look(bid, tip, 0.75)
        if fate["state"] == "replaced":
            # Of several bids for an order each is replaced by the one that is included.
            others = self.books.rows("SELECT hash, end FROM bids WHERE order_id = ?", bid["order_id"])
            states = [other["end"] or self.fates.get(other["hash"], (0, {"state": "unknown"}))[1]["state"] for other in others]
            where = f"{bid['order_id']}, nonce {bid['nonce']}: another command has its nonce"
            if all(state in ("replaced", "refused") for state in states):
                self.say_once(where, f"{where}: wait until `books` says replaced, and do not order it again before")
        # Nodes keep k blocks, so that a block may be gone before anybody has seen it so deep.
        enough = max(SAFE, self.service.k - RARELY) if fate.get("isByBlock") else self.service.k
        if not (fate.get("final") or fate.get("confirmations", 0) >= enough):
            return
        # Only a service that has compared all terms can tell a payment from another one with its nonce.
        is_proven = fate.get("terms", {}).get("memo") == json.loads(bid["terms"])["memo"]
        if fate["state"] == "included":
            self.end(bid, "failed" if fate.get("failureReason") else "paid", fate["block"])
            if fate.get("failureReason"):
                say(f"{bid['order_id']} failed: only its fee was taken; to pay it append an order with another id")
        elif fate["state"] == "replaced" and is_proven:
            self.end(bid, "replaced", fate.get("block", {}))

    def end(self, bid, end, block):
        self.books.change(bid, end=end, height=block.get("blockHeight"), time=block.get("dateTime"))
        self.say_dead(bid)

    def say_dead(self, bid):
        """Says what to do with an order of which no bid can be included any more."""
        ends = {row["end"] for row in self.books.rows("SELECT end FROM bids WHERE order_id = ?", bid["order_id"])}
        if ends and ends <= {"refused", "replaced"}:
            name, end = bid["order_id"], "refused" if "refused" in ends else "replaced"
            line = as_line({"cancel": name})
            say(f"{name} is {end}: it is never paid now. If no other payment has paid it, append {line}, and to pay it an order with another id")

    def refuse(self, bid, is_dropped):
        """Ends a bid that no node has, or drops it. Bids above its nonce wait for that nonce, so those never sent are signed anew."""
        with self.books.db:
            if is_dropped:
                self.books.db.execute("DELETE FROM bids WHERE hash = ?", (bid["hash"],))
            else:
                self.books.db.execute("UPDATE bids SET end = 'refused' WHERE hash = ?", (bid["hash"],))
            self.books.db.execute("DELETE FROM bids WHERE nonce > ? AND sent_at = 0", (bid["nonce"],))
        self.say_dead(bid)

    def bids_to_send(self, account):
        """What no node has, lowest nonce first, and of a nonce the highest bid; and one that waits so long that nodes forget it."""
        question = "SELECT * FROM bids WHERE end IS NULL AND nonce >= ? ORDER BY nonce, CAST(fee AS INTEGER)"
        highest = {bid["nonce"]: bid for bid in self.books.rows(question, account["nonce"])}
        missing = [bid for bid in highest.values() if bid["nonce"] >= account["nextNonce"] or not bid["is_taken"]]
        age = time.time() - STALE_SECONDS
        stale = [bid for bid in highest.values() if bid["body"] and bid["is_taken"] and bid["sent_at"] < age][:1]
        return sorted({bid["hash"]: bid for bid in missing + stale}.values(), key=lambda bid: bid["nonce"])

    def send(self, account, lowest):
        """Sends up to a nonce. Stops at the first that is not taken."""
        for bid in self.bids_to_send(account):
            if bid["nonce"] >= lowest:
                return
            is_there = self.send_one(bid) if bid["body"] else bid["hash"] in self.seen
            if not bid["body"] and not is_there:
                where, line = f"{bid['order_id']}, nonce {bid['nonce']}", as_line({"raise": bid["order_id"]})
                why = "adopted without its bytes, and no node has it"
                self.say_once(where, f"{where}: {why}: append {line} to sign it anew under the same nonce")
            if not is_there and bid["nonce"] >= account["nextNonce"]:
                return

    def send_one(self, bid):
        """True where a node has it. An earlier sending may have arrived, so only the refusal of a first one is an end."""
        self.books.change(bid, may_be_sent=1, sent_at=time.time())
        _, headers, said = self.service.ask("/broadcast/transaction", bid["body"].encode())
        outcome, code = headers.get("x-broadcast-outcome"), headers.get("x-broadcast-code")
        if outcome in ("accepted", "already-known"):
            self.pauses.pop(bid["order_id"], None)
            self.say_there(bid)
            self.books.change(bid, is_taken=1)
            return True
        text = f"{bid['order_id']}, nonce {bid['nonce']}: {outcome} {code}"
        hint = "" if outcome == "refused" else ": it is sent again until a node has it; do not pay it in another way"
        self.say_once(text, text + hint)
        if hint:
            self.unclear.add(bid["hash"])
        if outcome == "refused" and not bid["may_be_sent"]:
            self.books.change(bid, may_be_sent=0)
        is_first = not bid["may_be_sent"]
        is_end = code in FOREVER or (is_first and headers.get("x-broadcast-retriable") == "false")
        if outcome == "refused" and is_end and self.fate_of(bid, 0.9).get("sending") == "possible":
            is_signers_fault = is_first and code in FOREVER
            self.refuse(bid, is_signers_fault)
            if is_signers_fault:
                self.pause(bid["order_id"], f"the service refuses what the signer made: {code}")
        return False

    def run(self):
        cursor = self.books.place("cursor")
        say(f"running on {self.folder}: the books are at block {cursor['height'] if cursor else 0}")
        while True:
            self.is_troubled = False
            self.attempt(self.round)
            if self.troubles and not self.is_troubled:
                self.troubles.clear()
                say("the trouble is over")
            time.sleep(self.options.poll)


def one_order(shown, name):
    lines = [each for each in shown["invalid"] if each.get("id") == name]
    order = shown["withdrawals"].get(name)
    if lines and (order is None or order["state"] == "invalid"):
        return {"state": "invalid", **lines[-1]}
    if order is None:
        give_up(1, f"there is no order {name}")
    return {**order, **({"invalid": lines} if lines else {})}


def ask_a_person(books, is_brief):
    """Prints what is open; or that to standard error, and to standard output nothing but the lines that it proposes.

    :returns: the exit code
    """
    sys.stdout.reconfigure(encoding="utf-8")
    foreign, is_compared = books.foreign(), books.place("compared")
    lines = [*lines_of_foreign(foreign), *books.lines_of_held()]
    code = 5 if lines else 0 if is_compared else 1
    lines += books.lines_of_twice()
    if not is_compared:
        cursor, tip = books.place("cursor"), books.place("tip")
        place = f"{cursor['height'] if cursor else 0} of {tip or 'an unknown number'}"
        lines.append(f"not compared since the start or the last decision: the books are at block {place}")
    print("\n".join(lines or ["nothing is open"]), file=sys.stderr if is_brief else sys.stdout)
    for each in foreign["payments"] if is_brief else []:
        if "order" in each:
            name = {"adopt": each["hash"]} if "hash" in each else {"adoptNonce": each["nonce"]}
            print(as_line({**name, "order": each["order"]}))
    # What a start or --fresh made foreign, nobody has decided.
    undecided, held = {row["hash"] for row in books.rows("SELECT hash FROM adopted WHERE line = 1")}, books.held()
    holding = collections.Counter(each for hashes in held.values() for each in hashes)
    for order, hashes in held.items() if is_brief else ():
        if len(hashes) == 1 and hashes[0] in undecided and holding[hashes[0]] == 1:
            print(as_line({"adopt": hashes[0], "order": order}))
    for line in books.left_out():
        print(line, file=sys.stderr)
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    for name in ("url", "network", "folder"):
        run.add_argument(f"--{name}", required=True)
    run.add_argument("--from", dest="sender", type=public_key, required=True)
    run.add_argument("--sign", metavar="COMMAND", type=shlex.split, required=True, help="signs a payment")
    run.add_argument("--sign-seconds", type=float, default=30, help="the time that a round gives its signers")
    run.add_argument("--signature-kind", help="what COMMAND signs for, on a network that is none of Mina's own")
    run.add_argument("--confirmations", type=count, default=15, help="blocks on top of a deposit before it is credited")
    run.add_argument("--from-height", type=count, help="the block from which deposits are credited; new books begin near the tip")
    run.add_argument("--max-fee", type=int, default=100_000_000, help="nanomina: the most that you pay for a payment itself")
    run.add_argument("--poll", type=float, default=5, help="seconds between two rounds")
    run.add_argument("--costly-per-minute", type=count, default=50, help="the fates, histories and pools to ask for in a minute")
    run.add_argument("--reread-orders", action="store_true", help="once, after lines of orders.jsonl were lost for good")
    run.add_argument("--fresh", action="store_true", help="once, with new books: none of the orders was ever signed")
    books, report = commands.add_parser("books", help="what the books have"), commands.add_parser("report", help="days, as CSV")
    adopt = commands.add_parser("adopt", help="payments that the books do not know")
    for each in (books, report, adopt):
        each.add_argument("--folder", required=True)
    books.add_argument("--order", metavar="ID", help="this one alone")
    adopt.add_argument("--lines", action="store_true", help="to standard output only the lines to append, of payments that leave no choice")
    report.add_argument("--day", type=day, help="YYYY-MM-DD, UTC; the same as --from and --to")
    report.add_argument("--from", dest="first", type=day, help="the first day")
    report.add_argument("--to", dest="last", type=day, help="the last day")
    report.add_argument("--key", type=public_key, help="what this key got")
    commands.add_parser("memo").add_argument("memo")
    options = parser.parse_args()
    if options.command == "memo":
        text = memo_text(options.memo)
        sys.exit("not a memo") if text is None else print(text)
    elif options.command == "run" and options.costly_per_minute < 10:
        run.error(f"--costly-per-minute: {options.costly_per_minute} is less than 10")
    elif options.command == "books":
        shown = Books.to_read(pathlib.Path(options.folder)).shown()
        print(json.dumps(shown if options.order is None else one_order(shown, options.order)))
    elif options.command == "adopt":
        sys.exit(ask_a_person(Books.to_read(pathlib.Path(options.folder)), options.lines))
    elif options.command == "report":
        if options.day and (options.first or options.last):
            report.error("--day stands alone, or --from and --to do")
        first, last = options.day or options.first or "", options.day or options.last or "9999"
        if first > last:
            report.error(f"{first}, the first day, is after the last, {last}")
        books = Books.to_read(pathlib.Path(options.folder))
        sys.stdout.reconfigure(encoding="utf-8", newline="")
        table = csv.writer(sys.stdout, lineterminator="\n")
        table.writerow(("time", "height", "kind", "id", "key", "amount", "fee", "hash"))
        table.writerows(books.report(first, last, options.key))
        gaps = list(books.gaps(first, last, options.key))
        for line in [*gaps, *books.remarks()]:
            print(line, file=sys.stderr)
        sys.exit(5 if any(books.to_decide()) else 1 if gaps else 0)
    else:
        try:
            Exchange(options).run()
        except NetworkMismatch as mismatch:
            give_up(4, str(mismatch))
        except KeyboardInterrupt:
            sys.exit(130)


if __name__ == "__main__":
    main()
