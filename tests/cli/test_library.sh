# A library that is not instrumented: what threads do to each other in it is not seen, and nothing
# is called complete.
t "threads meet in a library that nobody sees"
cat >hidden.c <<'C'
#include <stdatomic.h>
static atomic_int x;
void put(void) { atomic_store(&x, 1); }
int get(void) { return atomic_load(&x); }
C
cat >use.c <<'C'
#include <pthread.h>
void put(void);
int get(void);
static void *work(void *unused) { put(); return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    get();
    pthread_join(t, 0);
}
C
$CC -shared -fPIC -o libhidden.so hidden.c || fault "cc"
export LD_LIBRARY_PATH=$PWD
for strategy in auto dpor optimal sdpor; do
    expect 0 "$MAZUR" check use.c -L. -lhidden --strategy $strategy --json r.json
    says out "a library is not instrumented"
    says r.json '"complete": false'
done
unset LD_LIBRARY_PATH
