#!/bin/bash
# Text of a program, a model, a trace file, a directory, an option or the environment reaches a
# terminal only with its control characters and bidirectional marks spelt out.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "foreign text is not tested: there is no python3"; return; }
# escape sequence, bell, carriage return, backspace, DEL, C1 (CSI as UTF-8), override, isolate, mark
evil=$(printf 'a\033]0;x\007\r\b\177\302\233\342\200\256\342\201\246\342\200\217\342\200\250z')

# clean FILE...: nothing that a terminal obeys except line ends (and the tabs of a model's line)
cat >clean.py <<'P'
import re, sys
bad = re.compile(r'[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]')
for name in sys.argv[1:]:
    text = open(name, 'rb').read().decode('utf-8', 'surrogateescape')
    for match in bad.finditer(text):
        near = text[max(0, match.start() - 40):match.end() + 10]
        sys.exit('%s: %r in %s' % (name, match.group(), ascii(near)))
    if any(0xdc80 <= ord(c) <= 0xdcff for c in text):
        sys.exit('%s: not UTF-8' % name)
P
clean() {
    local found
    found=$(python3 clean.py "$@" 2>&1) || fault "$last: $found"
}
# tried TEXT COMMAND...: whatever it exits with, both streams are clean, and the text is shown
tried() {
    local shown=$1
    shift
    last="$*"
    timeout "$PATIENCE" "$@" >out 2>err </dev/null
    [ $? -lt 128 ] || fault "$last: crashed"
    clean out err
    [ -z "$shown" ] || grep -qF -- "$shown" out err || fault "$last: lacks '$shown': $(cat -v out err | head -c 500)"
}
seen='a\x1b]0;x\x07\x0d\x08\x7f\xc2\x9b\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f\xe2\x80\xa8z'

cat >bad.c <<'C'
#define _GNU_SOURCE
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p)
{
    mazur_label(EVIL);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return p;
}
int main(int argc, char **argv)
{
    pthread_t t;
    mazur_name(&x, sizeof x, EVIL);
    pthread_setname_np(pthread_self(), "\033[2Jx");
    pthread_create(&t, 0, work, 0);
    printf("%s\n", argc > 1 ? argv[1] : EVIL);
    pthread_mutex_lock(&m);
    y = x;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    if (y == 0) {
        mazur_fail_with(EVIL);
    }
    return 0;
}
C
sed -i 's/        mazur_fail_with(EVIL);/        __assert_fail(EVIL, EVIL, 7, EVIL);/' bad.c
sed -i 's|EVIL|"a\\033]0;x\\007\\r\\b\\177\\302\\233\\342\\200\\256\\342\\201\\246\\342\\200\\217\\342\\200\\250z"|g' bad.c

