#!/usr/bin/env bash
# Most expect: what a query shows is what `COPY … TO 'file.parquet'` writes.
# True: a HUGEINT is written as a DOUBLE, without a word; Parquet has no such integer. A `SUM` of BIGINT is a HUGEINT, and so is a
#   JSON column in which one number is above 2^63: all others of it lose digits too. JSON and CSV files get every digit.
# Package: duckdb 2.0.1 (PyPI)
# Why here: sums of nanomina, and amounts of a token, are exact in the database and rounded in the file that is handed on.
set -euo pipefail
expected="${EXPECTED:-sum: 1151424209378197783 is HUGEINT, in Parquet DOUBLE 1151424209378197760; beside 18446744073709551615: 1151424209378197783 is HUGEINT, in Parquet DOUBLE 1151424209378197760; DECIMAL(38,0): 1151424209378197783}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env
python3 -m pip --python env/bin/python install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile duckdb==2.0.1
cat > run.py <<'PY'
import duckdb

connection = duckdb.connect()
with open("amounts.json", "w") as file:
    file.write('[{"amount": 1151424209378197783}, {"amount": 18446744073709551615}]')
total = "SELECT sum(amount) AS amount FROM (VALUES (1151424209378197782::BIGINT), (1)) AS books(amount)"
least = "SELECT amount FROM 'amounts.json' ORDER BY amount LIMIT 1"


def written(query):
    connection.execute(f"COPY ({query}) TO 'file.parquet'")
    return connection.execute("SELECT typeof(amount), amount FROM 'file.parquet'").fetchone()


def both(query):
    kind, amount = connection.execute(f"SELECT typeof(amount), amount FROM ({query})").fetchone()
    stored_kind, stored = written(query)
    return f"{amount} is {kind}, in Parquet {stored_kind} {stored:.0f}"


kind, amount = written(f"SELECT amount::DECIMAL(38,0) AS amount FROM ({total})")
print(f"sum: {both(total)}; beside 18446744073709551615: {both(least)}; {kind}: {amount}")
PY
seen="$(env/bin/python run.py)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
