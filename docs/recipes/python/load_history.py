#!/usr/bin/env python3
"""Loads the histories of accounts into a database, and what has changed since at each later run: let cron start it.

    load_history.py --url URL --network mainnet --database history.db --keys keys.txt

The database is SQLite's file, DuckDB's where its name ends with .duckdb, or PostgreSQL's where it begins with postgresql://; the
statements are the same in all of them. Amounts are nanomina, times UTC, days too unless --zone names another time zone. A command
in one of the latest blocks may lie in another block tomorrow, or in none. So each run asks for every height again that was not
final at the last one, and deletes what it does not see there. A key is loaded in one transaction, whenever the program is killed.
Exit code 1: some keys were not loaded, or a balance that was explained no longer is.
"""

import argparse
import datetime
import functools
import hashlib
import http.client
import json
import re
import sqlite3
import sys
import time
import urllib.request
import zoneinfo


def in_mina(column):
    """An amount as a text with nine decimals: spreadsheets keep 15 digits of a number."""
    digits = f"SUBSTR('0000000000000000000' || ABS({column}), LENGTH(CAST(ABS({column}) AS TEXT)) + 1)"
    whole = f"CAST(SUBSTR({digits}, 1, 10) AS BIGINT)"
    return f"CASE WHEN {column} < 0 THEN '-' ELSE '' END || {whole} || '.' || SUBSTR({digits}, 11) AS {column}"