t "a program's messages, names, labels, output"
tried "$seen" "$MAZUR" check bad.c --json r.json --junit r.xml --sarif r.sarif --html r.html
clean r.json r.sarif r.xml
mv ./*.mzt bad.mzt
tried "$seen" "$MAZUR" show --full bad.mzt
tried "" "$MAZUR" check bad.c --no-trace --json -
tried "" "$MAZUR" check bad.c --no-trace --sarif -
tried "" "$MAZUR" check bad.c --no-trace --junit -
tried "" "$MAZUR" show --json - bad.mzt
tried "$seen" "$MAZUR" show --color always bad.mzt | cat
t "a replay's report (the program's own output is its own)"
tried "$seen" "$MAZUR" replay --quiet bad.mzt

t "every text of a trace file"
python3 - "$evil" <<'P'
import gzip, json, sys
raw = open('bad.mzt', 'rb').read()
text = raw.decode('utf-8', 'surrogateescape')
start = text.index('{')
evil, count = sys.argv[1], 0
def spoil(value, depth=0):
    global count
    if isinstance(value, dict):
        return {k: spoil(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return [spoil(v, depth + 1) for v in value]
    return value
whole = json.loads(text[start:])
# one text at a time, so that a text that must be one of a few words does not hide the others
def paths(value, at=()):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from paths(v, at + (k,))
    elif isinstance(value, list):
        for i, v in enumerate(value[:3]):
            yield from paths(v, at + (i,))
    elif isinstance(value, str):
        yield at
for number, path in enumerate(paths(whole)):
    copy = json.loads(text[start:])
    place = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = place[path[-1]] + evil
    open('spoilt-%03d.mzt' % number, 'w', errors='surrogateescape').write(text[:start] + json.dumps(copy))
P
[ "$(ls spoilt-*.mzt | wc -l)" -gt 20 ] || fault "few texts in the trace: $(ls spoilt-*.mzt)"
for trace in spoilt-*.mzt; do
    tried "" "$MAZUR" show --full "$trace"
done
for trace in spoilt-*[05].mzt; do
    tried "" "$MAZUR" replay --quiet "$trace"
    tried "" "$MAZUR" show --json - "$trace"
done
t "a trace of a directory that is not there"
sed 's|"directory": *"[^"]*"|"directory": "/no/a\\u001b]0;x\\u0007\\r\\b\\u007f\\u009b\\u202e\\u2066\\u200f\\u2028z"|' bad.mzt >moved.mzt
mkdir empty # where none of its sources is
mv moved.mzt empty
tried "/no/$seen" sh -c 'cd empty && exec "$0" replay moved.mzt' "$MAZUR"
tried "$seen" sh -c 'cd empty && exec "$0" regress moved.mzt' "$MAZUR"
t "a trace file that says its kind wrongly"
printf '{"mazur": "\033]0;x\007"}' >wrong.mzt
tried "" "$MAZUR" show wrong.mzt

t "names of files and directories"
mkdir "$evil"
cp bad.c "$evil/$evil.c"
cp bad.mzt "$evil/$evil.mzt"
tried "" "$MAZUR" check "$evil/$evil.c" --no-trace
tried "" "$MAZUR" check "$evil/$evil.c" --trace-dir "$evil"
tried "\$'$seen/" "$MAZUR" show "$evil/$evil.mzt"
tried "" "$MAZUR" regress "$evil"
tried "$seen" "$MAZUR" check "$evil.c"
tried "$seen" "$MAZUR" show "$evil"
tried "$seen" "$MAZUR" view --no-open "$evil/$evil.mzt"
tried "$seen" "$MAZUR" run "./$evil"
tried "$seen" "$MAZUR" check bad.c --no-trace --json "no/$evil"
(cd "$evil" && "$MAZUR" check "$evil.c" >../out 2>../err)
clean out err
$CC -pthread -I"$root/include" bad.c -o "$evil/$evil"
tried "$seen" "$MAZUR" run "$evil/$evil"
t "the program in the command that a stopped search prints"
tried "" "$MAZUR" check bad.c --no-trace --execs 1 --races=ignore -- "$evil"

t "options and commands"
tried "$seen" "$MAZUR" "$evil"
tried "$seen" "$MAZUR" check "--$evil"
tried "$seen" "$MAZUR" check --bound "$evil" bad.c
tried "$seen" "$MAZUR" check --strategy "$evil" bad.c
tried "$seen" "$MAZUR" check --compiler "$evil" bad.c
tried "$seen" "$MAZUR" check --visible "$evil" bad.c
tried "$seen" "$MAZUR" check --preempt-only "$evil" bad.c
tried "$seen" "$MAZUR" check --scratch "$evil" bad.c -- no
tried "$seen" "$MAZUR" help "$evil"
tried "$seen" "$MAZUR" model --ltl "$evil" "$evil.pml"
t "the environment"
tried "$seen" env MAZUR_BOUND="$evil" "$MAZUR" check bad.c
tried "MAZUR_A" env "MAZUR_A$evil=1" "$MAZUR" check --no-trace bad.c
tried "$seen" env HOME= XDG_CACHE_HOME= TMPDIR="/no/$evil" "$MAZUR" check bad.c
tried "$seen" env CC="$evil" "$MAZUR" check bad.c
t "the configuration file"
printf '%s = 1\n' "$evil" >.mazur
tried "" "$MAZUR" check bad.c
printf 'bound = %s\n' "$evil" >.mazur
tried "$seen" "$MAZUR" check bad.c
rm .mazur

t "models: errors, names, output, properties"
printf 'active proctype P() { int x\tv = "%s"; }\n' "$evil" >one.pml
tried "" "$MAZUR" model one.pml
printf 'active proctype P() {\n\t/* %s */\t x = 1;\n}\n' "$evil" >two.pml
tried "" "$MAZUR" model two.pml
printf 'active proctype P() { printf("%s"); printf("\\033[2J\\a\\b"); assert(false) }\n' "$evil" >three.pml
tried "" "$MAZUR" model three.pml --no-trace
tried "" "$MAZUR" model three.pml
for trace in three*.mzt; do
    [ ! -e "$trace" ] || tried "" "$MAZUR" show --full "$trace"
done
cp three.pml "$evil.pml"
tried "$seen" "$MAZUR" model "$evil.pml" --no-trace
printf '#include "%s"\nactive proctype P() { skip }\n' "no$evil" >four.pml
tried "" "$MAZUR" model four.pml
printf 'ltl p { <> %s }\nactive proctype P() { skip }\n' "$evil" >five.pml
tried "" "$MAZUR" model five.pml
printf 'active proctype P() { skip }\n# 7 "%s"\n active proctype Q() { error }\n' "$evil" >six.pml
tried "" "$MAZUR" model six.pml

end_of_file
