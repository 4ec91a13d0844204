#!/bin/sh
# One search in CI, for the GitHub action and the GitLab template beside this file: runs `mazur` with the given
# arguments and keeps everything that a person or the CI system may want afterwards in one folder.
#
# Usage: check.sh check|run ARGUMENT...
#        check.sh merge RESULT.json...      the results of a search in several jobs (--shard)
# Environment: MAZUR (mazur), MAZUR_RESULTS (mazur-results: result.json, result.sarif, junit.xml, page.html, traces)
# Exits as mazur does.
set -u
mazur=${MAZUR:-mazur}
results=${MAZUR_RESULTS:-mazur-results}
unset MAZUR MAZUR_RESULTS # options can be set as MAZUR_NAME: these two are none
case ${1:-} in
check | run | merge) ;;
*)
    echo "check.sh: expected 'check', 'run' or 'merge', then what to search or merge" >&2
    exit 64
    ;;
esac
command=$1
shift
mkdir -p "$results" || exit 70
[ "$command" = merge ] || set -- --trace-dir "$results" "$@"
"$mazur" "$command" --json "$results/result.json" --sarif "$results/result.sarif" --junit "$results/junit.xml" \
    --html "$results/page.html" "$@"
