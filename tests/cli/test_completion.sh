#!/bin/bash
# Tests the completion script, which is made from the option table, in bash itself.
. "$(dirname "$0")/lib.sh"

# completes WORDS...: COMPREPLY for a line whose last word is being typed
completes() {
    last="completion of: $*"
    bash -c '. ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mazur_words; printf "%s\n" "${COMPREPLY[@]}"' - "$@" >out 2>err
    [ -s err ] && fault "$last: $(cat err)"
}

expect 0 "$MAZUR" help --bash
cp out completion
touch a.mzt b.c

t 'commands'
completes mazur re
says out replay regress
lacks out show
t 'options of the command'
completes mazur check --re
says out --require-complete
completes mazur view --
says out --output --no-open
lacks out --bound
t 'choices and strategies'
completes mazur check --races ex
says out explore
completes mazur check --races = ig
says out ignore
completes mazur check --bound ''
says out auto none
lacks out N
completes mazur run --strategy pc
says out pct
t 'options of another command are not offered'
completes mazur replay --no-p
lacks out no-preempt
completes mazur check --no-p
says out no-preempt
t 'trace files for show, any file for check'
completes mazur show ''
says out a.mzt
lacks out b.c
completes mazur check ''
says out b.c
t 'zsh'
expect 0 "$MAZUR" help --zsh
says out '#compdef mazur' bashcompinit
if command -v zsh >/dev/null; then
    mkdir functions
    cp out functions/_mazur
    # a separate terminal, with a first and a second completion
    cat >drive.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; fpath=($PWD/functions $fpath); autoload -U compinit; compinit -u -D; mazur() { print -r -- "got:$*" }; print is-rea""dy'
zpty -r -m shell line '*is-ready*'
zpty -w -n shell $'mazur reg\t\n'
zpty -r -m shell line '*got:regress*'
print -r -- $line
zpty -w -n shell $'mazur check --races exp\t\n'
zpty -r -m shell line '*got:check --races explore*'
print -r -- $line
zpty -w -n shell $'exit\n'
END
    expect 0 zsh -f drive.zsh # it waits for each answer, up to the limit of every test
    says out 'got:regress' 'got:check --races explore'
else
    echo '# no zsh: its completion is not run'
fi

t 'fish'
expect 0 "$MAZUR" help --fish
says out "complete -c mazur -n __fish_use_subcommand -a check"
if command -v fish >/dev/null; then
    mkdir -p fish-home
    cp out completion.fish
    # fish_completes LINE: the words that fish offers, without their descriptions
    fish_completes() {
        HOME=$PWD/fish-home expect 0 fish --no-config -c 'source completion.fish; complete -C $argv[1]' "$1"
    }
    fish_completes 'mazur re'
    says out replay regress
    lacks out show
    fish_completes 'mazur check --races ex'
    says out explore
    fish_completes 'mazur run --strategy pc'
    says out pct
    fish_completes 'mazur check --re'
    says out --require-complete
    fish_completes 'mazur view --'
    lacks out --bound
    fish_completes 'mazur show '
    says out a.mzt
else
    echo '# no fish: its completion is not run'
fi

end_of_file
