#!/bin/bash
# mazur model --simulate: runs by chance, along a trail, chosen by number; charts.
. "$(dirname "$0")/lib.sh"

cat >ring.pml <<'END'
mtype = { req, ack };
chan a = [1] of { mtype, byte }; chan b = [0] of { mtype };
byte n;
active proctype left() { a!req,1; a!req,2; b?ack; printf("left: n=%d\n", n); assert(n < 2) }
active proctype right() { byte k; a?req,k -> n = k; b!ack; a?_,k -> n = k }
END
cat >calm.pml <<'END'
init { byte i; for (i : 1 .. 3) { printf("%d\n", i) } }
END

# choose INPUT COMMAND...: as expect 0, with the lines that the user types
choose() {
    local typed=$1
    shift
    last="$*"
    printf '%b' "$typed" | timeout "$PATIENCE" "$@" >out 2>err || fault "$last: exit $?: $(head -c 400 err)"
}

t 'a run by chance: statements, values, what is printed'
expect 0 "$MAZUR" model --simulate calm.pml --seed 4
says out ':init:(0)' 'i = 1   i: 0 → 1' 'prints "3"' 'every process has ended, or may stop here' '--seed 4'
t 'quiet: only what the model prints'
expect 0 "$MAZUR" model --simulate calm.pml --quiet
[ "$(cat out)" = $'1\n2\n3' ] || fault "printed: $(cat out)"
t 'a seed repeats a run; seeds differ; both outcomes come'
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    "$MAZUR" model --simulate ring.pml --seed $seed >"run.$seed"
    echo $? >>codes
done
"$MAZUR" model --simulate ring.pml --seed 5 >again
cmp -s run.5 again || fault 'seed 5 has two runs'
[ "$(sort -u codes | paste -sd' ')" = '0 1' ] || fault "exit codes: $(sort codes | uniq -c | paste -sd' ')"
[ "$(for seed in {1..20}; do head -n -1 "run.$seed" | cksum; done | sort -u | wc -l)" -gt 2 ] || fault 'all runs are alike'
t 'endless runs end after --steps or --time'
printf 'byte x; active proctype P() { do :: x++ od }\n' >endless.pml
expect 0 "$MAZUR" model --simulate endless.pml --steps 7
says out '   7  x++' 'not at its end · 7 steps'
lacks out '   8  x++'
t 'a deadlock names what each process waits for'
printf 'chan c = [0] of { byte };\nactive proctype P() { if :: c!1 :: c!2 fi }\n' >stop.pml
expect 2 "$MAZUR" model --simulate stop.pml
says out 'P(0): waits for c!1 or c!2' 'invalid end state: 1 process can'
t 'after a failure nobody is said to wait'
printf 'bool free = 1;\nactive proctype P() { assert(!free) }\nactive [2] proctype Q() { do :: free -> skip od }\n' >failed.pml
for seed in 1 2 3; do
    expect 1 "$MAZUR" model --simulate failed.pml --seed $seed
    says out 'assertion violated: assert(!free)'
    lacks out 'waits for'
done
says out ' next: '
t 'a fault that no step has'
printf 'byte a[2], i = 2;\nactive proctype P() { (a[i] == 1) }\n' >fault.pml
expect 1 "$MAZUR" model --simulate fault.pml
says out 'array index out of range'

t 'steps by number, back, values, chart'
choose '1\n2\nv\nb\n1\nc\nq\n' "$MAZUR" model --simulate --interactive ring.pml
says out '1  left(0): a!req,1' '–  right(1): waits for a?req,k' 'there is no step 2 here' 'a = [req,1]' 'right(1).k = 0' \
    'after step 0' '● a!req,1'
t 'a rendezvous is one choice'
choose '1\n1\n1\n2\n1\n1\nq\n' "$MAZUR" model --simulate --interactive ring.pml
says out 'right(1): b!ack → left(0): b?ack'
t 'what is no command gets help; the end of the input ends the session'
choose 'x\n9\n' "$MAZUR" model --simulate --interactive ring.pml
says out 'go back N steps' 'there is no step 9 here'
t 'after the end one can go back'
choose 'r 100\nb 100\nq\n' "$MAZUR" model --simulate --interactive calm.pml
says out 'every process has ended' 'after step 0'

t 'along a trail and a trace file, to the same failure'
expect 1 "$MAZUR" model ring.pml --trail ring.trail --trace-dir traces
expect 1 "$MAZUR" model --simulate ring.pml --trail ring.trail
says out 'assertion violated' '  assert(n < 2)'
expect 1 "$MAZUR" model --simulate ring.pml --trail traces/*.mzt
says out 'assertion violated' '  assert(n < 2)'
choose '\n\nr 100\nq\n' "$MAZUR" model --simulate --interactive ring.pml --trail traces/*.mzt
says out '✗ assertion violated'
expect 64 "$MAZUR" model --simulate calm.pml --trail traces/*.mzt
expect 64 "$MAZUR" model --simulate ring.pml --trail nowhere.trail

t 'along a cycle'
printf 'bool p; ltl live { <> p }\nactive proctype P() { do :: skip; skip :: p = 1; break od }\n' >cycle.pml
expect 3 "$MAZUR" model cycle.pml --trace-dir cycles
expect 3 "$MAZUR" model --simulate cycle.pml --trail cycles/*.mzt
says out 'acceptance cycle: live does not hold: <> p, from step '

t 'charts'
expect 1 "$MAZUR" model ring.pml --no-trace --chart chart.txt --svg chart.svg
says chart.txt '╌╌ #1 a!req,1 ╌' '▶│ a?req,k' '◀─ b!ack ─' '✗ assertion violated'
says chart.svg 'marker-end' 'b!ack' 'assert(n &lt; 2)'
if command -v xmllint >/dev/null; then
    expect 0 xmllint --noout chart.svg
fi
expect 0 "$MAZUR" show --format=chart traces/*.mzt
says out '╌╌ #1 a!req,1 ╌'
expect 1 "$MAZUR" check "$root/tests/programs/algorithms/wsq_bad.c" --no-trace --chart - --quiet
says out '▶│'
t 'options that need a simulation'
expect 64 "$MAZUR" model ring.pml --interactive
says err '--interactive: can be used only with --simulate'
expect 64 "$MAZUR" model ring.pml --seed 3
end_of_file