# Spreadsheets run what begins like a formula, and anybody may send a memo.
FORMULAS = ", ".join(f"'{sign}'" for sign in "=+-@\uff1d\uff0b\uff0d\uff20 \t\n\v\f\r\u00a0\u3000\ufeff")
SUMS = "opening_balance received sent fees creation_fee closing_balance".split()
# Two loaded keys pay each other, so a command may have two rows. Times are texts, so that no database knows better which day it is.
# Sums are cast, since pandas makes floats of DuckDB's HUGEINT.
SCHEMA = f"""
CREATE TABLE account_loads (
  public_key TEXT PRIMARY KEY, name TEXT NOT NULL, network TEXT NOT NULL, zone TEXT NOT NULL, loaded_at TEXT NOT NULL,
  settled_height BIGINT NOT NULL, -- what is at this height or below it never changes
  tip_height BIGINT, tip_time TEXT, tip_day TEXT, balance BIGINT, -- as of the block on which the load rests
  outside BIGINT, opening BIGINT -- the balance less all changes, and what of it is known to be older than the first command
);
CREATE TABLE account_commands (
  public_key TEXT NOT NULL, hash TEXT NOT NULL, height BIGINT NOT NULL, state_hash TEXT NOT NULL, time TEXT NOT NULL,
  day TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, relation TEXT NOT NULL, sender TEXT NOT NULL, receiver TEXT,
  memo TEXT NOT NULL, nonce BIGINT NOT NULL, fee BIGINT NOT NULL, change BIGINT, final BOOLEAN NOT NULL,
  PRIMARY KEY (public_key, hash)
);
CREATE TABLE periods (
  first_day TEXT NOT NULL, last_day TEXT NOT NULL, PRIMARY KEY (first_day, last_day),
  CONSTRAINT "write days as 2026-01-31, the first not after the last"
  CHECK (IS_DAY(first_day) AND IS_DAY(last_day) AND first_day <= last_day)
);
CREATE VIEW movements AS
  SELECT public_key, name, day, time, height, hash, kind, status, relation, sender, nonce, receiver, memo, fee,
    CASE WHEN sender = public_key THEN fee ELSE 0 END AS fee_paid, change, final
  FROM account_commands JOIN account_loads USING (public_key);
CREATE VIEW unsettled AS SELECT * FROM movements WHERE NOT final;
CREATE VIEW day_ends AS
  WITH days AS (
    SELECT public_key, day, COUNT(*) AS commands, CAST(SUM(CASE WHEN final THEN 0 ELSE 1 END) AS BIGINT) AS unsettled,
      COUNT(*) - COUNT(change) AS unknown, CAST(SUM(change) AS BIGINT) AS known FROM movements GROUP BY public_key, day
  ), totals AS (
    SELECT public_key, day, commands, unsettled, CASE WHEN unknown = 0 THEN known END AS change,
      CASE WHEN SUM(unknown) OVER so_far = 0 THEN CAST(SUM(known) OVER so_far AS BIGINT) END AS total
    FROM days WINDOW so_far AS (PARTITION BY public_key ORDER BY day)
  )
  -- Before the account is there the total is 0, and the fee for its creation is not paid yet. What is not known equals nothing.
  SELECT totals.*, name,
    CASE WHEN opening = outside THEN CASE WHEN total + opening < 0 THEN 0 ELSE total + opening END END AS balance
  FROM totals JOIN account_loads USING (public_key);
-- Above the lowest tip a transfer between two of the keys may have one row only, so the sums of all keys end there.
CREATE VIEW lowest_tip AS SELECT MIN(tip_height) AS tip_height, MIN(tip_time) AS tip_time, MIN(tip_day) AS tip_day
  FROM account_loads WHERE NOT EXISTS (SELECT 1 FROM account_loads WHERE tip_day IS NULL);
-- The balances are those of day_ends, also where a period has no command. A day that is not over at the tip has none yet.
CREATE VIEW statements_to_tips AS
  WITH tips AS (
    SELECT public_key, name, opening, outside, FALSE AS of_all, tip_height, tip_time, tip_day FROM account_loads
    UNION ALL SELECT public_key, name, opening, outside, TRUE, lowest_tip.* FROM account_loads CROSS JOIN lowest_tip
  ), lines AS (
    SELECT tips.*, first_day, last_day, first_day <= tip_day AS begun, day >= first_day AS is_within, hash, change,
      change + fee_paid AS moved, fee_paid, final
    FROM tips CROSS JOIN periods
    LEFT JOIN movements ON movements.public_key = tips.public_key AND day <= last_day AND height <= tips.tip_height
  ), sums AS (
    SELECT public_key, name, of_all, tip_height, tip_time, tip_day, first_day, last_day, begun,
      COUNT(CASE WHEN NOT final THEN hash END) AS unsettled,
      CASE WHEN begun AND opening = outside AND COUNT(hash) = COUNT(change) THEN opening + COALESCE(SUM(change), 0) END AS closed,
      COALESCE(SUM(CASE WHEN is_within THEN change END), 0) AS change,
      COUNT(CASE WHEN is_within THEN hash END) - COUNT(CASE WHEN is_within THEN change END) AS unknown,
      SUM(CASE WHEN is_within AND moved > 0 THEN moved ELSE 0 END) AS received,
      SUM(CASE WHEN is_within AND moved < 0 THEN -moved ELSE 0 END) AS sent,
      SUM(CASE WHEN is_within THEN fee_paid ELSE 0 END) AS fees
    FROM lines
    GROUP BY public_key, name, of_all, tip_height, tip_time, tip_day, first_day, last_day, begun, opening, outside
  ), ends AS (
    SELECT sums.*, CASE WHEN closed - change < 0 THEN 0 ELSE closed - change END AS opened,
      CASE WHEN closed < 0 THEN 0 ELSE closed END AS ended FROM sums
  )
  SELECT public_key, name, of_all, first_day, last_day, CAST(opened AS BIGINT) AS opening_balance,
    CAST(CASE WHEN begun AND unknown = 0 THEN received END AS BIGINT) AS received,
    CAST(CASE WHEN begun AND unknown = 0 THEN sent END AS BIGINT) AS sent,
    CAST(CASE WHEN begun THEN fees END AS BIGINT) AS fees, CAST(opened + change - ended AS BIGINT) AS creation_fee,
    CAST(CASE WHEN last_day < tip_day THEN ended END AS BIGINT) AS closing_balance,
    CASE WHEN tip_day IS NOT NULL THEN unsettled END AS unsettled, tip_height AS as_of_height, tip_time AS as_of_time FROM ends;
CREATE VIEW statements AS SELECT public_key, name, first_day, last_day, {", ".join(SUMS)}, unsettled, as_of_height, as_of_time
  FROM statements_to_tips WHERE NOT of_all;
-- A transfer between two of the keys has a row of each, which together move nothing.
CREATE VIEW statements_of_all AS
  WITH shared AS (
    SELECT first_day, last_day, SUM(change + fee_paid) AS moved,
      SUM(CASE WHEN change + fee_paid > 0 THEN change + fee_paid ELSE 0 END) AS received
    FROM periods CROSS JOIN lowest_tip JOIN movements ON day BETWEEN first_day AND last_day AND height <= tip_height
    GROUP BY first_day, last_day, hash HAVING COUNT(*) > 1
  ), transfers AS (
    SELECT first_day, last_day, CAST(SUM(received - CASE WHEN moved > 0 THEN moved ELSE 0 END) AS BIGINT) AS inside
    FROM shared GROUP BY first_day, last_day
  ), totals AS (
    SELECT first_day, last_day, COUNT(*) AS keys, as_of_height, as_of_time, {", ".join(
      f"CAST(CASE WHEN COUNT({sum}) = COUNT(*) THEN SUM({sum}) END AS BIGINT) AS {sum}" for sum in [*SUMS, "unsettled"])}
    FROM statements_to_tips WHERE of_all GROUP BY first_day, last_day, as_of_height, as_of_time
  )
  SELECT first_day, last_day, keys, opening_balance, received - COALESCE(inside, 0) AS received, sent - COALESCE(inside, 0) AS sent,
    fees, creation_fee, closing_balance, unsettled, as_of_height, as_of_time FROM totals LEFT JOIN transfers USING (first_day, last_day);
CREATE VIEW movements_in_mina AS
  SELECT public_key, name, day, time, height, hash, kind, status, sender, nonce, receiver, {in_mina("change")},
    {in_mina("fee_paid")}, CASE WHEN SUBSTR(memo, 1, 1) IN ({FORMULAS}) THEN '''' || memo ELSE memo END AS memo, final FROM movements;
CREATE VIEW day_ends_in_mina AS SELECT public_key, name, day, {in_mina("change")}, {in_mina("balance")}, unsettled FROM day_ends;
CREATE VIEW statements_in_mina AS SELECT public_key, name, first_day, last_day, {", ".join(map(in_mina, SUMS))}, unsettled,
  as_of_height, as_of_time FROM statements;
CREATE VIEW statements_of_all_in_mina AS SELECT first_day, last_day, keys, {", ".join(map(in_mina, SUMS))}, unsettled,
  as_of_height, as_of_time FROM statements_of_all
"""
COLUMNS = "public_key hash height state_hash time day kind status relation sender receiver memo nonce fee change final".split()
KEEP_COMMAND = f"""INSERT INTO account_commands VALUES ({", ".join("?" for _ in COLUMNS)})
  ON CONFLICT (public_key, hash) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in COLUMNS[2:])}"""
