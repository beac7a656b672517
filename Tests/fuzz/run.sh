#!/usr/bin/env bash
# Runs each fuzz target for a while: run.sh PROGRAM SECONDS [TARGET…]. Stops at the first finding and names its input.
# FUZZ_SEED makes a run much like an earlier one; without it every run tries other inputs.
set -euo pipefail

program=$1 seconds=$2
shift 2
folder=$(dirname "$0")/corpus
found=artifacts/fuzz
if [ $# -eq 0 ]; then
    for target in "$folder"/*/; do set -- "$@" "$(basename "$target")"; done
fi
# The toolchain's own report of a crash would be taken for a second one.
export SWIFT_BACKTRACE=enable=no

for target in "$@"; do
    # What this machine found so far is kept between runs and is no part of the repository.
    grown=.build/fuzz/corpus/$target log=.build/fuzz/$target.log
    mkdir -p "$grown" "$found"
    options=(-max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -seed="${FUZZ_SEED:-0}")
    options+=(-artifact_prefix="$found/$target-")
    [ ! -f "$folder/$target.dict" ] || options+=(-dict="$folder/$target.dict")
    if FUZZ_TARGET=$target "$program" "${options[@]}" "$grown" "$folder/$target" >"$log" 2>&1; then
        echo "fuzz $target: $(sed -n 's/^#[0-9]*\tDONE *//p' "$log" | tail -1), $(tail -1 "$log")"
    else
        tail -60 "$log"
        echo "fuzz $target: a finding; its input is in $found, run it again with"
        echo "    FUZZ_TARGET=$target $program $found/NAME"
        exit 1
    fi
done
