#!/bin/bash
# A command leaves no directory behind, whatever ends it.
. "$(dirname "$0")/lib.sh"
mkdir tmp
cat >slow <<'EOF'
#!/bin/sh
# a compiler that never ends
case " $* " in
*' -c '*) echo $$ >started.new && mv started.new started && exec sleep 1000 ;;
*) exec gcc "$@" ;;
esac
EOF
chmod +x slow
echo 'int main(void) { return 0; }' >program.c
cat >endless.pml <<'EOF'
int n;
active proctype P() { do :: n++ od }
EOF
cat >crash.pml <<'EOF'
c_decl { struct place { int value; }; };
active proctype P() { c_code { ((volatile struct place *)8)->value = 1; } }
EOF

# ended_by SIGNAL STATUS FILE COMMAND...: send the signal once the file exists
ended_by() {
    local number=$1 wanted=$2 sign=$3 process got
    shift 3
    last="$* (SIG$number)"
    rm -f started
    TMPDIR=$PWD/tmp "$@" >out 2>err </dev/null &
    process=$!
    until compgen -G "$sign" >/dev/null; do
        kill -0 "$process" 2>/dev/null || break
        sleep 0.05
    done
    kill -s "$number" "$process"
    wait "$process"
    got=$?
    [ "$got" = "$wanted" ] || fault "$last: exit $got, expected $wanted: $(head -c 400 err)"
    [ -z "$(ls tmp)" ] || fault "$last: left behind: $(ls -R tmp)"
}

# ends PROCESS: within ten minutes it is gone, or a zombie
ends() {
    local i
    for ((i = 0; i < 12000; i++)); do
        [ -e "/proc/$1" ] && ! grep -q '^State:.*Z' "/proc/$1/status" || return 0
        sleep 0.05
    done
    return 1
}

# under nohup all processes ignore a hangup
signals="INT TERM HUP"
[ $((0x$(sed -n "s/^SigIgn:\\s*//p" /proc/self/status) & 1)) = 0 ] || signals="INT TERM"
for number in $signals; do
    t "a model and SIG$number: a result, and no directory"
    ended_by $number 0 'tmp/mazur-*' "$MAZUR" model endless.pml --time 0 --memory 4G --optimize off
    says out 'interrupted'
done
for number in ${signals#INT }; do
    t "a compiler that does not end and SIG$number"
    ended_by $number $((128 + $(kill -l $number))) started "$MAZUR" cc --compiler "$PWD/slow" -o program program.c
    ended_by $number $((128 + $(kill -l $number))) started "$MAZUR" check --compiler "$PWD/slow" program.c
    [ -z "$(ls -d "$XDG_CACHE_HOME"/mazur/new-* 2>/dev/null)" ] || fault "left in the cache: $(ls "$XDG_CACHE_HOME/mazur")"
    ends "$(cat started)" || fault "the compiler goes on"
done
t "embedded C that crashes"
expect 139 env TMPDIR="$PWD/tmp" "$MAZUR" model crash.pml
[ -z "$(ls tmp)" ] || fault "left behind: $(ls -R tmp)"

end_of_file
