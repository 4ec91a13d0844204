#!/bin/bash
# Traces travel: another checkout, another directory, a moved trace, a changed program.
. "$(dirname "$0")/lib.sh"

# tree DIRECTORY: a project with sources in two folders and a header
tree() {
    mkdir -p "$1/src" "$1/lib" "$1/include"
    echo '#define STEP 1' >"$1/include/step.h"
    printf '#include <stdatomic.h>\n#include "step.h"\natomic_int tail;\nvoid push(void) { int t = atomic_load(&tail); atomic_store(&tail, t + STEP); }\n' \
        >"$1/lib/push.c"
    cat >"$1/src/test.c" <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern atomic_int tail;
void push(void);
static void *work(void *unused) { push(); return unused; }
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(atomic_load(&tail) == 2);
    return 0;
}
C
}

# found DIRECTORY WORDS...: mazur check in it; leaves the name of its trace in $trace
found() {
    local directory=$1
    last="check in $1"
    shift
    rm -rf "$directory/traces"
    (cd "$directory" && timeout "$PATIENCE" "$MAZUR" check --quiet --trace-dir traces "$@") >out 2>err </dev/null
    [ "$?" = 1 ] || fault "check $* in $directory: $(cat err)"
    trace=$(cd "$directory" && ls traces/*.mzt)
}

words=(src/test.c lib/push.c -I include)

t "the name of a trace does not depend on the directory; nothing in it does"
tree one
tree "a b/zwö"
found one "${words[@]}"
first=$trace
found "a b/zwö" "${words[@]}"
[ "$first" = "$trace" ] || fault "names differ: $first, $trace"
lacks "one/$first" "$work"
grep -v build_id "one/$first" >first.txt # the compiler notes the directory in the program
grep -v build_id "a b/zwö/$trace" >second.txt
same first.txt second.txt

t "a copy replays its own sources, with a path with blanks and other letters"
sed -i 's/assert(.*/assert(0 \&\& "the original");/' one/src/test.c
expect 1 "$MAZUR" replay "a b/zwö/$trace"
says out "atomic_load(&tail) == 2"
says err "a b/zwö (as seen from the trace): the program of \`mazur check src/test.c lib/push.c -I include\`"
expect 1 "$MAZUR" regress "a b/zwö/traces"
says out "still failing" "atomic_load(&tail) == 2"
says err "a b/zwö (as seen from the trace)"

t "absolute paths in the command are the copy's, too, and so are builds out of the tree"
tree three
mkdir three/build
(cd three/build && "$MAZUR" check --quiet "$PWD/../src/test.c" ../lib/push.c "-I$(realpath ../include)" >/dev/null 2>&1)
cp -r three four
sed -i 's/assert(.*/assert(0 \&\& "the original");/' three/src/test.c
expect 1 "$MAZUR" replay four/build/*.mzt
says out "atomic_load(&tail) == 2" "four/build"
lacks out "the original"

t "a trace that was moved away: the current directory, or --directory"
tree five
found five "${words[@]}"
mkdir elsewhere
mv "five/$trace" elsewhere/moved.mzt
expect 64 "$MAZUR" replay elsewhere/moved.mzt
says err "cannot find src/test.c of this trace in" "nor in the current directory" "--directory DIR"
expect 64 "$MAZUR" regress elsewhere
says out "not run"
expect 1 "$MAZUR" replay elsewhere/moved.mzt --directory five
says err "five (--directory)"
expect 1 "$MAZUR" regress elsewhere --directory five
says out "still failing"
cd five || exit 70
expect 1 "$MAZUR" replay ../elsewhere/moved.mzt
says err "five (the current directory)"
cd .. || exit 70
expect 64 "$MAZUR" replay elsewhere/moved.mzt --directory one/src
says err "cannot find src/test.c of this trace in one/src;"

t "an older trace, whose directory is absolute"
tree six
found six "${words[@]}"
mkdir older
sed 's|"directory": ".."|"directory": "'"$PWD/six"'"|; /"sources"/,/}/d; s|\("build_id": "[0-9a-f]*"\),|\1|' "six/$trace" >older/old.mzt
says older/old.mzt "\"directory\": \"$PWD/six\""
expect 1 "$MAZUR" replay older/old.mzt
says err "six (where the trace was made)"

t "a program of mazur run: the binary is the copy's"
mkdir -p seven/bin
cp six/src/test.c seven/test.c
sed -i 's/extern atomic_int tail;/atomic_int tail;/; s/^void push.*/static void push(void) { int t = atomic_load(\&tail); atomic_store(\&tail, t + 1); }/' seven/test.c
"$MAZUR" cc -g -o seven/bin/test seven/test.c || fault "mazur cc"
(cd seven && "$MAZUR" run --quiet --trace-dir traces ./bin/test >/dev/null 2>&1)
cp -r seven eight
rm seven/bin/test
expect 1 "$MAZUR" replay eight/traces/*.mzt
says err "eight (as seen from the trace)" "eight/bin/test"
expect 64 "$MAZUR" replay seven/traces/*.mzt
says err "cannot find bin/test of this trace in"

t "a model"
mkdir nine
printf 'byte a;\nactive proctype P() { a = 1; assert(a == 0) }\n' >nine/bad.pml
(cd nine && "$MAZUR" model --quiet bad.pml --trace-dir traces >/dev/null 2>&1)
cp -r nine ten
rm nine/bad.pml
expect 1 "$MAZUR" replay ten/traces/*.mzt
expect 64 "$MAZUR" replay nine/traces/*.mzt
says err "cannot find bad.pml of this trace"

t "a changed source after which the schedule can't be followed: diverged, and where"
found six "${words[@]}"
sed -i 's/pthread_create(&two.*/two = one;/; s/pthread_join(two, 0);//' six/src/test.c
expect 5 "$MAZUR" replay "six/$trace" --json replay.json
says out "test: diverged: src/test.c has changed; event 2 expected main: create T2, got main waits: join T1"
lacks out nondeterminism
[ "$(field replay.json verdict)" = diverged ] || fault "verdict: $(field replay.json verdict)"
expect 5 "$MAZUR" regress six/traces
says out "diverged       six/$trace: src/test.c has changed; event 2 expected main: create T2"
lacks out nondeterminism

t "a change in a header that the trace does not name"
tree six
echo '#define STEP (atomic_load(&tail), 1)' >six/include/step.h
expect 5 "$MAZUR" replay "six/$trace"
says out "diverged: this is another build of the program; event"
lacks out nondeterminism

t "a change that the schedule survives is no divergence"
tree six
echo '/* a comment */' >>six/src/test.c
expect 1 "$MAZUR" replay "six/$trace"
says out "atomic_load(&tail) == 2"

end_of_file
