#!/bin/bash
# Runs a few hundred mutated models under the sanitizers: each must give a message or a verdict,
# never a crash. `make fuzz-models` runs 100,000 of them, from Spin's examples, too.
#
# Usage: models.sh [MUTANTS [SEED]]
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 70
make --no-print-directory -s B=build/sanitized build/sanitized/fuzz_models \
    CFLAGS='-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined' || exit 1
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 70
ASAN_OPTIONS=detect_leaks=0 "$root/build/sanitized/fuzz_models" "${1:-300}" "${2:-1}" \
    "$root"/tests/models/*.pml "$root"/tests/models/features/*.pml
status=$?
for file in fuzz-*.pml; do
    [ -e "$file" ] && echo "--- $file" && head -c 2000 "$file"
done
exit $status
