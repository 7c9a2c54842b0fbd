#!/usr/bin/env python3
"""Loads the histories of accounts into a database, and what has changed since at each later run: let cron start it.

    load_history.py --url URL --network mainnet --database history.db --keys keys.txt

The database is SQLite's file, DuckDB's where its name ends with .duckdb (pip install duckdb), or PostgreSQL's where it begins with
postgresql:// (pip install "psycopg[binary]"). In all of them the statements are the same. Amounts are nanomina, times and days UTC.

A command in one of the latest blocks may lie in another block tomorrow, or in none. So each run asks for every height again that
was not final at the last one, and deletes what it does not see there. A key is loaded in one transaction, whenever the program is
killed. Exit code 1: some keys could not be loaded now, and are as they were.
"""

import argparse
import datetime
import http.client
import json
import pathlib
import sqlite3
import sys
import time
import urllib.error
import urllib.request

# Two loaded keys pay each other, so a command may have two rows. Times are texts, so that no database knows better which day it is.
SCHEMA = """
CREATE TABLE account_loads (
  public_key TEXT PRIMARY KEY, network TEXT NOT NULL, loaded_at TEXT NOT NULL,
  settled_height BIGINT NOT NULL, -- what is at this height or below it never changes
  outside BIGINT, -- the balance less all changes: what stands in no command
  opening BIGINT -- the part of it that was there before the first command, where that is known
);
CREATE TABLE account_commands (
  public_key TEXT NOT NULL, hash TEXT NOT NULL, height BIGINT NOT NULL, state_hash TEXT NOT NULL, time TEXT NOT NULL,
  kind TEXT NOT NULL, status TEXT NOT NULL, relation TEXT NOT NULL, sender TEXT NOT NULL, receiver TEXT, memo TEXT NOT NULL,
  nonce BIGINT NOT NULL, fee BIGINT NOT NULL, change BIGINT, final BOOLEAN NOT NULL, loaded_at TEXT NOT NULL,
  PRIMARY KEY (public_key, hash)
);
CREATE VIEW movements AS
  SELECT public_key, SUBSTR(time, 1, 10) AS day, time, height, hash, kind, status, relation, sender, receiver, memo, fee, change, final
  FROM account_commands;
CREATE VIEW unsettled AS SELECT * FROM movements WHERE NOT final;
CREATE VIEW day_ends AS
  WITH days AS (
    SELECT public_key, day, COUNT(*) AS commands, SUM(CASE WHEN final THEN 0 ELSE 1 END) AS unsettled,
      COUNT(*) - COUNT(change) AS unknown, COALESCE(SUM(change), 0) AS known
    FROM movements GROUP BY public_key, day
  ), totals AS (
    SELECT public_key, day, commands, unsettled, unknown, known,
      SUM(known) OVER (PARTITION BY public_key ORDER BY day) AS total,
      SUM(unknown) OVER (PARTITION BY public_key ORDER BY day) AS unknown_so_far
    FROM days
  )
  SELECT totals.public_key, day, commands, unsettled,
    CASE WHEN unknown = 0 THEN known END AS change,
    CASE WHEN unknown_so_far = 0 THEN total END AS total,
    -- Before the account is there the total is 0, and the fee for its creation is not paid yet.
    CASE WHEN unknown_so_far > 0 OR opening <> outside THEN NULL
      WHEN total + opening < 0 THEN 0 ELSE total + opening END AS balance
  FROM totals JOIN account_loads ON account_loads.public_key = totals.public_key
"""

# In the order of row_of.
COLUMNS = "public_key hash height state_hash time kind status relation sender receiver memo nonce fee change final loaded_at".split()
KEEP_COMMAND = f"""
INSERT INTO account_commands VALUES ({", ".join("?" for _ in COLUMNS)})
ON CONFLICT (public_key, hash) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in COLUMNS[2:])}
"""
FORGET_UNSEEN = "DELETE FROM account_commands WHERE public_key = ? AND height > ? AND loaded_at <> ?"
KEEP_LOAD = """
INSERT INTO account_loads (public_key, network, loaded_at, settled_height, outside, opening) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (public_key) DO UPDATE SET loaded_at = excluded.loaded_at, settled_height = excluded.settled_height,
  outside = excluded.outside, opening = COALESCE(excluded.opening, account_loads.opening)
"""
SUM_OF = "SELECT COUNT(*) - COUNT(change), COALESCE(SUM(change), 0) FROM account_commands WHERE public_key = ?"


class Database:
    """One cursor, whose transactions begin and end where it is said. In DuckDB a second one would be in no transaction of the first."""

    def __init__(self, name):
        self.mark = "?"
        if name.startswith(("postgresql://", "postgres://")):
            import psycopg
            self.mark, self.cursor = "%s", psycopg.connect(name, autocommit=True).cursor()
        elif name.endswith(".duckdb"):
            import duckdb
            self.cursor = duckdb.connect(name).cursor()
        else:
            self.cursor = sqlite3.connect(name, timeout=60, isolation_level=None).cursor()
        if not self.has_tables():
            self.in_transaction(lambda: [self.run(statement) for statement in SCHEMA.split(";\n")])

    def run(self, statement, values=()):
        return self.cursor.execute(statement.replace("?", self.mark), values)

    def rows(self, statement, values=()):
        return self.run(statement, values).fetchall()

    def has_tables(self):
        try:
            return self.rows("SELECT COUNT(*) FROM account_loads") != []
        except Exception as error:  # Each database has a class of its own for it.
            if "account_loads" not in str(error):
                raise
            return False

    def in_transaction(self, action):
        """All or nothing: an error ends the program, and with it the transaction."""
        self.run("BEGIN")
        action()
        self.run("COMMIT")


