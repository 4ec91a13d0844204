#!/bin/bash
# The shell parts of the GitHub action and the GitLab template, run as those systems run them, and the package's
# version. What the systems do themselves (caches, artifacts, uploads) can't be tried here.
. "$(dirname "$0")/lib.sh"
cp -r "$root/examples" .

# step FILE NAME: the command of the step NAME of a GitHub file
step() {
    awk -v name="- name: $2" 'index($0, name) { found = 1 } found && sub(/^ *run: /, "") { print; exit }' "$1" |
        sed "s/^'\(.*\)'\$/\1/"
}
# script FILE: the commands of a GitLab job, one line each
script() {
    awk '/^  script:/ { inside = 1; next } inside && /^  [a-z]/ { exit } inside && sub(/^    - /, "")' "$1"
}

t 'the action installs once and takes a cached build as it is'
prefix=$HOME/.mazur-action
expect 0 make -C "$root" --no-print-directory -o all install PREFIX="$prefix" BIN="$(dirname "$MAZUR")" LIB="$(dirname "$MAZUR")/../lib"
before=$(stat -c %Y "$prefix/bin/mazur")
expect 0 env GITHUB_ACTION_PATH="$root" bash -e -c "$(step "$root/action.yml" 'Install Mazur')"
says out 'mazur '
[ "$(stat -c %Y "$prefix/bin/mazur")" = "$before" ] || fault 'it was built again'

t 'the action: a search that passes, and its results'
search=$(step "$root/action.yml" Search)
action() { # STATUS COMMAND ARGUMENTS
    expect "$1" env GITHUB_ACTION_PATH="$root" GITHUB_STEP_SUMMARY="$PWD/summary" MAZUR_RESULTS=results SEARCH_COMMAND="$2" \
        SEARCH_ARGUMENTS="$3" bash -e -c "$search"
}
action 0 check 'examples/queue_fixed.c'
says out 'complete: every interleaving'
for made in result.json result.sarif junit.xml page.html; do
    [ -s "results/$made" ] || fault "no results/$made"
done
says summary 'queue_fixed'

t 'the action: a bug fails the job with its exit code, and its trace replays'
action 1 check 'examples/queue.c --bound 1'
says summary 'assertion'
expect 1 "$MAZUR" replay results/*.mzt

t 'the action: with its cache, a search that passed before is not repeated; without, it is'
export SEARCH_CACHE=true
action 0 check 'examples/queue_fixed.c'
lacks out 'cached'
action 0 check 'examples/queue_fixed.c'
says out 'cached: an earlier search'
action 1 check 'examples/queue.c --bound 1'
action 1 check 'examples/queue.c --bound 1'
lacks out 'cached'
export SEARCH_CACHE=false
action 0 check 'examples/queue_fixed.c'
lacks out 'cached'
unset SEARCH_CACHE

t 'the action: a search in two jobs, and the job that adds up their results'
for shard in 1 2; do
    action 0 check "examples/queue_fixed.c --shard $shard/2"
    mkdir -p parts/$shard && cp results/result.json parts/$shard
done
action 0 merge 'parts/*/result.json --require-complete'
says out 'complete: every interleaving'
says results/result.json '"complete": true'
t 'the action: what it can not do is said'
action 64 model leader.pml
says err "expected 'check', 'run' or 'merge'"

t 'the GitLab template, with the sources and with the package'
script "$root/ci/gitlab.yml" >job
gitlab() { # STATUS: the job, with SEARCH and perhaps MAZUR_SOURCE
    expect "$1" env CI_PROJECT_DIR="$PWD" PATH="$prefix/bin:$PATH" bash -e job
}
ln -s "$prefix" .mazur-installed # what the job's cache restores
SEARCH='check examples/queue.c --bound 1' MAZUR_SOURCE=$root gitlab 1
[ -s mazur-results/junit.xml ] || fault 'no mazur-results/junit.xml'
sed -i "s|/usr/share/mazur|$prefix/share/mazur|" job
SEARCH='check examples/queue_fixed.c' gitlab 0
says out 'complete: every interleaving'
export MAZUR_CACHE=.mazur-searches
SEARCH='check examples/queue_fixed.c' gitlab 0
SEARCH='check examples/queue_fixed.c' gitlab 0
says out 'cached: an earlier search'
unset MAZUR_CACHE
says "$root/ci/gitlab.yml" '      - .mazur-searches/' # kept from job to job

t 'the GitLab template: shards by the variables of GitLab, and their sum'
for shard in 1 2; do
    MAZUR_SHARD=auto CI_NODE_INDEX=$shard CI_NODE_TOTAL=2 MAZUR_RESULTS=mazur-results/$shard \
        SEARCH='check examples/queue_fixed.c' gitlab 0
done
SEARCH=$(awk '/^.mazur-merge:/ { found = 1 } found && sub(/^ *SEARCH: /, "") { print; exit }' "$root/ci/gitlab.yml") gitlab 0
says out 'complete: every interleaving'

t 'the version is the same everywhere'
version=$("$MAZUR" --version)
expect 0 head -n 1 "$root/debian/changelog"
says out "${version/ / (})"
expect 0 head -n 3 "$root/CHANGELOG.md"
says out "${version#mazur }"

end_of_file
