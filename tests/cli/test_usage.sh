#!/bin/bash
# Usage errors: exit 64 and a message that says what to do.
. "$(dirname "$0")/lib.sh"
t "no command"
expect 64 "$MAZUR"
says err "mazur check" "mazur replay"

t "unknown command names the nearest"
expect 64 "$MAZUR" chekc x.c
says err "nearest is check"
expect 64 "$MAZUR" queue.c
says err "mazur check queue.c"

t "unknown option names the nearest"
expect 64 "$MAZUR" check --bonud 2 x.c
says err "unknown option --bonud" "--bound"
expect 64 "$MAZUR" run --quite ./x
says err "--quiet"
expect 64 "$MAZUR" replay -x f.mzt
says err "unknown option -x"

t "values are checked"
for words in "--bound x" "--bound -3" "--time soon" "--time -1" "--races maybe" "--depth -1" \
    "--execs 1e9" "--seed 99999999999999999999" "--keep-going=perhaps" "--json="; do
    # shellcheck disable=SC2086 # words
    expect 64 "$MAZUR" check $words x.c
    says err "is not"
done
expect 64 "$MAZUR" check x.c --bound
says err "needs an argument"

t "an option of another command is refused"
expect 64 "$MAZUR" replay --bound 2 f.mzt
says err "not an option of this command"

t "an option that the strategy has no use for"
expect 64 "$MAZUR" check --fair 3 x.c
says err "--fair works only with --strategy"

t "strategies"
expect 64 "$MAZUR" check --strategy icbb x.c
says err "nearest is icb"
expect 0 "$MAZUR" help strategies
says out auto dfs icb random pct
[ "$(grep -cE '^[a-z0-9-]+ {2,}[a-z].{10,}' out)" = "$(wc -l <out)" ] || fault "a strategy without a line of help"
# the table in the documentation is complete
documented=$(sed -n '/^| `--strategy`/,/^$/p' "$root/docs/search.md" | tail -n +2 | grep -oE '^\|( `[a-z0-9-]+`,?)+' | grep -oE '[a-z][a-z0-9-]*' | sort)
[ "$documented" = "$(cut -d' ' -f1 out | sort)" ] || fault "docs/search.md has other strategies: $documented"

t "an option that a strategy ignores is refused with it"
takes() { # OPTION, the strategies that accept it
    local strategy
    for strategy in $("$MAZUR" help strategies | cut -d' ' -f1); do
        # shellcheck disable=SC2086 # an option and its value
        if [[ " $2 " == *" $strategy "* ]]; then
            expect 64 "$MAZUR" check --strategy "$strategy" $1 absent.c
            lacks err "works only with"
        else
            expect 64 "$MAZUR" check --strategy "$strategy" $1 absent.c
            says err "${1%% *} works only with --strategy"
        fi
    done
}
takes "--fair 1" "dfs icb delay random bpor bpor-plain"
takes "--without sleep" "dpor bpor"
takes --postconditions "dpor-plain bpor-plain"
takes "--delay 1" delay
takes "--csb 1" icb
takes "--step-bound 5" idb
takes "--cache-states" icb
takes "--pct-depth 2" pct
takes "--seed 2" "random pct"
takes "--count-traces" "auto icb cbpor cbpor-1"

t "help"
expect 0 "$MAZUR" --help
expect 0 "$MAZUR" help
expect 0 "$MAZUR" check --help
says out --bound --strategy --json --keep-going --require-complete
lacks out --times
expect 0 "$MAZUR" replay -h
says out --times
lacks out --bound
expect 64 "$MAZUR" help nothing
expect 0 "$MAZUR" --version

t "the manual page is the option table's"
"$MAZUR" help --man >man.out
last="mazur help --man"
same man.out "$root/man/mazur.1"

t "no file, no such file, a directory, unreadable"
expect 64 "$MAZUR" check
says err "no source file"
expect 64 "$MAZUR" check nothing.c
says err "cannot read nothing.c"
mkdir directory.c
expect 64 "$MAZUR" check directory.c
says err "is a directory"
expect 64 "$MAZUR" run
expect 64 "$MAZUR" run ./nothing
says err "No such file"
expect 64 "$MAZUR" run no-such-program-on-the-path
expect 64 "$MAZUR" replay
expect 64 "$MAZUR" replay nothing.mzt
expect 64 "$MAZUR" show nothing.mzt
expect 64 "$MAZUR" regress
expect 64 "$MAZUR" regress nothing.mzt

t "configuration file and environment"
echo 'int main(void) { return 0; }' >ok.c
printf '# comment\n\n  bound = 3\nkeep-going\n' >.mazur
expect 0 "$MAZUR" check ok.c --json r.json
says r.json '"bound_asked": 3'
MAZUR_BOUND=4 expect 0 "$MAZUR" check ok.c --json r.json
says r.json '"bound_asked": 4'
MAZUR_BOUND=4 expect 0 "$MAZUR" check ok.c --json r.json --bound 5
says r.json '"bound_asked": 5'
echo 'bonud = 3' >.mazur
expect 64 "$MAZUR" check ok.c
says err ".mazur:1:" "nearest is 'bound'"
echo 'bound = many' >.mazur
expect 64 "$MAZUR" check ok.c
says err ".mazur:1:"
rm .mazur
MAZUR_TIME=x expect 64 "$MAZUR" check ok.c
says err MAZUR_TIME
MAZUR_BUOND=1 expect 0 "$MAZUR" check ok.c
says err "MAZUR_BUOND"

end_of_file