class Trouble(Exception):
    """A key that cannot be loaded now."""


class Replaced(Exception):
    """A 409: a reorganisation has replaced the block of the cursor."""


class Service:
    def __init__(self, url, tries):
        self.url, self.tries = url.rstrip("/"), tries

    def get(self, path):
        """The body and the state hash of the tip on which it rests; no body for what does not exist. Python's integers keep every digit."""
        for attempt in range(self.tries):
            pause = min(60, 2**attempt)
            try:
                with urllib.request.urlopen(self.url + path, timeout=60) as answer:
                    return json.load(answer), answer.headers.get("x-chain-state-hash")
            except urllib.error.HTTPError as error:
                if error.code == 404:
                    return None, error.headers.get("x-chain-state-hash")
                if error.code == 409:
                    raise Replaced from error
                if error.code != 429 and error.code < 500:
                    raise Trouble(f"{path}: {error.code} {error.read(300).decode(errors='replace')}") from error
                said, reason = error.headers.get("retry-after") or "", f"{error.code}"
                pause = int(said) if said.isdecimal() else pause
            except (OSError, http.client.HTTPException, ValueError) as error:
                reason = str(error)
            if attempt + 1 < self.tries:
                time.sleep(pause)
        raise Trouble(f"{path}: {reason}, {self.tries} times")


def nanomina(mina):
    """Nanomina of a balance, which has nine decimals."""
    return int(mina.replace(".", ""))


def row_of(key, record, loaded_at):
    command, block = record["command"], record["block"]
    return (
        *(key, record["hash"], block["blockHeight"], block["stateHash"], block["dateTime"], command["kind"], command["status"]),
        *(record.get("direction") or record.get("role"), command["feePayer"]["publicKey"], command.get("to")),
        # A memo may hold anything, and PostgreSQL keeps no NUL.
        *(command["memo"].replace("\0", "\ufffd"), command["nonce"], command["fee"]),
        *(record.get("change"), record.get("final", False), loaded_at),
    )


class Loader:
    def __init__(self, service, database, network):
        self.service, self.database, self.network = service, database, network
        said, _ = service.get("/network")
        if not said or said.get("networkName") != network:
            raise Trouble(f"the service is on {said and said.get('networkName')}, not on {network}")
        self.creation_fee = int(said["accountCreationFee"])

    def walk(self, key, settled):
        """All records above a height, newest first, and the balance at the tip above them; None where that may be another one's."""
        page, tip = self.service.get(f"/accounts/{key}/transactions?limit=100")
        if page is None:
            raise Trouble("the service knows no such key")
        # Both rest on the same block, so their difference stands in no command.
        account, account_tip = self.service.get(f"/accounts/{key}")
        total = account["account"]["balance"]["total"] if account else "0"
        records = []
        while True:
            above = [record for record in page["transactions"] if record["block"]["blockHeight"] > settled]
            records += above
            if len(above) < len(page["transactions"]) or "next" not in page:
                break
            page, _ = self.service.get(f"/accounts/{key}/transactions?limit=100&before={page['next']}")
        lowest = page["searched"]["fromHeight"]
        if page.get("endOfKnown") and lowest > settled + 1:
            raise Trouble(f"nobody knows the blocks below {lowest}: the service needs an indexer")
        return records, nanomina(total) if tip and account_tip == tip else None

    def load(self, key):
        known = self.database.rows("SELECT network, settled_height FROM account_loads WHERE public_key = ?", [key])
        [(network, settled)] = known or [(self.network, 0)]
        if network != self.network:
            raise Trouble(f"the database has its history on {network}")
        for beginning in range(20):
            try:
                records, balance = self.walk(key, settled)
                break
            except Replaced as replaced:
                if beginning == 19:
                    raise Trouble("the chain reorganises again and again") from replaced
        loaded_at = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="microseconds")
        rows = [row_of(key, record, loaded_at) for record in records]
        final = max([settled, *(record["block"]["blockHeight"] for record in records if record.get("final"))])

        def keep():
            for row in rows:
                self.database.run(KEEP_COMMAND, row)
            self.database.run(FORGET_UNSEEN, [key, settled, loaded_at])
            [(unknown, total)] = self.database.rows(SUM_OF, [key])
            outside = None if unknown or balance is None else balance - int(total)
            # A genesis balance, or what blocks and proofs have paid, is not known to be older than the first command.
            opening = outside if outside in (0, -self.creation_fee) else None
            self.database.run(KEEP_LOAD, [key, self.network, loaded_at, final, outside, opening])

        self.database.in_transaction(keep)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("url", "network", "database"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--keys", type=pathlib.Path, required=True, help="a file with a public key in each line")
    parser.add_argument("--tries", type=int, default=8, help="how often a question is asked that has no answer now")
    options = parser.parse_args()
    database = Database(options.database)
    # Those that have waited longest come first, so that a program that is killed again and again reaches all of them.
    last = dict(database.rows("SELECT public_key, loaded_at FROM account_loads"))
    keys = sorted(set(options.keys.read_text().split()), key=lambda key: (last.get(key, ""), key))
    failed = 0
    try:
        loader = Loader(Service(options.url, options.tries), database, options.network)
        for key in keys:
            try:
                loader.load(key)
            except Trouble as trouble:
                failed += 1
                print(f"{key}: {trouble}", file=sys.stderr)
    except Trouble as trouble:
        sys.exit(str(trouble))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
