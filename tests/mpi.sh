# shellcheck shell=bash
# The kinds of MPI that are installed, and a mazur-mpi with each, for a suite that sources this file. Ranks are more
# than processors.

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # in containers
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,tcp,vader OMPI_MCA_plm_rsh_agent=/bin/false

has_mpi() { # KIND
    command -v "mpicc.$1" "mpiexec.$1" >/dev/null 2>&1
}

# make_mpi KIND FOLDER ROOT MAZUR: FOLDER/mazur-mpi, beside it mazur and mpirun. False: make.out has the compiler's words.
make_mpi() {
    mkdir -p "$2"
    MAKEFLAGS='' make -s -C "$3" mpi MPICC="mpicc.$1" MPI="$2/mazur-mpi" ${CC:+CC="$CC"} >make.out 2>&1 || return 1
    printf '#!/bin/sh\nexec mpiexec.%s "$@"\n' "$1" >"$2/mpirun"
    chmod +x "$2/mpirun"
    ln -sf "$4" "$2/mazur"
}

# ranks_of FOLDER: the ranks of a job whose checkpoints are in that folder, by number; not mpirun, nor the helpers that a
# rank starts.
ranks_of() {
    local process name parent parents
    for process in $(pgrep -f "mazur-mpi [a-z]* .*--checkpoint $1 "); do
        { read -r _ name _ parent _ <"/proc/$process/stat"; } 2>/dev/null || continue
        [ "$name" = '(mazur-mpi)' ] && { read -r parents <"/proc/$parent/comm"; } 2>/dev/null && [ "$parents" != mazur-mpi ] &&
            echo "$process"
    done
}

# all_ranks_of FOLDER COUNT JOB: waits until there are so many, or the job is over; on one line
all_ranks_of() {
    local ranks=
    until [ "$(echo "$ranks" | wc -w)" = "$2" ] || ! kill -0 "$3" 2>/dev/null; do
        sleep 0.03
        ranks=$(ranks_of "$1" | paste -sd' ')
    done
    echo "$ranks"
}
