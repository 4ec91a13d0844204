# shellcheck shell=bash
# Completion of mazur-mpi: its own words, then what mazur model completes.
_mazur_mpi() {
    local word=${COMP_WORDS[COMP_CWORD]}
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W 'check run model --help --version' -- "$word")
        return
    fi
    declare -F _mazur_words >/dev/null || . "$(dirname "${BASH_SOURCE[0]}")/mazur" 2>/dev/null
    declare -F _mazur_words >/dev/null && _mazur_words
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W '--checkpoint --checkpoint-every --resume' -- "$word")
}
complete -o default -F _mazur_mpi mazur-mpi