HASHES_ABOVE = "SELECT hash FROM account_commands WHERE public_key = ? AND height > ?"
SUM_OF = "SELECT COUNT(*) - COUNT(change), COALESCE(SUM(change), 0) FROM account_commands WHERE public_key = ?"
NEWEST_FINAL = """SELECT height, state_hash, time FROM account_commands JOIN account_loads USING (public_key)
  WHERE final AND height <= settled_height AND network = ? ORDER BY height DESC LIMIT 1"""
KEEP_LOAD = """INSERT INTO account_loads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (public_key) DO UPDATE SET
  name = excluded.name, loaded_at = excluded.loaded_at, settled_height = excluded.settled_height, tip_height = excluded.tip_height,
  tip_time = excluded.tip_time, tip_day = excluded.tip_day, balance = excluded.balance, outside = excluded.outside,
  -- It changes where the account comes or goes, or is loaded anew.
  opening = CASE WHEN account_loads.settled_height > 0 AND account_loads.balance <> 0 AND excluded.balance <> 0
    THEN COALESCE(account_loads.opening, excluded.opening) ELSE COALESCE(excluded.opening, account_loads.opening) END"""
UNEXPLAINED = "SELECT outside - opening FROM account_loads WHERE public_key = ? AND outside <> opening"
UTC = "%Y-%m-%dT%H:%M:%SZ"


class Trouble(SystemExit):
    """Why a key cannot be loaded now. Where it concerns all of them it ends the program."""


