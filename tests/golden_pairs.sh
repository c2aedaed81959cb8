#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: golden_pairs.sh REDUCTIO FOLDER: each golden trace of the simulator and the one that a GPU
# recorded of the same run are the same. Exits 77, skipped, where there is no pair.
pairs=0
failed=0
for sim in "$2"/*.sim.ndjson; do
    cuda=${sim%.sim.ndjson}.cuda.ndjson
    [ -e "$cuda" ] || continue
    pairs=$((pairs + 1))
    "$1" diff "$sim" "$cuda" || failed=$((failed + 1))
done
echo "$pairs pairs, $failed differ"
[ "$pairs" -gt 0 ] || exit 77
[ "$failed" = 0 ]
