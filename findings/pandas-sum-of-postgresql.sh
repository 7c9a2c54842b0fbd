#!/usr/bin/env bash
# Most expect: `read_sql(…, dtype_backend='numpy_nullable')` keeps integers, and PostgreSQL's sum of a bigint is one.
# True: that sum is a `numeric`, which pandas makes a float first (`coerce_float`), under each `dtype_backend`. With
#   `dtype={'total': 'Int64'}` it has the type of an exact integer and other digits. With `coerce_float=False` digits stay.
# Package: pandas 3.1.1, SQLAlchemy 2.1.9, psycopg 3.3.9 (PyPI); PostgreSQL is @electric-sql/pglite 0.5.14, -socket 0.2.17 (npm)
# Why here: each sum of nanomina over a table of payments above nine million MINA. Write `SUM(…)::bigint`.
set -euo pipefail
expected="${EXPECTED:-sum 1151424209378197784: float64 1151424209378197760; numpy_nullable: Float64 1151424209378197760; dtype Int64: Int64 1151424209378197760; coerce_float=False: object 1151424209378197784; sum::bigint: int64 1151424209378197784}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17
python3 -m venv --without-pip env
python3 -m pip --python env/bin/python install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile \
  pandas==3.1.1 SQLAlchemy==2.1.9 "psycopg[binary]==3.3.9"
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const db = await PGlite.create()
await db.exec('CREATE TABLE books (amount bigint); INSERT INTO books VALUES (1151424209378197783), (1)')
const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 4 })
const listening = new Promise((done) => server.addEventListener('listening', ({ detail }) => done(detail.port)))
await server.start()
spawn('env/bin/python', ['run.py', String(await listening)], { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1))
JS
cat > run.py <<'PY'
import sys

import pandas as pd
import sqlalchemy

engine = sqlalchemy.create_engine(f"postgresql+psycopg://127.0.0.1:{sys.argv[1]}/postgres?user=postgres")


def shown(query="SELECT sum(amount) AS total FROM books", **options):
    column = pd.read_sql(query, engine, **options)["total"]
    return f"{column.dtype} {int(column[0])}"


print(
    f"sum 1151424209378197784: {shown()}; numpy_nullable: {shown(dtype_backend='numpy_nullable')}; "
    f"dtype Int64: {shown(dtype={'total': 'Int64'})}; coerce_float=False: {shown(coerce_float=False)}; "
    f"sum::bigint: {shown('SELECT sum(amount)::bigint AS total FROM books')}"
)
PY
seen="$(node run.mjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
