#!/bin/bash
# mazur model at the command line: reports, trace files, options. Verdicts: tests/models.
. "$(dirname "$0")/lib.sh"

cat >ring.pml <<'END'
chan a = [1] of { byte };
byte n;
ltl small { [] (n < 2) }
active proctype left() { a!1; a!2; assert(n < 2) }
active proctype right() { byte k; a?k -> n = k; a?k -> n = k }
END
cat >stop.pml <<'END'
chan c = [0] of { byte };
active proctype P() { c!1 }
active proctype Q() { skip }
END

t 'a failure as that of a program'
expect 1 "$MAZUR" model ring.pml --no-claim --trace-dir traces
says out 'assertion violated: assert(n < 2), at ring.pml:4 left' 'left(0)' 'right(1)' 'n: 0 → 1' \
    'a?k ← left(0) #1' 'mazur replay traces/'
lacks out 'mazur debug'
trace=$(ls traces/*.mzt)
t 'show, replay, view and regress take its trace'
expect 0 "$MAZUR" show "$trace"
says out 'assertion violated'
expect 0 "$MAZUR" show --json "$trace"
says out '"kind": "assertion"' '"statement": "a!1"' '"reads_from": 0'
expect 1 "$MAZUR" replay "$trace"
says out 'assertion violated'
expect 0 "$MAZUR" view --no-open --output page.html "$trace"
says page.html 'chan a = [1] of' '← left(0) #1'
expect 1 "$MAZUR" regress traces
says out 'still failing'
expect 64 "$MAZUR" debug "$trace"
says err 'of a model'
t 'replay after the model has changed'
sed -i 's/assert(n < 2)/assert(n < 3)/' ring.pml
expect 0 "$MAZUR" replay "$trace"
says out 'no failure this time'
expect 0 "$MAZUR" regress traces
says out 'fixed'
sed -i 's/a!1; a!2/a!1/' ring.pml
expect 5 "$MAZUR" replay "$trace"
says out 'diverged: ring.pml has changed; event 4 expected left(0): a!2'
t 'a trace whose model is gone or hostile'
sed 's/"schedule": \[/"schedule": [ 400, -1, -9, /' "$trace" >hostile.mzt
expect 5 "$MAZUR" replay hostile.mzt
rm ring.pml
expect 64 "$MAZUR" replay "$trace"
says err 'ring.pml'

t 'an invalid end state says who waits for what'
expect 2 "$MAZUR" model stop.pml --no-trace
says out 'invalid end state: 1 process can' 'P(0) waits for: c!1, at stop.pml:2'
t 'a statement that fails has no effect to show'
printf 'byte a[2], i;\nactive proctype P() { i = 2; a[i] = 7 }\n' >index.pml
expect 1 "$MAZUR" model index.pml --no-trace
says out 'array index out of range: a[i] = 7' 'i: 0 → 2'
lacks out 'a[0]' '→ 7'
t 'what was checked: passes, what was never reached, what was not checked'
cat >parts.pml <<'END'
byte x; chan c = [1] of { byte }, d = [0] of { byte };
ltl small { [] (x < 4) }
ltl live { <> (x  ==  7) }
ltl other { [] (x >= 0) }
inline lost(v) { v = 8; v++ }
active proctype P() {
    byte k = 1;
    x = k; k = k + 1; k = k - 1; d!0;
    if :: x > 1 -> lost(x) :: else -> x = 2 fi;
    do :: x > 100 -> c!1 :: else -> break od
}
active proctype R() { d?0 }
active proctype Q() { byte y; end: do :: c?y :: c?1 od }
END
verdicts() { sed -n '/^  "passes"/,/^  \]/p' "$1" | sed -n 's/.*"verdict": "\(.*\)".*/\1/p' | paste -sd' '; }
never() { sed -n '/^  "unreached"/,/^  \]/p' "$1" | sed -n 's/.*"statement": "\(.*\)".*/\1/p' | paste -sd' '; }
expect 3 "$MAZUR" model parts.pml --no-trace --json parts.json
says out 'Never reached in P: x = 8 (:5), x++ (:5), x > 1 (:9), x > 100 (:10), c!1 (:10)' \
    'Never reached in Q: c?y (:13), c?1 (:13)' \
    'with small' 'acceptance cycle: live does not hold: <> (x == 7)' 'No answer yet: other'
lacks out 'reached in R'
[ "$(verdicts parts.json)" = 'passed passed acceptance-cycle not-checked' ] || fault "passes: $(verdicts parts.json)"
[ "$(field parts.json passes.3.formula)" = '[] (x >= 0)' ] || fault "formula: $(field parts.json passes.3.formula)"
expect 3 "$MAZUR" model parts.pml --no-trace --optimize off --por off --json plain.json
[ "$(never parts.json)" = "$(never plain.json)" ] || fault "plain: $(never plain.json)"
expect 3 "$MAZUR" model parts.pml --no-trace --keep-going --quiet --json all.json
[ "$(verdicts all.json)" = 'passed passed acceptance-cycle passed' ] || fault "all: $(verdicts all.json)"
expect 0 "$MAZUR" model parts.pml --no-claim --search bfs --time 10
says out 'Never reached in Q'
t 'a blocked process names all that it waits for'
cat >waits.pml <<'END'
chan c = [0] of { byte }; byte x;
active proctype P() { x = 1; do :: c?x :: x > 1 -> assert(false) od }
active proctype Q() { x == 1 -> x = 2 }
END
expect 1 "$MAZUR" model waits.pml --trace-dir waits
says out 'P(0) blocks: c?x or x > 1'
expect 0 "$MAZUR" show waits/*.mzt
says out 'P(0) blocks: c?x or x > 1'
t 'a formula does not wait for the whole of safety'
expect 3 "$MAZUR" model "$root/tests/models/turns.pml" --no-trace --optimize off --memory 300M --time 100
says out 'claim violated: soon does not hold' 'No answer yet: safety, fine'
t 'small address spaces leave room for the search of a formula'
(ulimit -v 3000000 && expect 3 "$MAZUR" model "$root/tests/models/turns.pml" --no-trace --memory 300M --ltl soon && [ -z "$problem" ]) ||
    fault "ulimit -v: $(head -c 300 err) $(head -n 2 out)"
t 'the clock ends a search whose states are large, and an atomic sequence of large states'
cat >large.pml <<'END'
int big[200000]; byte n;
active [3] proctype P() {
    int i;
    do :: atomic { i = 0; do :: i < 200000 -> big[i] = big[i] + 1; i++ :: i < 100 -> i = i + 2 :: else -> break od; n++ } od
}
END
before=$(processor_time)
expect 0 "$MAZUR" model large.pml --no-trace --time 2 --memory 300M
says out 'cut short by the time limit'
[ $(($(processor_time) - before)) -lt 25 ] || fault "--time 2 took $(($(processor_time) - before)) s of processor time"
t 'text without end'
printf '#include "/dev/zero"\nactive proctype P() { skip }\n' >zero.pml
expect 64 "$MAZUR" model zero.pml
says err 'the preprocessor refused zero.pml'
t 'JSON, SARIF, JUnit'
expect 2 "$MAZUR" model stop.pml --no-trace --json - --sarif s.sarif --junit j.xml
says out '"verdict": "invalid-end-state"' '"states":' '"transitions":' '"depth":' '"errors": 1' \
    '"bytes_per_state":' '"preemptions": 0' '"complete": false' '"seconds":'
says s.sarif '"ruleId": "invalid-end-state"' '"executionOrder"'
says j.xml '<failure type="invalid-end-state"'
t 'options come from the table'
expect 0 "$MAZUR" model --help
says out '--trail FILE' '--store exact|compact|bitstate'
expect 64 "$MAZUR" model stop.pml --sarch bfs
says err 'the nearest is --search'
expect 64 "$MAZUR" model stop.pml --memory lots
says err 'a size such as'
expect 64 "$MAZUR" model stop.pml --strategy icb
says err 'not an option of this command'
expect 64 "$MAZUR" model stop.pml --search bfs --bound 1
says err "breadth first knows no bound"
expect 2 env MAZUR_SEARCH=bfs "$MAZUR" model stop.pml --no-trace
expect 64 "$MAZUR" model
says err 'which model?'
t 'what is wrong with a model, where'
printf '#define X 3\n#include "part.h"\nactive proctype P() { skip }\n' >main.pml
printf '\nbyte x = ;\n' >part.h
expect 64 "$MAZUR" model main.pml
says err 'part.h:2:10: error: expected an expression' 'byte x = ;' '^'
t 'embedded C that does not compile is shown in the user file'
printf 'active proctype P()\n{ c_code { this is not C; } }\n' >c.pml
expect 64 "$MAZUR" model c.pml
says err 'c.pml:2' 'the embedded C does not compile'
t 'trails: what is no trail'
echo nonsense >x.trail
expect 64 "$MAZUR" model stop.pml x.trail
says err 'not a trail of Spin'
printf '1:0:99\n' >x.trail
expect 64 "$MAZUR" model stop.pml x.trail
says err "can't take statement 99 here"
expect 64 "$MAZUR" model stop.pml --trail /nonexistent/x --no-trace
says err '/nonexistent/x'
t 'trails of formulas: which one, and what its claim does there'
cat >counts.pml <<'END'
byte n;
ltl stays { [] (n < 3) }
ltl small { [] (n < 2) }
active proctype P() { n = 1; n = 2; n = 0 }
END
printf -- '-2:2:-2\n1:0:9\n2:1:0\n3:0:9\n4:1:1\n5:0:8\n' >x.trail
expect 3 "$MAZUR" model counts.pml x.trail --trace-dir read
says out 'claim violated: small does not hold, whatever follows' '2 steps'
expect 3 "$MAZUR" replay read/*.mzt
says out 'small does not hold'
printf -- '-2:1:-2\n1:0:9\n2:1:0\n3:0:9\n4:1:1\n5:0:8\n' >x.trail
expect 3 "$MAZUR" model counts.pml x.trail --trace-dir believed
says out "claim violated: Spin's claim comes to its end"
expect 3 "$MAZUR" replay believed/*.mzt
printf -- '-1:-1:-1\n1:0:0\n' >x.trail # not really an acceptance cycle
expect 0 "$MAZUR" model counts.pml x.trail --no-trace
mkdir spins
printf '#!/bin/sh\nexit 1\n' >spins/spin
chmod +x spins/spin
expect 3 env PATH="$PWD/spins:$PATH" "$MAZUR" model counts.pml --ltl small --no-trace --trail x.trail
says err 'x.trail: only the run of the system' 'for small: spin -a refuses the model'
[ "$(cat x.trail)" = "$(printf '1:0:0\n2:0:1')" ] || fault "x.trail: $(cat x.trail)"
printf '#!/bin/sh\necho "never small { do :: true od" >_spin_nvr.tmp\n' >spins/spin
expect 3 env PATH="$PWD/spins:$PATH" "$MAZUR" model counts.pml --ltl small --no-trace --trail x.trail
says err "spin's claim can't be read"
cat >spins/spin <<'END'
#!/bin/sh
[ "$1 $2" = "-a model.pml" ] && grep -q 'ltl small' model.pml || exit 1
echo 'never small { do :: atomic { (n >= 2) -> assert(!(n >= 2)) } :: (1) od }' >_spin_nvr.tmp
END
expect 3 env PATH="$PWD/spins:$PATH" "$MAZUR" model counts.pml --ltl small --no-trace --trail x.trail
[ ! -s err ] || fault "$(cat err)"
[ "$(paste -sd' ' x.trail)" = "-2:1:-2 1:0:7 2:1:0 3:0:7 4:1:1 5:0:4 6:0:5" ] || fault "$(cat x.trail)"
t 'models from anywhere: pipes, byte order marks, CRLF, odd names, UTF-8'
printf '#define K 4\r\ninit {\r\n\tassert(K == 3)\r\n}\r\n' >dos.pml
expect 1 "$MAZUR" model dos.pml --no-trace
says out 'at dos.pml:3 :init:'
mkfifo pipe.pml
timeout "$PATIENCE" tee pipe.pml <dos.pml >tee.out &
expect 1 "$MAZUR" model pipe.pml --no-trace
wait $!
says out 'assertion violated: assert(4 == 3), at pipe.pml:3'
printf '\357\273\277init { skip }\n' >mark.pml
expect 0 "$MAZUR" model mark.pml --no-trace
cp dos.pml 'a "b; c.pml'
expect 1 "$MAZUR" model 'a "b; c.pml' --no-trace
says out 'at a "b; c.pml:3'
printf '/* \303\251\303\251 */ init { y = 1 }\n' >wide.pml
expect 64 "$MAZUR" model wide.pml
says err '                    ^'
lacks err '                     ^'
mkdir folder.pml
expect 64 "$MAZUR" model folder.pml
says err 'folder.pml: Is a directory'

end_of_file
