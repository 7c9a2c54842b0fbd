#!/usr/bin/env bash
# Most expect: a `DecimalField` gives back the Decimal that was saved.
# True: on SQLite it is kept as a float, of which Django reads 15 digits, whatever `max_digits` says. Who saves
#   what was read writes them back. A hint at the float stands in Django's notes on databases.
# Package: Django 5.2.19 (PyPI)
# Why here: a balance above a million MINA with nine decimals has 16 digits and more. A `BigIntegerField` of nanomina is exact.
set -euo pipefail
expected="${EXPECTED:-1151424209.378197783 is read as 1151424209.378200000, 1500000.123456789 as 1500000.123456790; nanomina 1151424209378197783 as 1151424209378197783}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip env
python3 -m pip --python env/bin/python install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile Django==5.2.19
cat > run.py <<'PY'
from decimal import Decimal

import django
from django.conf import settings

settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
django.setup()

from django.db import connection, models


class Balance(models.Model):
    mina = models.DecimalField(max_digits=38, decimal_places=9)
    nanomina = models.BigIntegerField()

    class Meta:
        app_label = "books"


with connection.schema_editor() as editor:
    editor.create_model(Balance)
for nanomina in (1151424209378197783, 1500000123456789):
    Balance.objects.create(mina=Decimal(nanomina).scaleb(-9), nanomina=nanomina)
large, small = Balance.objects.order_by("id")
print(
    f"1151424209.378197783 is read as {large.mina}, 1500000.123456789 as {small.mina}; "
    f"nanomina 1151424209378197783 as {large.nanomina}"
)
PY
seen="$(env/bin/python run.py)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