class Database:
    """One cursor, whose transactions begin and end where it is said. In DuckDB a second one is not in the first one's transaction."""

    def __init__(self, name):
        self.mark = "?"
        try:
            if name.startswith(("postgresql://", "postgres://")):
                import psycopg
                self.mark, self.cursor = "%s", psycopg.connect(name, autocommit=True).cursor()
            elif name.endswith(".duckdb"):
                self.cursor = __import__("duckdb").connect(name).cursor()
            else:
                self.cursor = sqlite3.connect(name, timeout=60, isolation_level=None).cursor()
        except ImportError as error:
            sys.exit(f'{error}: pip install duckdb, or for PostgreSQL "psycopg[binary]"')
        except Exception as error:  # Each database has a class of its own for it.
            sys.exit(f"the database cannot be opened: {' '.join(str(error).split())}")
        if not self.run("SELECT 1 FROM account_loads", expected="account_loads"):
            # A text is cast to a day in SQLite without an error, and PostgreSQL sorts it as a language does.
            is_day = r"\1 ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' AND CAST(\1 AS DATE) IS NOT NULL"
            is_day = r"date(\1, '+0 days') IS \1" if isinstance(self.cursor, sqlite3.Cursor) else is_day
            self.begin()
            text = 'TEXT COLLATE "C"' if self.mark == "%s" else "TEXT"
            statements = re.sub(r"IS_DAY\((\w+)\)", is_day, re.sub(r"TEXT\b(?!\))", text, SCHEMA)).split(";\n")
            made = all(self.run(statement, expected="already exists") for statement in statements)  # Or by another first run.
            self.run("COMMIT" if made else "ROLLBACK")
        elif not self.run("SELECT statements_of_all.keys FROM statements_of_all LIMIT 0", expected="statements_of_all"):
            sys.exit("the database is of an earlier version of this program: begin a new one")

    def begin(self):
        """SQLite waits for another writer at the start of a transaction, and not within one that has read."""
        self.run("BEGIN IMMEDIATE" if isinstance(self.cursor, sqlite3.Cursor) else "BEGIN")

    def run(self, statement, values=(), expected=None):
        """An error ends the program, and with it the transaction. None where the error has the expected words."""
        try:
            return self.cursor.execute(statement.replace("?", self.mark), values)
        except Exception as error:
            return None if expected and expected in str(error) else sys.exit(f"the database: {' '.join(str(error).split())}")


def memo_text(memo):
    """The text of a memo: in base58 a version, a tag, its length, 32 bytes and a checksum. The memo itself where it is no text."""
    alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    try:
        data = functools.reduce(lambda number, sign: number * 58 + alphabet.index(sign), memo, 0).to_bytes(39, "big")
        end, checksum = 3 + data[2], hashlib.sha256(hashlib.sha256(data[:35]).digest()).digest()[:4]
        is_text = data[:2] == b"\x14\x01" and end <= 35 and not any(data[end:35]) and data[35:] == checksum
        return data[3:end].decode() if is_text else memo
    except (ValueError, OverflowError):
        return memo


def zone_of(name):
    try:
        return zoneinfo.ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise argparse.ArgumentTypeError(f"{name} is not known here; for all zones pip install tzdata") from None


def day_of(time, zone):
    return datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).astimezone(zone).date().isoformat()


def row_of(key, record, zone):  # In the order of COLUMNS.
    command, block = record["command"], record["block"]
    return (
        *(key, record["hash"], block["blockHeight"], block["stateHash"], block["dateTime"], day_of(block["dateTime"], zone)),
        *(command["kind"], command["status"]),
        *(record.get("direction") or record.get("role"), command["feePayer"]["publicKey"], command.get("to")),
        *(memo_text(command["memo"]).replace("\0", "\ufffd"), command["nonce"], command["fee"]),  # PostgreSQL keeps no NUL.
        *(record.get("change"), record.get("final", False)),
    )


