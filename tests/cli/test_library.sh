#!/bin/bash
# Code that is not instrumented: Mazur does not see how threads interact in it, so the result is
# not called complete and names the code.
. "$(dirname "$0")/lib.sh"
t "threads meet in a library that nobody sees"
cat >hidden.c <<'C'
#include <stdatomic.h>
static atomic_int x;
void put(void) { atomic_store_explicit(&x, 1, memory_order_release); }
int get(void) { return atomic_load_explicit(&x, memory_order_acquire); }
C
cat >use.c <<'C'
#include <assert.h>
#include <pthread.h>
void put(void);
int get(void);
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    pthread_mutex_lock(&a);
    put();
    pthread_mutex_unlock(&a);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&b);
    int seen = get();
    pthread_mutex_unlock(&b);
    pthread_join(t, 0);
    assert(!seen);
}
C
$CC -shared -fPIC -o libhidden.so hidden.c || fault "cc"
export LD_LIBRARY_PATH=$PWD
for strategy in auto bpor cbpor dpor optimal sdpor; do
    expect 0 "$MAZUR" check use.c -L. -lhidden --strategy $strategy --json r.json
    says out "of what is seen" "not instrumented: libhidden.so"
    says r.json '"complete": false'
done
expect 1 "$MAZUR" check use.c -L. -lhidden --strategy dpor --visible libhidden.so
expect 8 "$MAZUR" check use.c -L. -lhidden --require-complete

t "a library that is loaded while the program runs, each execution in a process of its own"
cat >load.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
static void (*put)(void);
static void *work(void *unused) { put(); return unused; }
int main(void)
{
    pthread_t t;
    void *library = dlopen("libhidden.so", RTLD_NOW);
    put = (void (*)(void))dlsym(library, "put");
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
}
C
expect 0 "$MAZUR" check --isolate=fork load.c --json r.json
says out "not instrumented: libhidden.so"
says r.json '"complete": false'
unset LD_LIBRARY_PATH

t "a part of the program that nobody sees"
$CC -g -c -o described.o hidden.c && $CC -O2 -c -o bare.o hidden.c || fault "cc"
rm -f libbare.a && ar rcs libbare.a bare.o
expect 0 "$MAZUR" check use.c described.o --json r.json
says out "not instrumented: hidden.c"
says r.json '"complete": false'
expect 1 "$MAZUR" check use.c described.o --visible hidden.c
expect 0 "$MAZUR" check use.c -L. -lbare
says out "not instrumented: put, get"
expect 0 "$MAZUR" check -g0 use.c -L. -lbare
says out "not instrumented: put, get"
expect 1 "$MAZUR" check use.c -L. -lbare --visible put --visible get
lacks out "not instrumented: put"

# Functions that need no instrumentation do not weaken the claim, whatever the optimisation.
t "arithmetic, constants and results returned in memory are nobody else's"
cat >leaves.c <<'C'
struct big { long a[8]; };
static const int table[] = {1, 2, 3, 4, 5, 6, 7, 8};
struct big make(long a)
{
    struct big b;
    for (int i = 0; i < 8; i++)
        b.a[i] = a + i;
    return b;
}
int look(int i) { return table[i & 7]; }
C
cat >caller.c <<'C'
#include <pthread.h>
struct big { long a[8]; };
struct big make(long a);
int look(int i);
static void *work(void *unused)
{
    struct big b = make(look(3));
    return b.a[1] == 99 ? 0 : unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
}
C
for flags in -O0 -O1 -O2 "-O2 -g0"; do
    expect 0 "$MAZUR" check $flags leaves.c caller.c
    says out "complete: every interleaving"
done

t "a program without instrumentation: a reduction would have to see where threads meet"
$CC -g -pthread -o plain use.c hidden.c || fault "cc"
for strategy in bpor cbpor dpor optimal sdpor; do
    expect 0 "$MAZUR" run --strategy $strategy --json r.json ./plain
    says out "strategy $strategy assumes that threads interact only in those calls"
    says r.json '"complete": false'
done
expect 1 "$MAZUR" run ./plain

t "std::string inside the C++ library, and as a part of the program"
cat >text.cpp <<'C'
#include <string>
#include <thread>
static std::string text;
int main()
{
    std::thread first([] { text += "a"; }), second([] { text += "b"; });
    first.join();
    second.join();
}
C
g++ -O1 -g -fsanitize=thread -c text.cpp -o text.o || fault "g++"
expect 0 "$MAZUR" c++ text.o -o text
expect 0 "$MAZUR" run --json r.json ./text
says out "not instrumented: std::string or streams inside the C++ library"
says r.json '"complete": false'
expect 0 "$MAZUR" c++ -O1 -g -c text.cpp -o text.o
expect 0 "$MAZUR" c++ text.o -o text
expect 7 "$MAZUR" run ./text
lacks out "inside the C++ library"
cat >print.cpp <<'C'
#include <iostream>
#include <thread>
int main()
{
    std::thread first([] { std::cout << 1 << "\n"; });
    first.join();
}
C
g++ -O1 -g -fsanitize=thread -c print.cpp -o print.o || fault "g++"
expect 0 "$MAZUR" c++ print.o -o print
expect 0 "$MAZUR" run ./print
says out "complete: every interleaving"

end_of_file
