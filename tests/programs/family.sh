#!/bin/bash
# The programs of one family, for `prove`: the family.t of each folder is a link to this file. One case
# at a time; `prove -j` runs several families. Environment: as for run.sh.
here=$(dirname "$0")
JOBS=${JOBS:-1} exec "$here/../run.sh" "$(basename "$here")/"
