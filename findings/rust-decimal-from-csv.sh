#!/usr/bin/env bash
# Most expect: a field of type `Decimal` is exact, from CSV as from JSON text.
# True: csv hands on what looks like a number as an f64, so that the Decimal is made of a rounded float, without an error. With
#   `#[serde(with = "rust_decimal::serde::str")]` it is exact.
# Package: rust_decimal 1.43.0 with csv 1.4.0 (crates.io)
# Why here: balances in MINA have nine decimals, 19 digits for a supply, and accountants hand them on as CSV.
set -euo pipefail
expected="${EXPECTED:-JSON: 1151424209.378197783, 66000000.000000001; CSV: 1151424209.3781977, 66000000; CSV with str: 1151424209.378197783, 66000000.000000001}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > Cargo.toml <<'TOML'
[package]
name = "run"
version = "0.0.0"
edition = "2021"

[dependencies]
csv = "=1.4.0"
rust_decimal = { version = "=1.43.0", features = ["serde-with-str"] }
serde = { version = "=1.0.229", features = ["derive"] }
serde_json = "=1.0.154"
TOML
mkdir src
cat > src/main.rs <<'RS'
use rust_decimal::Decimal;
use serde::{de::DeserializeOwned, Deserialize};

#[derive(Deserialize)]
struct Plain {
    mina: Decimal,
}

#[derive(Deserialize)]
struct Text {
    #[serde(with = "rust_decimal::serde::str")]
    mina: Decimal,
}

fn rows<Row: DeserializeOwned>() -> Vec<Row> {
    let text = "mina\n1151424209.378197783\n66000000.000000001\n";
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

fn main() {
    let json: Vec<Plain> =
        serde_json::from_str(r#"[{"mina":"1151424209.378197783"},{"mina":"66000000.000000001"}]"#).unwrap();
    let (plain, text) = (rows::<Plain>(), rows::<Text>());
    println!(
        "JSON: {}, {}; CSV: {}, {}; CSV with str: {}, {}",
        json[0].mina, json[1].mina, plain[0].mina, plain[1].mina, text[0].mina, text[1].mina
    );
}
RS
seen="$(cargo run --quiet 2>errors.txt)" || { cat errors.txt >&2; exit 1; }
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
