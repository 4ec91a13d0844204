#!/bin/bash
# The trace page in a real browser: headless Chromium, driven by playwright-core, which
# tests/node installs into build/node. Skipped, with a message, if one of them is not available.
#
# Usage: run.sh [PART OF A TEST'S NAME]
# Environment: MAZUR (bin/mazur), CHROMIUM (chromium), BUILD (build),
#              SCREENSHOTS=DIR (pictures for the documentation are written there)
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
MAZUR=$(realpath "${MAZUR:-$root/bin/mazur}")

skip() {
    echo "browser tests are skipped: $1"
    echo "0 passed, 0 failed"
    exit 0
}

browser=${CHROMIUM:-}
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v "$name")
done
[ -n "$browser" ] || skip "there is no Chromium (apt-get install chromium)"
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
modules=$("$root/tests/node/install.sh" 2>"$work/reason") || skip "$(cat "$work/reason")"
unset "${!MAZUR_@}"
# shellcheck source=../patience.sh
. "$here/../patience.sh"
export XDG_CACHE_HOME=$work/cache
[ -n "${SCREENSHOTS:-}" ] && SCREENSHOTS=$(realpath -m "$SCREENSHOTS")
cp "$root"/tests/programs/*/{wsq,deadlock_abba,lost_wakeup,counter_plain,use_after_free,livelock_polite}_bad.c "$root/examples/buffer.c" "$work"
cd "$work" || exit 70
for program in wsq deadlock_abba lost_wakeup counter_plain use_after_free; do
    "$MAZUR" check ${program}_bad.c --quiet --trace-dir "$program" >/dev/null
done
"$MAZUR" check buffer.c --quiet --trace-dir buffer >/dev/null
"$MAZUR" check "$root/tests/programs/api/linear_stack_bad.cpp" --quiet --trace-dir history >/dev/null
"$MAZUR" check "$root/tests/programs/search/preemptions_3_bad.c" --quiet --trace-dir bounds >/dev/null
"$MAZUR" check "$root/tests/reports/stack.cpp" -std=c++20 --quiet --trace-dir stack >/dev/null
cat >map.cpp <<'END'
#include <map>
#include <string>
#include <thread>
static std::map<std::string, int> ages;
int main()
{
    std::thread other([] { ages.emplace("ada", 36); });
    ages.find("ada");
    other.join();
}
END
"$MAZUR" check map.cpp --quiet --trace-dir map >/dev/null
# pages of whole searches: with several failures, and with none
cat >many.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *other(void *unused)
{
    atomic_store(&y, 1);
    assert(atomic_load(&x) == 0 && "the other was first");
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atomic_store(&x, 1);
    assert(atomic_load(&y) == 0 && "main was first");
    return pthread_join(thread, NULL);
}
END
"$MAZUR" check many.c --quiet --keep-going --no-trace --html many.html >/dev/null
"$MAZUR" check "$root/examples/buffer_fixed.c" --quiet --html none.html >/dev/null
# a livelock fills the trace to its last event
"$MAZUR" check livelock_polite_bad.c --quiet --depth 20000 --trace-dir livelock >/dev/null
"$MAZUR" model "$root/tests/models/messages.pml" --quiet --trace-dir messages >/dev/null
"$MAZUR" model "$root/tests/models/mutex.pml" --ltl entry --quiet --trace-dir lasso >/dev/null
"$MAZUR" model "$root/tests/models/deadlock.pml" --bound auto --quiet --trace-dir stuck >/dev/null
cat >started.pml <<'END'
byte x;
proctype W(byte n)
{
	x = x + n;
	x = x + 1
}
init
{
	byte k;
	run W(1);
	run W(2);
	k = 1;
	(x == 5) ->
	assert(k == 0)
}
END
"$MAZUR" model started.pml --quiet --trace-dir started >/dev/null
NODE_PATH=$modules CHROMIUM=$browser MAZUR=$MAZUR SCREENSHOTS=${SCREENSHOTS:-} \
    node "$here/pages.js" "$work" "$@"
