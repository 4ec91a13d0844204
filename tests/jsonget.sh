# shellcheck shell=bash
# jsonget (programs/jsonget.c) for a suite: the one that scripts/test.sh has built, or a new one.

make_jsonget() { # FOLDER: afterwards FOLDER/jsonget is there
    local here source built
    here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
    source=$here/programs/jsonget.c built=$here/../build/jsonget
    if [ "$built" -nt "$source" ]; then
        ln -s "$built" "$1/jsonget"
    else
        "${CC:-cc}" -o "$1/jsonget" "$source" -ljansson
    fi
}
