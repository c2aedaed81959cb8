#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The simulator's own code under valgrind, over runs that between them start, switch and end threads in all
# ways, report, and crash: valgrind.sh REDUCTIO. Each must exit as stated, and without a word from valgrind.
set -u
reductio=$1
corpus=$(dirname "$0")/hazards
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
# Memcheck marks every address that is mapped: with less room than this to be had, the simulator
# takes a small arena.
ulimit -v 3000000
n=0

# expect STATUS ARGUMENT...: the arguments of reductio. As many at once as there are processors: `wait` before a run that reads
# what another one writes.
expect() {
    n=$((n + 1))
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    run_expecting "$n" "$@" &
}

run_expecting() {
    local status=0 out=$folder/out.$1 wanted=$2
    shift 2
    timeout 1200 valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect "$reductio" "$@" >"$out" 2>"$out.err" || status=$?
    if [ "$status" = "$wanted" ] && ! grep -q '^==' "$out.err"; then
        : >"$out.passed"
    else
        echo "exit status $status, where $wanted was due: reductio $*"
        cat "$out" "$out.err"
    fi
}

# Local variables would be a second build and a second run, whose shadow lies where valgrind has no memory. Valgrind knows
# neither Landlock nor seccomp, and calls a list that the loader keeps of a library lost in a process of other namespaces:
# the sandbox has tests of its own.
check() {
    local wanted=$1 file=$2 kernel=$3
    shift 3
    expect "$wanted" check "$corpus/$file.cu" --kernel "$kernel" --private off --no-sandbox "$@"
}

export XDG_STATE_HOME=$folder
expect 0 run fold -n 64 --device sim
expect 1 run fold:wrong-half --device sim
expect 0 run fold -n 16 --values witness --device sim --json
expect 0 run dot-tournament -n 33 --type f32 --values random:7 --device sim --trace "$folder/trace"
wait
expect 0 verify "$folder/trace"
check 0 races block_sum --grid 3 --block 64 --arg 'f32[192]:iota' --arg 'f32[3]:uninit' --schedule interleave
check 0 races block_sum --grid 3 --block 64 --arg 'f32[192]:iota' --arg 'f32[3]:uninit' --jobs 3
check 1 races block_sum_no_barrier --grid 1 --block 64 --arg 'f32[64]:iota' --arg 'f32[1]:uninit' --schedule random --json
check 0 barriers in_three_dimensions --grid 2,2,2 --block 8,16,8 --arg 'i32[8192]:zero' --schedule interleave
check 0 warps lock --grid 2 --block 4 --arg 'i32[1]:zero' --arg 'i32[1]:zero' --schedule interleave
check 1 warps mask_names_absent --grid 1 --block 64 --arg 'i32[64]:iota'
check 1 barriers asserts --grid 1 --block 4 --arg 'i32[4]:iota'
check 1 bounds too_deep --grid 1 --block 2 --arg 'i32[2]:iota'
check 0 grid sum_of_the_grid --grid 7 --block 64 --arg 'i32[448]:iota' --arg 'i32[7]:uninit' --arg 'i32[1]:uninit' --schedules 3
check 1 heap freed_twice --grid 1 --block 1
check 0 heap by_one --grid 2 --block 64 --arg 'i32[128]:zero' --schedule interleave
check 1 edges freed_memory --grid 1 --block 32 --arg 'freed:i32[32]:iota' --arg 'i32[32]:uninit' --sarif "$folder/log"
check 1 edges one_thread_too_many --grid 1 --block 1025 --arg 'i32[1025]:zero'
check 2 races nonesuch --grid 1 --block 1

wait
passed=$(find "$folder" -name 'out.*.passed' | wc -l)
echo "$n runs under valgrind, $((n - passed)) failed"
[ "$passed" = "$n" ]
