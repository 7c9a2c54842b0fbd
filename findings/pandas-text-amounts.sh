#!/usr/bin/env bash
# Most expect: amounts that stand in JSON as text stay text, so that no digit can be lost.
# True: `pandas.read_json` makes numbers of every column whose texts look like numbers. A balance becomes a float64, a memo
#   "0010" becomes 10, and a column named `date` becomes a time.
# Package: pandas 3.1.1 (PyPI)
# Why here: the service writes amounts as text to keep them exact. Read with `dtype=False`, or build
#   the frame from `json.loads`.
set -euo pipefail
expected="${EXPECTED:-total: float64 1151424209.3781977; memo: int64 10; with dtype=False: total 1151424209.378197783, memo 0010}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env
python3 -m pip --python env/bin/python install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile pandas==3.1.1
cat > run.py <<'PY'
import io
import pandas

answer = '[{"total": "1151424209.378197783", "memo": "0010"}, {"total": "0.000000001", "memo": "7"}]'
read = pandas.read_json(io.StringIO(answer))
kept = pandas.read_json(io.StringIO(answer), dtype=False)
print(
    f"total: {read.total.dtype} {read.total[0]}; memo: {read.memo.dtype} {read.memo[0]}; "
    f"with dtype=False: total {kept.total[0]}, memo {kept.memo[0]}"
)
PY
seen="$(env/bin/python run.py)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
