#!/bin/bash
# mazur debug on C++ programs as engineers write them (tests/cli/engineer): the stops, the frame and the
# thread that are selected, finish, the reverse- commands, and illegal instructions.
. "$(dirname "$0")/lib.sh"

if ! gdb -nx -batch -ex run --args true 2>&1 </dev/null | grep -q 'exited normally'; then
    untested "debug_cpp: skipped: there is no gdb that can run programs here"
    end_of_file
    exit
fi

# search FAILURE FILE COMPILER FLAG: leaves its trace in $trace
search() {
    local code
    case $1 in assertion | exception) code=1 ;; deadlock) code=2 ;; race) code=7 ;; memory) code=11 ;; esac
    rm -rf traces
    expect "$code" "$MAZUR" check --quiet --trace-dir traces --compiler "$3" "$4" -std=c++20 "$2"
    trace=$(ls traces/*.mzt)
}

# gdb_session COMMAND...: each is given to gdb, and goes on after an error
gdb_session() {
    local words=() word
    for word; do words+=(-ex "$word"); done
    last="gdb on $trace"
    timeout "$PATIENCE" "$MAZUR" debug "$trace" -- -nx -batch "${words[@]}" >out 2>&1 </dev/null
}

# every stop is in the program's own file, in the thread that the trace names, without optimisation on
# the trace's line, too
check_stops() {
    local flag=$1
    grep '^SELECTED ' out >stops
    [ -s stops ] || fault "$last: no stop: $(tail -c 600 out)"
    awk -v exact="$([ "$flag" = -O0 ] && echo 1)" '
        { split($0, part, " TRACE "); mine = part[1]; sub(/^SELECTED /, "", mine); theirs = part[2]
          if (!exact) { sub(/:[0-9]+$/, "", mine); sub(/:[0-9]+$/, "", theirs) }
          if (mine != theirs) { print; bad = 1 } }
        END { exit bad }' stops >wrong || fault "$last: selected elsewhere: $(cat wrong)"
}

compilers=(g++)
! command -v clang++ >/dev/null || compilers+=(clang++)
flags=(-O0 -O1 -O2)
number=0
for source in "$here"/engineer/*.cpp; do
    program=$(basename "$source" .cpp)
    compiler=${compilers[$((number % ${#compilers[@]}))]}
    flag=${flags[$((number % 3))]}
    number=$((number + 1))
    is_sampled $number 2 || continue
    t "$program, $compiler $flag: debugged as it was found, stops in its own code"
    cp "$source" .
    search "$(sed -n 's|^// FAILS ||p' "$source")" "$program.cpp" "$compiler" "$flag"
    gdb_session "source $here/engineer/walk.py" continue
    check_stops "$flag"
    lacks out 'another failure' 'has left the trace' 'SIGILL' 'Traceback'
    says out 'the execution is over'
    "$MAZUR" debug --batch "$trace" >out 2>&1 </dev/null
    says out 'events and the same failure as in the trace'
done

t "finish at a switch ends at the caller, also of an inlined function"
cp "$here/engineer/aba_cache.cpp" .
search assertion aba_cache.cpp g++ -O1
gdb_session continue continue frame finish frame
says out 'BufferCache::acquire (this='
last_frame=$(grep -E '^(#0 +)?(0x[0-9a-f]+ in )?[A-Za-z_:<>]+ \(.*aba_cache.cpp:' out | tail -n 1)
case $last_frame in *Lease::Lease*) ;; *) fault "finish ended at: $last_frame: $(tail -c 900 out)" ;; esac

t "finish where there is nothing to finish says what to do"
gdb_session continue finish 'mazur goto 31' continue finish
says out 'T2 has not started its function; next goes to its first line' \
    'the execution ends here; prev-switch and mazur goto N go back'
lacks out 'executor.c' 'Traceback'

t "the reverse- commands say what to use instead"
gdb_session continue reverse-continue reverse-step reverse-next reverse-stepi reverse-finish rc
[ "$(grep -c "can't run backwards, but it can be repeated: mazur goto 14 goes to the event before" out)" = 6 ] ||
    fault "$last: $(cat out)"
lacks out 'does not support this command' 'Traceback'

t "a thread that fails before its second operation has started"
cp "$here/engineer/double_checked.cpp" .
search race double_checked.cpp g++ -O0
gdb_session continue bt 'mazur threads'
says out 'Settings::instance'
lacks out 'before its first line' 'has not started'

# an illegal instruction, in a program with the runtime's own traps (memcpy in assembly is seen by them)
cat >illegal.cpp <<'C'
#include <atomic>
#include <thread>
static std::atomic<int> ready;
static int plain;
__attribute__((noinline)) static void bump()
{
    __asm__ volatile("incl %0" : "+m"(plain));
}
__attribute__((noinline)) static void stumble()
{
    if (ready.load() == 1)
        __builtin_trap();
}
int main()
{
    std::thread setter([] { bump(); ready = 1; ready = 2; });
    setter.detach();
    stumble();
}
C
for compiler in "${compilers[@]}"; do
    t "a genuine SIGILL is reported, in its own frame: $compiler"
    search assertion illegal.cpp "$compiler" -O1
    says out 'SIGILL'
    gdb_session 'mazur goto 1' "source $here/engineer/walk.py" bt
    says out 'FAILURE: SIGILL in main' 'the trace says: illegal instruction (SIGILL)' \
        'stumble' 'SELECTED main illegal.cpp:12'
    "$MAZUR" debug --batch "$trace" >out 2>&1 </dev/null
    [ "$?" = 1 ] || fault "debug --batch: exit $?"
    says out 'FAILURE: SIGILL in main' 'events and the same failure as in the trace'
done

t "the runtime's own traps never stop gdb"
cat >traps.cpp <<'C'
#include <cassert>
#include <thread>
static int turn;
__attribute__((noinline, no_sanitize("thread"))) static int take() { int now = turn; turn = now + 1; return now; }
int main()
{
    int one = 0, two = 0;
    std::thread first([&] { one = take(); });
    std::thread second([&] { two = take(); });
    first.join();
    second.join();
    assert(one != two);
}
C
rm -rf traces
expect 1 "$MAZUR" check --quiet --trace-dir traces --races explore --visible take -O1 traps.cpp
trace=$(ls traces/*.mzt)
gdb_session continue next finish continue continue
says out 'FAILURE: assertion'
lacks out SIGILL Traceback
"$MAZUR" debug --batch "$trace" >out 2>&1 </dev/null
says out 'events and the same failure as in the trace'
lacks out SIGILL

end_of_file
