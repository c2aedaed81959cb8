#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs each program in the simulator with its defaults: it holds, and a lesson is violated. Of a build whose tests take too
# long, as of another compiler's, this alone is run.
#
# usage: tests/programs.sh REDUCTIO
set -u
failed=0

runs_as_it_must() {
    said=$("$1" run "$2" --device sim --quiet --no-last 2>&1)
    status=$?
    [ "$status" = "$3" ] || { echo "$2: exit status $status, not $3: $said"; return 1; }
}

names=$("$1" list --json | python3 -c 'import json, sys
for row in json.load(sys.stdin):
    print(row["name"], int(row["lesson"]))') || exit 2
while read -r name lesson; do
    runs_as_it_must "$1" "$name" "$lesson" || failed=$((failed + 1))
done <<EOF
$names
EOF
echo "$(echo "$names" | wc -l) programs, of which $failed do not end as they must"
[ "$failed" = 0 ]
