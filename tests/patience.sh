# shellcheck shell=sh
# Limits of time for tests. A test must pass at a load of 50 on two processors, too: so no limit on the clock
# is nearer than twenty times what a command takes alone, and only one that hangs meets it. What a command
# itself may take is measured by its processor time (cli/lib.sh: processor_time).
PATIENCE=6000    # seconds for a command that is to end by itself
MAZUR_TIME=1200s # for a search that is to finish: the default is 60 s
# seconds of processor time for one process (ulimit -t), so that a search without end ends
PROCESSOR_TIME=${PROCESSOR_TIME:-60}
export PATIENCE MAZUR_TIME PROCESSOR_TIME

# Runs a command that may take so much processor time; status 152 (SIGXCPU): it wanted more.
within() { # SECONDS COMMAND...
    (
        ulimit -St "$1"
        shift
        exec "$@"
    )
}