class Loader:
    def __init__(self, url, tries, database, network, zone):
        self.url, self.database, self.network, self.zone = url.rstrip("/"), database, network, zone
        self.tries = self.tries_now = tries
        self.heights, self.new, self.deleted, self.unknown, self.unexplained = [], 0, 0, 0, 0
        said, _ = self.get("/network")
        name = said.get("networkName") if isinstance(said, dict) else None
        if name != network:
            raise Trouble(f"the service is on {name}, not on {network}" if name else f"{self.url}/network names no network")
        self.creation_fee = int(said["accountCreationFee"])
        # A chain that was started anew has the same name, and the rows of both in one sum are no balance of either.
        # That of a laptop even has the same first blocks, at other times.
        for height, *ours in database.run(NEWEST_FINAL, [network]).fetchall():
            found, _ = self.get(f"/blocks/height/{height}")
            if not found:
                why = "its tip lies below, it lacks an indexer, or it is another chain"
                raise Trouble(f"the service does not show block {height}, which is final in the database: {why}")
            theirs = [found["block"]["stateHash"], found["block"]["dateTime"]]
            if theirs != ours:
                both = f"its block {height} is {' of '.join(theirs)}, the final one of the database {' of '.join(ours)}"
                raise Trouble(f"the service is on another chain: {both}")

    def get(self, path):
        """The body, None for a 404 or a 409, and the headers, which name the tip. Python's integers keep every digit."""
        for attempt in range(self.tries_now):
            pause = min(60, 2**attempt)
            try:
                with urllib.request.urlopen(self.url + path, timeout=60) as answer:
                    return json.load(answer), answer.headers
            except urllib.request.HTTPError as error:
                if error.code in (404, 409):
                    return None, error.headers
                if error.code != 429 and error.code < 500:
                    raise Trouble(f"{path}: {error.code} {error.read(300).decode(errors='replace')}") from error
                said, reason = error.headers.get("retry-after") or "", f"{error.code}"
                pause = int(said) if said.isdecimal() else pause
            except (OSError, http.client.HTTPException, ValueError) as error:
                reason = str(error)
            time.sleep(pause if attempt + 1 < self.tries_now else 0)
        self.tries_now = 1  # In an outage each of the other keys must not wait as long, until one of them is loaded.
        raise Trouble(f"{path}: {reason}, {attempt + 1} times")

    def walk(self, key, settled):
        """The records above a height, the tip's height, time and balance, which may be unknown; None after a replaced page."""
        for attempt in range(min(5, self.tries)):
            time.sleep(attempt)
            page, tip = self.get(f"/accounts/{key}/transactions?limit=100")
            account, account_tip = self.get(f"/accounts/{key}")
            if page is None:
                raise Trouble("the service knows no such key")
            # If both rest on one block, their difference stands in no command.
            is_one = tip["x-chain-state-hash"] and tip["x-chain-state-hash"] == account_tip["x-chain-state-hash"]
            if is_one:
                break
        total = account["account"]["balance"]["total"] if account else "0.000000000"
        records, pages = [*page["transactions"]], 1
        while "next" in page and all(record["block"]["blockHeight"] > settled for record in page["transactions"]):
            page, _ = self.get(f"/accounts/{key}/transactions?limit=100&before={page['next']}")
            if page is None:
                return None
            records += page["transactions"]
            pages += 1
            if pages % 10 == 0:
                print(f"{key}: {len(records)} rows so far, down to height {page['searched']['fromHeight']}", file=sys.stderr)
        lowest = page["searched"]["fromHeight"]
        if page.get("endOfKnown") and lowest > settled + 1:
            raise Trouble(f"nobody knows the blocks below {lowest}: the service needs an indexer")
        above = [record for record in records if record["block"]["blockHeight"] > settled]
        return above, int(tip["x-chain-height"] or 0), tip["x-chain-time"], int(total.replace(".", "")) if is_one else None

    def load(self, key, name):
        [[settled]] = self.database.run("SELECT settled_height FROM account_loads WHERE public_key = ?", [key]).fetchall() or [[0]]
        walked = next(filter(None, (self.walk(key, settled) for _ in range(20))), None)
        if walked is None:
            raise Trouble("the chain reorganises again and again")
        records, tip_height, tip_time, balance = walked
        if tip_height < settled:
            raise Trouble(f"the tip of the service, {tip_height}, lies below block {settled}, up to which the database is final")
        final = max([settled, *(record["block"]["blockHeight"] for record in records if record.get("final"))])
        seen = {record["hash"] for record in records}
        self.database.begin()
        kept = {each for [each] in self.database.run(HASHES_ABOVE, [key, settled]).fetchall()}
        for record in records:
            self.database.run(KEEP_COMMAND, row_of(key, record, self.zone))
        for gone in kept - seen:
            self.database.run("DELETE FROM account_commands WHERE public_key = ? AND hash = ?", [key, gone])
        [(unknown, total)] = self.database.run(SUM_OF, [key]).fetchall()
        outside = None if unknown or balance is None else balance - int(total)
        # A genesis balance, or what blocks and proofs have paid, is not known to be older than the first command.
        opening = outside if outside in (0, -self.creation_fee) else None
        tip_day = tip_time and day_of(tip_time, self.zone)
        ours = (key, name, self.network, str(self.zone), time.strftime(UTC, time.gmtime()))
        self.database.run(KEEP_LOAD, [*ours, final, tip_height, tip_time, tip_day, balance, outside, opening])
        self.database.run("COMMIT")
        self.tries_now = self.tries
        self.heights.append(tip_height)
        self.new, self.deleted = self.new + len(seen - kept), self.deleted + len(kept - seen)
        self.unknown += outside is None
        for [more] in self.database.run(UNEXPLAINED, [key]).fetchall():
            self.unexplained += 1
            why = "load it anew, or after income from blocks set opening = NULL"
            print(f"{key}: its balance is {more:+} nanomina off opening and changes: {why}", file=sys.stderr)


