#!/bin/bash
# --sarif, show --format, the GitHub step summary. tests/formats checks that the formats are
# valid.
. "$(dirname "$0")/lib.sh"

cat >race.c <<'END'
#include <pthread.h>
static int counter;
static void *add(void *unused) { counter++; return unused; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
sed 's/counter++;//' race.c >good.c

t 'check --sarif'
expect 7 "$MAZUR" check race.c --trace-dir . --sarif race.sarif
says race.sarif '"version": "2.1.0"' '"ruleId": "data-race"' '"uri": "race.c"' '"executionOrder": 1'
expect 0 "$MAZUR" check good.c --sarif -
says out '"results": []' 'complete: every interleaving'
says err 'complete: every interleaving'
t 'show --format'
trace=$(ls ./*.mzt)
expect 0 "$MAZUR" show --format=text "$trace"
says out 'data race on counter'
expect 0 "$MAZUR" show --format=json "$trace"
says out '"verdict": "data-race"'
expect 0 "$MAZUR" show --format=html "$trace"
says out '<!DOCTYPE html>'
expect 0 "$MAZUR" show --format=sarif "$trace"
says out '"ruleId": "data-race"'
expect 0 "$MAZUR" show --format=junit "$trace"
says out '<failure type="data-race"' 'tests="1"'
expect 64 "$MAZUR" show --format=pdf "$trace"
t 'the step summary is appended to'
echo '# before' >summary
expect 7 env GITHUB_STEP_SUMMARY=summary "$MAZUR" check race.c --no-trace
expect 0 env GITHUB_STEP_SUMMARY=summary "$MAZUR" check good.c
says summary '# before' '<code>race</code>: data-race' 'data race on counter' '<code>good</code>: passed'
t 'a summary that cannot be written changes no verdict'
expect 0 env GITHUB_STEP_SUMMARY=/nonexistent/summary "$MAZUR" check good.c
says err 'cannot write /nonexistent/summary'

end_of_file
