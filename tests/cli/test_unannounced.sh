#!/bin/bash
# Accesses that compilers make without calling the instrumentation: structures passed by value
# and returned, parts of local variables, operands of assembly. Each is an access like any
# other: a data race if nothing orders it and none under a lock, whatever the compiler and its
# options.
. "$(dirname "$0")/lib.sh"
cat >unannounced.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct small {
    long first, second;
};
struct real {
    double first;
    long double second;
};
struct large {
    long part[7];
};
struct huge {
    long part[300];
};

static struct small small, *small_pointer = &small;
static struct real real;
static struct large large, *large_pointer = &large;
static struct huge huge;
static struct large several[3];
static struct small *local;
static long *local_array;
static volatile long result;
static volatile int which = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define KEPT __attribute__((noinline, noclone))
static KEPT long take_small(struct small value) { return value.second; }
static KEPT long take_real(struct real value) { return (long)value.first; }
static KEPT long take_large(int n, struct large value) { return value.part[n]; }
static KEPT long take_huge(struct huge value) { return value.part[which]; }
static KEPT struct small make_small(long n) { return (struct small){n, n}; }
static KEPT struct large make_large(long n) { return (struct large){{n, n, n}}; }
static KEPT struct large make_in_loop(long n)
{
    struct large value;
    for (int i = 0; i < 7; i++)
        value.part[i] = n + i;
    return value;
}

/* name, what the first thread does, what the second one does */
#define CASES(X)                                                                               \
    X(small_argument, result = take_small(small), small.second++)                              \
    X(small_pointed_to, result = take_small(*small_pointer), small.second++)                   \
    X(real_argument, result = take_real(real), real.first += 1)                                \
    X(large_argument, result = take_large(1, large), large.part[6]++)                          \
    X(large_pointed_to, result = take_large(1, *large_pointer), large.part[3]++)               \
    X(large_of_several, result = take_large(1, several[which]), several[1].part[0]++)          \
    X(huge_argument, result = take_huge(huge), huge.part[299]++)                               \
    X(small_result, small = make_small(which), result = small.first)                           \
    X(small_result_pointed_to, *small_pointer = make_small(which), result = small.second)      \
    X(large_result, large = make_large(which), result = large.part[5])                         \
    X(large_result_pointed_to, *large_pointer = make_large(which), large.part[0]++)            \
    X(large_result_of_loop, several[which] = make_in_loop(which), several[1].part[4]++)        \
    X(local_argument, use_local(0), local->second++)                                           \
    X(local_result, use_local(1), result = local->first)                                       \
    X(local_part, use_local(2), local->second++)                                               \
    X(local_element, use_array(0), local_array[1]++)                                           \
    X(local_indexed, use_array(1), local_array[1]++)                                           \
    X(assembly, result = ASSEMBLY(small.first), small.first++)
#define ASSEMBLY(from) ({ long value; __asm__ volatile("movq %1, %0" : "=r"(value) : "m"(from)); value; })

static pthread_barrier_t ready, done;

static void meet(void)
{
    pthread_barrier_wait(&ready);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

/* Variables of these functions that the other thread knows by their addresses. */
static KEPT void use_array(int how)
{
    long array[4] = {1, 2, 3, 4};
    local_array = array;
    meet();
    result = how == 0 ? array[1] : array[which];
    pthread_barrier_wait(&done);
}

static KEPT void use_local(int how)
{
    struct small mine = {1, 2};
    local = &mine;
    meet();
    if (how == 0)
        result = take_small(mine);
    else if (how == 1)
        mine = make_small(which);
    else
        result = mine.second;
    pthread_barrier_wait(&done);
}

static const char *wanted;
static int locked;

static int is_wanted(const char *name) { return strcmp(name, wanted) == 0; }
static int is_local(void) { return strncmp(wanted, "local", 5) == 0; }

#define FIRST(name, one, two)                                                                  \
    if (is_wanted(#name))                                                                      \
        one;
#define SECOND(name, one, two)                                                                 \
    if (is_wanted(#name))                                                                      \
        two;
#define NAME(name, one, two) fprintf(stderr, #name "\n");

static void *first(void *unused)
{
    if (locked && !is_local())
        pthread_mutex_lock(&mutex);
    CASES(FIRST)
    if (locked && !is_local())
        pthread_mutex_unlock(&mutex);
    return unused;
}

static void *second(void *unused)
{
    if (locked && is_local()) {
        pthread_mutex_lock(&mutex); /* the other one passes it after this is over */
        pthread_barrier_wait(&ready);
    } else if (is_local()) {
        pthread_barrier_wait(&ready);
    } else if (locked) {
        pthread_mutex_lock(&mutex);
    }
    CASES(SECOND)
    if (locked)
        pthread_mutex_unlock(&mutex);
    if (is_local())
        pthread_barrier_wait(&done);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t threads[2];
    if (count < 3) {
        CASES(NAME)
        return 0;
    }
    wanted = arguments[1];
    locked = arguments[2][0] == 'l';
    pthread_barrier_init(&ready, NULL, 2);
    pthread_barrier_init(&done, NULL, 2);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
C

try_all() { # COMPILER FLAGS...
    t "accesses that are not announced, $*"
    local compiler=$1
    shift
    expect 0 "$MAZUR" cc --compiler "$compiler" -g "$@" -o unannounced unannounced.c
    ./unannounced 2>names
    [ "$(wc -l <names)" -ge 18 ] || fault "the program names its cases"
    while read -r kind; do
        expect 7 "$MAZUR" run ./unannounced "$kind" free
        expect 0 "$MAZUR" run ./unannounced "$kind" locked
        says out 'complete: every interleaving'
    done <names
}

for level in -O0 -O1 -O2; do
    try_all gcc $level
    ! command -v clang >/dev/null || try_all clang $level
done
! command -v clang >/dev/null || try_all clang -O1 -g0 -fomit-frame-pointer

t "a library that is loaded later: its accesses are not interrupted, and the result says so"
cat >late.c <<'C'
struct pair { long first, second; } pair;
__attribute__((noinline, noclone)) struct pair make(long n) { return (struct pair){n, n}; }
void put(void) { pair = make(1); }
C
cat >load.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
static void (*put)(void);
static void *work(void *unused) { put(); return unused; }
int main(void)
{
    pthread_t t;
    put = (void (*)(void))dlsym(dlopen("./liblate.so", RTLD_NOW), "put");
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
}
C
expect 0 "$MAZUR" cc --compiler gcc -O1 -g -fPIC -shared -o liblate.so late.c
expect 0 "$MAZUR" check --isolate=fork load.c --json r.json
says out "does not announce" "in put (link the library"
says r.json '"complete": false'

t "a store in assembly may mean more than a plain one: it is owned up to"
cat >store.c <<'C'
#include <pthread.h>
#include <sched.h>
static long word;
static void *work(void *unused) { __asm__ volatile("movq $1, %0" : "=m"(word)); sched_yield(); return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return word == 3;
}
C
expect 0 "$MAZUR" check store.c --json r.json
says out "in assembly were not seen, in work"
says r.json '"complete": false'

end_of_file
