#!/bin/bash
# Does run.sh notice the differences that it should? A stand-in for the command answers each
# check with a fixed result, and the runner must report each kind of difference, and nothing
# else.
set -u
cd "$(dirname "$0")" || exit 70
scratch=$(mktemp -d "${TMPDIR:-/tmp}/mazur-selftest.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/mazur" <<'END'
#!/bin/bash
[ "$1" = replay ] && exit "$REPLAY"
while [ $# -gt 0 ]; do
    case $1 in
    --json) echo "$ANSWER" >"$2" ;;
    --trace-dir) [ -z "$TRACE" ] || echo >"$2/a.mzt" ;;
    esac
    shift
done
[ "$STATUS" != 70 ] || echo "it reached the limit of 60 s on processor time (ulimit -t)"
exit "$STATUS"
END
chmod +x "$scratch/mazur"
mkdir "$scratch/family"
failures=0

# cases are chosen by name, so no two families may have a case of the same name
twins=$(printf '%s\n' */*_good.* */*_bad.* | sed 's|.*/||' | sort | uniq -d)
[ -z "$twins" ] || { echo "not ok in two families: $twins" && failures=1; }
stray=$(compgen -G '*_good.*'; compgen -G '*_bad.*')
[ -z "$stray" ] || { echo "not ok in no family, so nobody runs it: $stray" && failures=1; }
for family in */; do
    case $family in mazur-scratch-*) continue ;; esac # of a search that runs at this moment
    [ "$(readlink "${family}family.t")" = ../family.sh ] ||
        { echo "not ok prove does not know the family $family: ln -s ../family.sh ${family}family.t" && failures=1; }
    grep -q "^${family%/} [a-z]" ../../scripts/test.sh ||
        { echo "not ok make check has no pair of the family $family (scripts/test.sh)" && failures=1; }
done

# expect TEXT: the runner, given $EXPECT_LINE, prints a line with TEXT and fails, or, for TEXT
# "ok", passes.
expect() {
    local output status
    printf '/* %s */\nint main(void)\n{\n    return 0; /* HERE */\n}\n' "$EXPECT_LINE" \
        >"$scratch/family/sample_bad.c"
    output=$(cd "$scratch" && MAZUR=$scratch/mazur CC=cc "$scratch/run.sh" 2>&1)
    status=$?
    if [ "$1" = ok ] && [ "$status" = 0 ]; then
        return
    elif [ "$1" != ok ] && [ "$status" != 0 ] && grep -qF -- "$1" <<<"$output"; then
        return
    fi
    echo "not ok '$EXPECT_LINE': wanted '$1', got status $status: $output"
    failures=$((failures + 1))
}

sed "s|\$here/../\([a-z]*\.sh\)|$PWD/../\1|" run.sh >"$scratch/run.sh"
chmod +x "$scratch/run.sh"
export ANSWER='{"verdict": "deadlock", "message": "deadlock of 2 threads", "executions": 5,
    "distinct": 3, "preemptions": 1, "complete": false, "location": "dir/sample_bad.c:4",
    "uncontrolled": ["fork"]}'
export STATUS=2 REPLAY=2 TRACE=yes STRATEGY=icb
good='verdict=deadlock exit=2 bound=1 executions=5 distinct=3 complete=false'
EXPECT_LINE="EXPECT $good location=HERE says=of_2_Threads uncontrolled=fork -- --bound 2"
expect ok
for wrong in verdict=pass exit=0 bound=0 executions=6 distinct=4 complete=true; do
    EXPECT_LINE="EXPECT $good $wrong"
    expect "${wrong%%=*} is "
done
EXPECT_LINE="EXPECT $good says=livelock"
expect "lacks 'livelock'"
EXPECT_LINE="EXPECT $good uncontrolled=read"
expect "read is not listed"
EXPECT_LINE="EXPECT $good colour=red"
expect "unknown key 'colour'"
EXPECT_LINE="says nothing"
expect "no EXPECT line"
EXPECT_LINE="EXPECT $good"
REPLAY=0 expect "replay exits with 0"
TRACE='' expect "no trace file"
ANSWER='{' expect "verdict is ''"
STATUS=70 expect "more than 60 s of processor time"
STRATEGY=random EXPECT_LINE="EXPECT executions=6 distinct=3" expect ok
echo "runner: $([ "$failures" = 0 ] && echo passed || echo "$failures failed")"
[ "$failures" = 0 ]
