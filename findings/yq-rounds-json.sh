#!/usr/bin/env bash
# Most expect: yq hands on what an expression does not touch, as jq does since 1.7.
# True: a JSON file's integers above 2^53 are rounded by `.`, and `.a + 1` begins at the rounded one. The same text read as YAML
#   (`-p yaml`) keeps them.
# Package: github.com/mikefarah/yq v4.54.3 (Go)
# Why here: `totalCurrency` and amounts of a block above nine million MINA are other ones after `yq . block.json`.
set -euo pipefail
expected="${EXPECTED:-1151424209378197783: as JSON 1151424209378197760, + 1 1151424209378197761; as YAML 1151424209378197783}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
GOBIN="$folder" go install github.com/mikefarah/yq/v4@v4.54.3 2>errors.txt || { cat errors.txt >&2; exit 1; }
echo '{"totalCurrency":1151424209378197783}' > block.json
rounded="$(./yq .totalCurrency block.json)"
sum="$(./yq '.totalCurrency + 1' block.json)"
seen="1151424209378197783: as JSON $rounded, + 1 $sum; as YAML $(./yq -p yaml -o yaml .totalCurrency block.json)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "another behaviour, expected: $expected" >&2; exit 1; }