def names_of(path):
    """The first word of each line, and the name behind it. What stands behind a # is for people."""
    try:
        lines, names = open(path, encoding="utf-8-sig", errors="replace").readlines(), {}
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")
    for number, line in enumerate(lines, 1):
        key, *others = line.partition("#")[0].split() or [""]
        if (key and not key.startswith("B62")) or any(other.startswith("B62") for other in others):
            sys.exit(f"{path}, line {number}: one public key begins a line, and it begins with B62")
        if key and not key.isalnum():
            sys.exit(f"{path}, line {number}: a space follows a public key")
        if key in names:
            sys.exit(f"{path}, line {number}: another line has the same public key")
        if key:
            names[key] = " ".join(others)
    return names or sys.exit(f"{path}: there is no public key in it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("url", "network", "database", "keys"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--tries", type=int, default=8, help="how often a question is asked that has no answer now")
    parser.add_argument("--zone", type=zone_of, default=datetime.timezone.utc, help="whose days they are, such as Europe/Berlin")
    options = parser.parse_args()
    if options.tries < 1:
        parser.error("--tries must be 1 or more")
    if not re.match("https?://.", options.url):
        parser.error("--url must begin with http:// or https://")
    names, database = names_of(options.keys), Database(options.database)
    for network, zone in database.run("SELECT DISTINCT network, zone FROM account_loads").fetchall():
        if (network, zone) != (options.network, str(options.zone)):
            sys.exit(f"the database is that of --network {network} --zone {zone}: give these, or begin a new database")
    # New ones come first, then those that have waited longest: a program that is killed again and again reaches all of them.
    loads = dict(database.run("SELECT public_key, name FROM account_loads ORDER BY loaded_at, public_key").fetchall())
    lineless = sorted(loads.keys() - names.keys())
    if lineless:  # A key that stood still would hold back the sums of all keys.
        print(f"loaded too, without a line in {options.keys}: {', '.join(lineless)}", file=sys.stderr)
    names = {**loads, **names}
    loader = Loader(options.url, options.tries, database, options.network, options.zone)
    for key in sorted(names, key=lambda key: key in loads):
        try:
            loader.load(key, names[key])
        except Trouble as trouble:
            print(f"{key}: {trouble}", file=sys.stderr)
    loaded = f"{len(loader.heights)} of {len(names)} keys up to height {min(loader.heights, default='?')}"
    counts = f"{loader.new} new rows, {loader.deleted} deleted, {loader.unknown} unknown balances"
    print(time.strftime(UTC, time.gmtime()), f"{loaded}: {counts}")
    sys.exit(1 if loader.unexplained or len(loader.heights) < len(names) else 0)


if __name__ == "__main__":
    main()
